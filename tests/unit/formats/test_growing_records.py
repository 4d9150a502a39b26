"""A compact log taken piece by piece is the log that the ordinary reader makes of the same bytes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.binary import chunk_reader
from plyscope.visualizer.formats.binary.reader import read_binary
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.growing_records import GrowingRecords
from plyscope.visualizer.formats.following.whole_parts import WholeParts
from plyscope.visualizer.store.tree import Tree
from tests import compact_logs as made
from tests.compact_logs import CORE, NOTHING, SMALL, START, UPDATED_START
from tests.property.examples import examples
from tests.unit.formats.test_growing_log import assert_same_tree
from tests.unit.logs import there

TYPES: dict[str, tuple[list[Any], st.SearchStrategy[Any]]] = {
    "score": (["score", "f64"], st.sampled_from([1.0, -2.5, float("inf"), float("nan")])),
    "alpha": (["alpha", "i16"], st.integers(-9, 9)),
    "static": (["static", "f32"], st.sampled_from([0.5, -1.0])),
    "bound": (["bound", "word"], st.integers(0, 3)),
    "outcome": (["outcome", "word"], st.integers(0, 9)),
    "why": (["why", "text8"], st.integers(0, 2)),
    "board": (["board", "text"], st.integers(0, 2)),
    "player": (["player", "u8"], st.integers(0, 1)),
    "depth": (["depth", "i8"], st.integers(0, 9)),
    "moves": (["moves", "u8"], st.integers(0, 9)),
    "quiescence": (["quiescence", "flag"], st.integers(0, 1)),
    "key": (["key", "key"], st.integers(0, 2**64 - 2)),
    "numbered key": (["key", "u32"], st.integers(0, 5)),
    "named key": (["key", "text"], st.integers(0, 2)),
    "factors": (["factors", "f32", 2], st.lists(st.sampled_from([1.0, NOTHING]), min_size=2, max_size=2)),
    "mobility": (["contributions.mobility", "f64"], st.sampled_from([1.0, 2.0])),
    "corners": (["contributions.corners", "i32"], st.integers(-3, 3)),
    "own": (["hash_full", "u8"], st.integers(0, 9)),
    "own text": (["note", "text"], st.integers(0, 2)),
    "use": (["tt.use", "word"], st.integers(0, 3)),
    "from": (["tt.from", "u32"], st.integers(0, 12)),
    "plies": (["plies", "texts"], st.just([0, 2])),
    "pre_scores": (["pre_scores", "numbers"], st.just([0, 2])),
    "iteration": (["iteration", "i32"], st.integers(0, 5)),
}
IN_JSON: dict[str, st.SearchStrategy[Any]] = {
    "score": st.sampled_from([1, "inf", None]),
    "outcome": st.sampled_from(["searched", "leaf", "pruned"]),
    "iteration": st.sampled_from([1, None]),
    "note": st.sampled_from(["x", {"a": 1}]),
    "plies": st.just(["e5", "e6"]),
    "key": st.sampled_from([7, "00000000000000ff", "x"]),
}


@st.composite
def chunks(draw: st.DrawFn) -> list[bytes]:
    """The start of a compact log, and its chunks; some of them are oddities that a reader has to refuse."""
    names = draw(st.sampled_from(["numbers", "counted", "far", "texts"]))
    id_type = {"far": "i64", "texts": "text"}.get(names, "u32")

    def layout_of(first: list[Any]) -> list[Any]:
        some = draw(st.lists(st.sampled_from(sorted(TYPES)), max_size=5, unique=True))
        named = {TYPES[name][0][0]: name for name in some}
        return [*first, *(TYPES[name][0] for name in named.values())], [*named.values()]  # type: ignore[return-value]

    first_of_nodes = [["parent", id_type if names == "texts" else "i64"]]
    if names != "numbers":
        first_of_nodes.insert(0, ["id", id_type])
    layouts = [layout_of(first_of_nodes), layout_of(first_of_nodes), layout_of([["id", id_type]])]
    flags = draw(st.sampled_from([START, UPDATED_START]))
    parts = [flags, made.header(**draw(st.sampled_from([{}, {"players": ["w", "b"]}])))]
    parts += [made.layout(layout) for layout, _ in layouts]
    parts += [made.texts("a1", "b2", "c3", *(f"n{node}" for node in range(20))), made.refs(0, 1, 2, 0)]
    parts.append(made.numbers(1, 2, 3, 4))
    n_nodes = 0

    def name_of(node: int) -> int:
        return {"numbers": node, "counted": 5 + node, "far": 7 * node - 2**60, "texts": 3 + node}[names]

    def rest(fields: list[str]) -> list[Any]:
        """Values of these fields; a list that is not stated has neither beginning nor end."""
        blank = {"plies": [2**32 - 1] * 2, "pre_scores": [2**32 - 1] * 2}
        return [draw(TYPES[n][1]) if draw(st.integers(0, 3)) else blank.get(n, NOTHING) for n in fields]

    for _ in range(draw(st.integers(1, 8))):
        kind = draw(st.sampled_from(["NODE", "NODE", "NODE", "LATE", "JSON", "TEXT", "mine"]))
        if kind == "NODE":
            number = draw(st.integers(0, 1))
            layout, fields = layouts[number]
            records = []
            for _ in range(draw(st.integers(1, 4))):
                above = draw(st.integers(max(0, n_nodes - 4), n_nodes - 1)) if n_nodes else None
                if above is None or draw(st.integers(0, 15)) == 0:
                    parent: Any = NOTHING
                else:
                    parent = name_of(above)
                ids = [] if names == "numbers" else [name_of(n_nodes)]
                records.append([*ids, parent, *rest(fields)])
                n_nodes += 1
            parts.append(made.nodes(layout, *records, number=number))
        elif kind == "LATE" and n_nodes:
            layout, fields = layouts[2]
            records = [
                [name_of(draw(st.integers(0, n_nodes - 1))), *rest(fields)]
                for _ in range(draw(st.integers(1, 3)))
            ]
            parts.append(made.nodes(layout, *records, number=2, kind="LATE"))
        elif kind == "JSON" and n_nodes:
            node = draw(st.integers(0, n_nodes - 1))
            name: Any = f"n{node}" if names == "texts" else name_of(node)
            field = draw(st.sampled_from(sorted(IN_JSON)))
            parts.append(made.json_lines({"id": name, field: draw(IN_JSON[field])}))
        elif kind == "TEXT":
            parts.append(made.texts("later"))
        elif kind == "mine":
            parts.append(made.chunk("mine", b"anything"))
    if draw(st.booleans()):
        parts.append(made.done(draw(st.sampled_from([None, {"score": 2.0}]))))
    return parts


def cuts_of(draw: Any, data: bytes) -> list[bytes]:
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=6)))
    return [data[begin:end] for begin, end in pairwise([0, *cuts, len(data)])]


def refused(log: GrowingRecords, parts: WholeParts, data: bytes) -> str:
    """Why what is whole now is not taken; nothing if it is."""
    try:
        if whole := parts.add(data):
            log.take(whole)
    except LogError as error:
        return str(error)
    return ""


@given(chunks(), st.data())
@settings(max_examples=examples(120), deadline=None)
def test_pieces_of_a_log_are_the_log_though_it_is_cut_anywhere(
    parts: list[bytes], data: st.DataObject
) -> None:
    whole = b"".join(parts)
    whole = whole[: data.draw(st.one_of(st.just(len(whole)), st.integers(16, len(whole))))]
    expected = read(whole)
    log, waiting = GrowingRecords(), WholeParts()
    log.run = data.draw(st.sampled_from([None, None, None, compiled]))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chunk_reader, "TAPE_BYTES", 0)
        for piece in cuts_of(data.draw, whole):
            if wrong := refused(log, waiting, piece):
                assert wrong == expected
                return
            if data.draw(st.booleans()):
                tried(log)
    if not log.is_whole or len(waiting):  # the ordinary reader opens it
        return
    final = tried(log, is_final=True)
    if isinstance(final, Tree) and isinstance(expected, Tree):
        assert_same_tree(final, expected)
    else:
        assert final == expected


def read(data: bytes) -> Tree | str:
    """The tree of a file, or why there is none."""
    try:
        return Tree(read_binary(data))
    except LogError as error:
        return str(error)


def tried(log: GrowingRecords, *, is_final: bool = False) -> Tree | str | None:
    """The tree of a snapshot, or why there is none."""
    try:
        return log.snapshot(is_final=is_final)
    except LogError as error:
        return str(error)


def test_a_record_without_its_parent_hangs_below_an_open_node_until_that_comes() -> None:
    fields = [["id", "u32"], ["parent", "u32"]]
    log = GrowingRecords()
    log.take(START + made.header() + made.layout(fields) + made.nodes(fields, [3, 1], [4, 1]))
    tree = log.snapshot()
    assert isinstance(tree, Tree)
    assert (log.n_waiting, log.is_whole) == (2, False)
    assert tree.log.columns["id"].tolist() == [1, 3, 4]
    assert tree.log.notices == ("Still to come: the record of 1 parent (id 1), shown as an open node.",)
    log.take(made.nodes(fields, [1, NOTHING]))
    assert log.is_whole
    # A root that leaves its iteration blank has said that it is unknown.
    fields = [["parent", "u32"], ["iteration", "i8"]]
    whole = START + made.header() + made.layout(fields) + made.nodes(fields, *[[NOTHING, NOTHING]] * 2)
    (log := GrowingRecords()).take(whole + made.done())
    assert_same_tree(there(log.snapshot(is_final=True)), Tree(read_binary(whole + made.done())))


def test_an_iteration_that_a_line_of_json_corrects_is_not_put_back_by_further_records() -> None:
    fields = [["parent", "i64"], ["iteration", "i32"]]
    parts = [
        START + made.header() + made.layout(fields) + made.nodes(fields, [NOTHING, 3], [NOTHING, 4]),
        made.json_lines({"id": 1, "iteration": 5}),
        made.nodes(fields, [0, NOTHING]),
    ]
    log = GrowingRecords()
    for part in parts:
        log.take(part)
    tree = there(log.snapshot())
    assert [root.iteration for root in tree.log.roots] == [3, 5]
    assert [root.iteration for root in read_binary(b"".join(parts) + made.done()).roots] == [3, 5]


def test_chunks_of_one_node_are_taken_as_one_batch_and_those_before_a_wrong_one_too() -> None:
    log = GrowingRecords()
    log.take(START + made.header() + made.layout(CORE) + made.nodes(CORE, [NOTHING, NOTHING, 1]))
    good, wrong = made.nodes(CORE, [0, NOTHING, 2]), made.nodes(CORE, [0, 7, 2])
    with pytest.raises(LogError, match="found 7, expected the number of one of the 0 texts"):
        log.take(good + wrong + good)
    assert log.n_nodes == 2
    # Lists count once, though their chunks are read again: both entries may be in two of them.
    fields = [["parent", "u32"], ["outcome", "word"], ["plies", "texts"], ["ply", "text"]]
    empty = [2**32 - 1] * 2
    log = GrowingRecords()
    log.take(START + made.header() + made.layout(fields) + made.texts("a", "b") + made.refs(0, 1))
    log.take(made.nodes(fields, [NOTHING, NOTHING, empty, NOTHING]))
    stub, wrong = made.nodes(fields, [0, 8, [0, 2], NOTHING]), made.nodes(fields, [0, NOTHING, empty, 7])
    with pytest.raises(LogError, match="found 7, expected the number of one of the 2 texts"):
        log.take(stub + stub + wrong)
    assert log.n_nodes == 3


ROOT = made.layout(CORE) + made.nodes(CORE, [NOTHING, NOTHING, 1])
BY_NUMBER, BY_TEXT = ([["id", kind], ["parent", above]] for kind, above in (("u32", "i32"), ("text", "text")))
AGAIN = [
    *(
        (
            made.layout(fields) + made.texts("a", "b") + made.nodes(fields, [0, root]),
            made.nodes(fields, [1, 0], [0, 0]),
        )
        for fields, root in ((BY_NUMBER, -1), (BY_TEXT, NOTHING))
    ),
    *(
        (
            ROOT,
            made.json_lines({"id": 0, "note": "x"}, {"id": name, "note": "y"}) + made.nodes(CORE, [7, 7, 7]),
        )
        for name in (7, "7", None, 1.5)
    ),
    # What is wrong about a record is said before what is wrong about a line behind it.
    (ROOT, made.nodes(CORE, [0, NOTHING, 7], [0, 7, 7]) + made.json_lines({"id": 1, "note": "x"})),
]


@pytest.mark.parametrize(("before", "wrong"), AGAIN)
def test_an_id_that_comes_again_or_never_came_is_refused_as_in_a_file(before: bytes, wrong: bytes) -> None:
    with pytest.raises(LogError) as of_file:
        read_binary(START + made.header() + before + wrong + made.done())
    log = GrowingRecords()
    log.take(START + made.header() + before)
    with pytest.raises(LogError) as of_pieces:
        log.take(wrong)
    assert str(of_pieces.value) == str(of_file.value)
    assert log.n_nodes == 1


def test_players_and_contributions_are_in_the_order_of_the_file_whatever_the_pieces() -> None:
    fields = [["parent", "u32"], ["player", "text"], ["contributions.z", "f64"]]
    parts = [
        START + made.header() + made.layout(fields) + made.texts("y") + made.nodes(fields, [NOTHING] * 3),
        made.json_lines({"id": 0, "player": "x", "contributions": {"a": 1}}),
        made.nodes(fields, [0, 0, 2.0]) + made.done(),
    ]
    in_pieces = GrowingRecords()
    for part in parts:
        in_pieces.take(part)
    for log in (read_binary(b"".join(parts)), there(in_pieces.snapshot()).log):
        assert (log.players, log.contribution_names) == (("x", "y"), ("a", "z"))


def test_numbers_that_are_rounded_are_said() -> None:
    """Whole numbers of 64 bits, and those in lines of JSON."""
    odd, fields = 2**53 + 1, [["parent", "i64"], ["score", "i64"], ["hash", "i64"]]
    records = [[NOTHING, odd, odd], [0, odd - 1, odd]]
    late = made.json_lines({"id": 1, "score": odd + 2})
    whole = UPDATED_START + made.header() + made.layout(fields) + made.nodes(fields, *records) + late
    whole += made.chunk("DONE", b"null")
    log = GrowingRecords()
    log.take(whole)
    expected = f"2 whole numbers of `score` do not fit a double and were rounded (the first: {odd})."
    assert there(log.snapshot(is_final=True)).log.notices == read_binary(whole).notices == (expected,)


def test_zeros_wait_for_what_a_system_writes_over_them_later() -> None:
    parts = WholeParts()
    assert parts.add(SMALL + bytes(40)) == SMALL
    assert parts.add(bytes(5)) == b""
    assert parts.add(b"x") == bytes(45) + b"x"
