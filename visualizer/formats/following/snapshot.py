"""Sealing a growing log as it was at one moment, with open nodes for the parents that have not come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, missing_lines
from plyscope.visualizer.formats.following.node_numbers import Id
from plyscope.visualizer.formats.following.sealed_rows import SomeNodes
from plyscope.visualizer.formats.literal.cut_path import with_open_path
from plyscope.visualizer.formats.seal.sealing import in_pre_order, sealed_log
from plyscope.visualizer.formats.write.written_ids import LARGEST_ID, lost_sources
from plyscope.visualizer.store.tree import Tree

Array = npt.NDArray[Any]
Run = Callable[[Any], Any]


@dataclass(frozen=True)
class Frozen:
    """All of a growing log up to one moment, copied so that it can be sealed without the lock."""

    kind: str
    """The word for a written node: a line, a record."""
    nodes: SomeNodes
    """All nodes."""
    parents: Array
    ids: Array
    lost: tuple[str, int]
    """A source of a table entry that names no node, as written, and the number of such sources."""
    error_at: Callable[[int, str, str], LogError]
    """Makes the error about the node with an arrival number, and about a field if one is given."""
    orphans: Array
    """The nodes whose parent has not come."""
    places: Array
    """By orphan, the index of its parent in `missing`."""
    missing: list[Id]
    opens_path: bool
    """Whether the nodes on the path to the last one may have lost children."""


def sealed_snapshot(frozen: Frozen, run: Run | None, *, is_final: bool, keeps_ids: bool) -> Tree:
    """Seal what was frozen."""
    n_nodes, missing, nodes = len(frozen.parents), frozen.missing, frozen.nodes
    parents, ids = _mended(frozen, keeps_ids)
    n_rows = len(parents)

    def fail_at(number: int, message: str, field: str = "") -> NoReturn:
        raise frozen.error_at(number, message, field)

    sealed = in_pre_order(parents, fail_at, run)
    order = sealed.order
    row_of = np.empty(n_rows, dtype=np.int64)
    row_of[order] = np.arange(n_rows)
    said = nodes.notices
    if missing:
        said = [*said, f"Still to come: {missing_lines(frozen.kind, missing)}."]
    log = sealed_log(
        nodes.header,
        nodes.fields,
        parents,
        fail_at,
        dict.fromkeys(said),
        roots_need_iterations=nodes.needs_iterations and not missing,
        sealed=sealed,
    )
    columns = dict(log.columns)
    columns["id"] = ids[order]
    notices = log.notices
    if nodes.sources is not None:
        sources = np.full(n_rows, -1, dtype=np.int32)
        known = nodes.sources >= 0
        of_nodes = np.where(known, row_of[np.maximum(nodes.sources, 0)], nodes.sources)
        sources[row_of[:n_nodes]] = of_nodes
        columns["tt_from"] = sources
        name, n_lost = frozen.lost
        if n_lost and is_final:
            notices += (lost_sources(n_lost, name),)
    log = replace(log, columns=columns, notices=notices)
    if frozen.opens_path:
        log = with_open_path(log)
    counts = np.bincount(sealed.parent[sealed.parent >= 0], minlength=n_rows)
    return Tree(log, child_counts=counts.astype(np.int32))


def _mended(frozen: Frozen, keeps_ids: bool) -> tuple[Array, Array]:
    """Parents and ids with the open nodes added: one for each missing parent, and a root above several."""
    n_nodes, missing = len(frozen.parents), frozen.missing
    n_open = len(missing) + (len(missing) > 1)
    parents = np.full(n_nodes + n_open, -1, dtype=np.int64)
    parents[:n_nodes] = frozen.parents
    parents[frozen.orphans] = n_nodes + frozen.places
    if len(missing) > 1:
        parents[n_nodes : n_nodes + len(missing)] = n_nodes + len(missing)
    ids = np.empty(n_nodes + n_open, dtype=np.int64)
    if keeps_ids:
        ids[:n_nodes] = np.arange(n_nodes)
        # Ids that no node gets while the log grows.
        ids[n_nodes:] = LARGEST_ID - np.arange(n_open)
    else:
        ids[:n_nodes] = frozen.ids
        ids[n_nodes:] = LARGEST_ID - np.arange(n_open)[::-1]
        for at, name in enumerate(missing, start=n_nodes):
            if type(name) is int and abs(name) < LARGEST_ID - n_open:
                ids[at] = name
    return parents, ids
