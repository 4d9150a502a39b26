"""The written ids of nodes, checked once all have come, and the table entries that refer to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.seal.field_buffers import are_last
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.store.seal import Sealed

Array = npt.NDArray[Any]

ELSEWHERE: Final = -2
"""The source of a table entry that is not in the log, as in copies of a part of a log."""
NO_ID: Final = np.iinfo(np.int64).min
LARGEST_ID: Final = 2**53 - 1
"""The largest id that a browser holds exactly; logs with larger ones are numbered by arrival."""


class FailAt(Protocol):
    """A function that raises LogError about a node, or one of its fields."""

    def __call__(self, number: int, message: str, field: str = "") -> NoReturn:
        """Raise LogError about the node that arrived as `number`."""


def put_ids(
    columns: dict[str, Array], buffers: NodeFields, sealed: Sealed, row_of: Array, fail_at: FailAt
) -> list[str]:
    """Put the ids into the columns: the written ones if all are whole numbers, else arrival numbers.

    Also put `tt.from` as rows; returns a notice where some refer to a missing node.
    """
    n_nodes = len(row_of)
    whole = all(isinstance(ids, np.ndarray) or set(map(type, ids)) == {int} for _, ids in buffers.ids)
    code_of: dict[Any, int] = {}
    """The numbers of names, where not all are whole."""
    ids = buffers.ids if whole else [(nodes, _coded(names, code_of)) for nodes, names in buffers.ids]
    if ids:
        written = _by_node(ids, n_nodes)
        if whole and written[0] >= 0 and (written[1:] > written[:-1]).all() and not buffers.sources:
            # All ids are there, once, in order: no sorting, since large logs have little memory left.
            if written[-1] <= LARGEST_ID:
                buffers.ids.clear()
                columns["id"] = written if sealed.is_as_arrived else written[sealed.order]
            else:
                columns["id"] = sealed.order.astype(np.int64)
                _keep_ids(buffers)
            return []
        columns["id"] = sealed.order.astype(np.int64)
        stated = np.flatnonzero(written != NO_ID)
        order = np.argsort(written[stated], kind="stable")
        numbers, nodes = written[stated][order], stated[order]
        same = np.flatnonzero(numbers[1:] == numbers[:-1])
        if len(same):
            second = int(nodes[same + 1].min())
            name = int(written[second]) if whole else [*code_of][written[second]]
            fail_at(second, f"the id {shown(name)} was seen before, expected each once", "id")
        if whole and len(stated) == n_nodes and numbers[0] >= 0 and numbers[-1] <= LARGEST_ID:
            columns["id"] = written[sealed.order]
        else:
            _keep_ids(buffers)
    else:
        columns["id"] = sealed.order.astype(np.int64)
    if not buffers.sources:
        return []
    lost: dict[int, Any] = {}
    """What nodes name that is not there; what is stated again counts no more."""
    sources = np.full(n_nodes, -1, dtype=np.int32)
    for nodes, said in buffers.sources:
        if whole:
            known = (name if type(name) is int else NO_ID for name in said)
        else:
            known = (code_of.get(name, NO_ID) for name in said)
        wanted = np.fromiter(known, dtype=np.int64, count=len(said))
        if ids:
            at = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
            rows = np.where(numbers[at] == wanted, row_of[stated[order][at]], ELSEWHERE)
        else:
            is_there = (wanted >= 0) & (wanted < n_nodes)
            rows = np.where(is_there, row_of[np.where(is_there, wanted, 0)], ELSEWHERE)
        sources[row_of[nodes]] = rows
        for node in nodes.tolist() if lost else ():
            lost.pop(node, None)
        is_lost = rows == ELSEWHERE
        for place in np.flatnonzero(is_lost & are_last(nodes)).tolist() if is_lost.any() else ():
            if said[place] != ELSEWHERE:
                lost[int(nodes[place])] = said[place]
    columns["tt_from"] = sources
    if not lost:
        return []
    return [lost_sources(len(lost), shown(lost[min(lost)]))]


def lost_sources(n_lost: int, name: str) -> str:
    """The notice of table entries whose source is not in the log; `name` is one of these sources."""
    which = "a table entry" if n_lost == 1 else f"{n_lost:,} table entries"
    return f"`tt.from` of {which} names no node of this log, such as {name}: its source is not known."


def _by_node(ids: list[tuple[Any, Any]], n_nodes: int) -> Array:
    """The ids by node, NO_ID where there is none."""
    nodes, first = ids[0]
    if isinstance(first, np.ndarray) and isinstance(nodes, slice) and len(first) == n_nodes and len(ids) == 1:
        return first  # all at once, and not copied
    written = np.full(n_nodes, NO_ID, dtype=np.int64)
    for nodes, each in ids:
        written[nodes] = each
    return written


def _coded(names: Any, code_of: dict[Any, int]) -> Array:
    """The number of each name, by which it may be new in `code_of`."""
    return np.array([code_of.setdefault(name, len(code_of)) for name in _listed(names)])


def _keep_ids(buffers: NodeFields) -> None:
    """Keep ids that cannot be ours as unknown fields; a node that came in several lines has one."""
    name_of = {
        number: name
        for nodes, ids in buffers.ids
        for number, name in zip(_numbers(nodes), _listed(ids), strict=True)
    }
    buffers.keep_beside("id", name_of)


def _numbers(nodes: Array | slice) -> Iterable[int]:
    return range(nodes.start, nodes.stop) if isinstance(nodes, slice) else nodes.tolist()


def _listed(ids: list[Any] | Array) -> list[Any]:
    return ids.tolist() if isinstance(ids, np.ndarray) else ids
