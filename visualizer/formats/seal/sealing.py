"""From gathered fields to a sealed log: pre-order, the root player's view, table sources as rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, listed, shown
from plyscope.visualizer.formats.header import Header, read_header
from plyscope.visualizer.formats.json_text import with_number_words
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.seal.perspective import turn
from plyscope.visualizer.formats.seal.written_ids import FailAt, put_ids
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN, MATRICES, OPTIONAL, stated
from plyscope.visualizer.store.header_fields import said_over
from plyscope.visualizer.store.log import Extras, Factor, Lists, Log, Root
from plyscope.visualizer.store.seal import Cycle, Sealed, seal

Array = npt.NDArray[Any]
Run = Callable[[Any], Any]
NOT_SEARCHED: Final = (
    ", not the tree that it searched: each depth is a root, a principal variation is a chain below."
)


def sealed_log(
    fields: Mapping[str, Any],
    buffers: NodeFields,
    parents: Array,
    fail_at: FailAt,
    notices: Mapping[str, None],
    *,
    roots_need_iterations: bool,
    sealed: Sealed | None = None,
    run: Run | None = None,
    foreign: tuple[Mapping[str, str], str, tuple[str, ...]] = ({}, "", ()),
) -> Log:
    """The log of all nodes, turned to the root player's view; `parents` are arrival numbers. Raises LogError.

    `sealed` is their order and shape, if known; else `run` compiles the kernel that finds it. `foreign`
    describes the reading of a foreign document: the mapping, its shape, the names of its fields.
    """
    if not len(parents):
        raise LogError("the log has no node, expected at least a root")
    header = read_header(fields)
    sealed = sealed or in_pre_order(parents, fail_at, run)
    row_of = sealed.order
    if not sealed.is_as_arrived:
        row_of = np.empty(len(parents), dtype=np.int32)
        row_of[sealed.order] = np.arange(len(parents), dtype=np.int32)

    key_form = buffers.settle_keys()
    arrived = buffers.taken_columns(len(parents))
    factors, contributions = put_matrices(arrived, buffers, header, fail_at)
    players = put_players(arrived, buffers, header, fail_at)
    if not sealed.is_as_arrived:
        arrived = {name: column[sealed.order] for name, column in arrived.items()}
    columns = arrived
    columns.update(parent=sealed.parent, end=sealed.end, level=sealed.level)
    said = list(notices)
    if "id" not in columns:
        said += put_ids(columns, buffers, sealed, row_of, fail_at)
    elif (sources := columns.get("tt_from")) is not None:
        columns["tt_from"] = np.where(sources >= 0, row_of[np.maximum(sources, 0)], sources)
    check_stubs(columns, sealed, fail_at)
    roots = _roots(buffers, sealed, fail_at, needed=roots_need_iterations)
    stub_plies = stub_plies_of(buffers, sealed, row_of, fail_at)
    header_fields, turned = turn(header, columns, stub_plies)
    if turned:
        said.append(turned)
    if (protocol := said_over(header_fields)) is not None:
        said.insert(0, f"These are the lines that an engine said over {protocol}{NOT_SEARCHED}")
    if stub_plies is not None:
        _count_plies(columns, stub_plies)
    _drop_unstated(columns)
    rows, starts, blob = buffers.sealed_extras(row_of)
    mapping, shape, names = foreign
    return Log(
        header=_whole_header(header_fields, players, factors),
        columns=columns,
        texts=buffers.listed_texts(),
        roots=roots,
        players=players,
        factors=factors,
        contribution_names=_name_contributions(columns, contributions),
        key_form=key_form,
        stub_plies=stub_plies,
        notices=tuple(said),
        extras=Extras(rows, starts, blob, buffers.extras.file) if len(rows) else None,
        mapping=mapping,
        shape=shape,
        fields=names,
    )


def in_pre_order(parents: Array, fail_at: FailAt, run: Run | None = None) -> Sealed:
    """The pre-order of the nodes, by their parents. Raises LogError where one is its own ancestor."""
    try:
        return seal(parents, run)
    except Cycle as cycle:
        fail_at(cycle.number, "this node is its own ancestor, expected a tree")


def _whole_header(
    fields: dict[str, Any], players: tuple[str, ...], factors: tuple[Factor, ...]
) -> dict[str, Any]:
    """The header for a file of this log: numbers that JSON lacks as words, names that nodes gave."""
    whole: dict[str, Any] = with_number_words(fields)
    if players:
        whole["players"] = list(players)
    if factors and len(whole.get("factors") or ()) != len(factors):
        whole["factors"] = [
            {name: each for name, each in vars(factor).items() if each is not None} for factor in factors
        ]
    return whole


def _drop_unstated(columns: dict[str, Array]) -> None:
    """Leave out the optional columns that no row states."""
    for name in {*(column.name for column in OPTIONAL), *MATRICES} & columns.keys():
        is_given = (columns["given"] & GIVEN.get(name, 0)).any()
        if not is_given and not stated(name, columns[name]).any():
            del columns[name]


def _name_contributions(columns: dict[str, Array], names: tuple[str, ...]) -> tuple[str, ...]:
    """The names that some node states, in the order of rows, which is their order in a file."""
    if "contributions" not in columns:
        return ()
    column = columns["contributions"]
    first_rows = [int(np.argmax(~np.isnan(values))) for values in column.T]
    kept = [at for at, row in enumerate(first_rows) if not np.isnan(column[row, at])]
    kept.sort(key=first_rows.__getitem__)
    if kept != list(range(len(names))):
        columns["contributions"] = column[:, kept]
    return tuple(names[at] for at in kept)


def put_matrices(
    columns: dict[str, Array], buffers: NodeFields, header: Header, fail_at: FailAt
) -> tuple[tuple[Factor, ...], tuple[str, ...]]:
    """Put the tables of numbers into the columns; returns the factors and the names of contributions."""
    factors, n_nodes = header.factors, len(columns["ply"])
    widths = buffers.widths.get("factors", {})
    for width, number in widths.items():
        if factors and width != len(factors):
            expected = f"expected {len(factors)}, as many as the header names factors"
            fail_at(number, f"found a list of {width} numbers, {expected}", "factors")
    for name in list(buffers.tables):
        columns[name] = buffers.tables.pop(name).first(n_nodes)
    if widths:
        columns["factors"] = columns["factors"][:, : max(widths)]
    if widths and not factors:
        factors = tuple(Factor(f"factor {number}") for number in range(1, max(widths) + 1))
    return factors, tuple(buffers.contribution_names)


def put_players(
    columns: dict[str, Array], buffers: NodeFields, header: Header, fail_at: FailAt
) -> tuple[str, ...]:
    """Replace codes of players by indices in the header's players, if it names them."""
    if not buffers.players:
        return header.players
    names = list(header.players) or list(dict.fromkeys(str(name) for name in buffers.players))
    index_of = {name: index for index, name in enumerate(names)}
    codes = []
    for code, name in enumerate(buffers.players):
        if str(name) in index_of:
            codes.append(index_of[str(name)])
        elif isinstance(name, int) and 0 <= name < len(names):
            codes.append(name)
        else:
            number = int(np.argmax(columns["player"] == code))
            expected = f"expected one of the players: {listed(names)}"
            fail_at(number, f"found {shown(name)}, {expected}", "player")
    table = np.array([*codes, -1], dtype=np.int16)
    columns["player"] = table[columns["player"]]
    return tuple(names)


def check_stubs(columns: Mapping[str, Array], sealed: Sealed, fail_at: FailAt) -> None:
    """Raise LogError where a stub has children."""
    stubs = np.flatnonzero(columns["outcome"] >= words.FIRST_STUB)
    bad = stubs[sealed.end[stubs] > stubs + 1]
    if len(bad):
        row = int(bad[0])
        word = words.OUTCOMES[columns["outcome"][row]]
        expected = 'expected none, or "cutoff", the word for a node that was left early'
        fail_at(int(sealed.order[row]), f'found "{word}" on a node with children, {expected}', "outcome")


def _roots(buffers: NodeFields, sealed: Sealed, fail_at: FailAt, *, needed: bool) -> tuple[Root, ...]:
    rows = np.flatnonzero(sealed.level == 0).tolist()
    roots = tuple(Root(row, buffers.iterations.pop(int(sealed.order[row]), None)) for row in rows)
    if len(roots) > 1 and needed:
        for root in roots:
            if root.iteration is None and int(sealed.order[root.row]) not in buffers.unnumbered:
                message = f"one of {len(roots)} roots has no `iteration`, expected one on each"
                fail_at(int(sealed.order[root.row]), message)
    nodes = np.fromiter(buffers.iterations, np.int64, len(buffers.iterations))
    buffers.keep_beside("iteration", nodes, [*buffers.iterations.values()])
    return roots


def stub_plies_of(buffers: NodeFields, sealed: Sealed, row_of: Array, fail_at: FailAt) -> Lists | None:
    """The plies of stubs and their pre-scores, by row; None if there are none. Raises LogError."""
    rows, starts, texts = buffers.plies.sealed(row_of)
    scored, score_starts, numbers = buffers.pre_scores.sealed(row_of)
    if not len(rows) and not len(scored):
        return None
    every = np.union1d(rows, scored)
    lengths = np.zeros(len(every), dtype=np.int64)
    score_lengths = lengths.copy()
    has_plies, has_scores = np.isin(every, rows), np.isin(every, scored)
    lengths[has_plies] = np.diff(starts)
    score_lengths[has_scores] = np.diff(score_starts)
    bad = has_plies & has_scores & (lengths != score_lengths)
    if bad.any():
        at = int(np.argmax(bad))
        found = f"found {score_lengths[at]} pre_scores of {lengths[at]} plies"
        fail_at(int(sealed.order[every[at]]), f"{found}, expected one a ply", "pre_scores")
    both = np.maximum(lengths, score_lengths)
    every_start = np.zeros(len(every) + 1, dtype=np.int64)
    np.cumsum(both, out=every_start[1:])
    every_text = np.full(every_start[-1], -1, dtype=np.int32)
    every_number = np.full(every_start[-1], np.nan)
    every_text[np.repeat(has_plies, both)] = texts
    every_number[np.repeat(has_scores, both)] = numbers
    return Lists(every.astype(np.int32), every_start, every_text, every_number)


def _count_plies(columns: dict[str, Array], stub_plies: Lists) -> None:
    """Set the count of stubs that list their plies without a count."""
    lengths = np.diff(stub_plies.starts)
    stubs = columns["outcome"][stub_plies.rows] >= words.FIRST_STUB
    count = columns.setdefault("count", np.full(len(columns["ply"]), -1, dtype=np.int64))
    unknown = stubs & (count[stub_plies.rows] < 0)
    count[stub_plies.rows[unknown]] = lengths[unknown]
    if not (count >= 0).any():
        del columns["count"]
