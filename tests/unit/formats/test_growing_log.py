"""A log taken piece by piece is the log that the ordinary reader makes of the same lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following import growing_nodes
from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.formats.read.lines import read_lines
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.formats.tape.texts import Texts
from plyscope.visualizer.store.tree import Tree
from tests.property.documents import searched_fields, some_of
from tests.property.examples import examples
from tests.unit.logs import there
from tests.unit.same_logs import assert_same

HEADER = {"plyscope": 1, "players": ["w", "b"], "search": {"perspective": "mover"}}


def lines_of(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def followed(pieces: list[bytes], *, compile_it: bool = False, between: bool = False) -> Tree:
    """The tree of lines that come in pieces, with or without snapshots between them."""
    log = GrowingLog()
    log.run = compiled if compile_it else None
    for piece in pieces:
        log.take(piece)
        if between:
            tried(log.snapshot)
    assert log.is_whole
    return there(log.snapshot(is_final=True))


def assert_like_a_file(pieces: list[bytes], **options: Any) -> None:
    assert_same_tree(followed(pieces, **options), Tree(read_lines(b"".join(pieces))))


def as_a_file(lines: list[bytes]) -> Tree | None:
    """The tree of a file with these lines and a null result, by the ordinary reader; None without a node."""
    whole = b"".join(lines)
    if b'"id"' not in whole:
        return None
    log = read_lines(whole + lines_of({"result": None}))
    header = {name: value for name, value in log.header.items() if name != "result"}
    return Tree(replace(log, header=header, notices=tuple(n for n in log.notices if "tt.from" not in n)))


def tried(read: Callable[[], Tree | None]) -> Tree | str | None:
    """The tree, or why there is none."""
    try:
        return read()
    except LogError as error:
        return str(error)


def assert_same_tree(tree: Tree, expected: Tree) -> None:
    assert_same(tree.log, expected.log)
    assert tree.log.notices == expected.log.notices
    plain = Tree(expected.log)
    assert tree.nodes_before.tolist() == plain.nodes_before.tolist()
    for row in range(plain.log.n_rows):
        assert tree.children(row).tolist() == plain.children(row).tolist()
        assert tree.n_children(row) == plain.n_children(row)


APART = ("tt", "layer", "left_key", "left_position")
FIELDS = {name: field for name, field in searched_fields.items() if name not in APART} | {
    "score": st.one_of(st.integers(-9, 9), st.sampled_from([0.5, "inf", "nan", None])),
    "key": st.sampled_from(["00000000000000ff", "0123456789abcdef", 7, "x"]),
    "board": st.sampled_from(["X.O", "O.X"]),
    "player": st.sampled_from("wb"),
}


@st.composite
def depth_first(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Lines as a depth-first search writes them: one when a node is entered, and mostly one when it is left.

    Some are oddities that engines write: a node that is stated again after it was left, one below a node that
    was left, a stub that is stated again as a node, a header that names no players.
    """
    open_nodes: list[Any] = []
    base, as_text = draw(st.sampled_from([0, 5])), draw(st.integers(0, 9)) == 0
    turns = draw(st.booleans())
    view = draw(st.sampled_from(["root", "mover", "parent", "first"]))
    lines: list[dict[str, Any]] = [{"plyscope": 1, "search": {"perspective": view}}]
    if turns:
        lines[0]["players"] = ["w", "b"]
    fields = some_of({name: FIELDS[name] for name in FIELDS if draw(st.booleans())})
    names: list[Any] = []
    n_roots = 0
    for _ in range(draw(st.integers(1, 24))):
        kind = draw(st.integers(0, 9)) if names else 0
        if kind < 5:
            name = f"n{len(names)}" if as_text else base + len(names)
            line: dict[str, Any] = {"id": name}
            if open_nodes:
                above = open_nodes[-1] if draw(st.integers(0, 19)) else draw(st.sampled_from(names))
                line |= {"parent": above, "ply": draw(st.sampled_from(["a1", "b2", "c3"]))}
            else:
                n_roots += 1
                line["iteration"] = n_roots
            if open_nodes and draw(st.integers(0, 4)) == 0:
                plies = draw(st.lists(st.sampled_from(["d4", "e5"]), max_size=2))
                line |= {"outcome": draw(st.sampled_from(["pruned", "limited"])), "plies": plies}
                if draw(st.booleans()):
                    line["pre_scores"] = [draw(st.integers(-3, 3)) for _ in plies]
            else:
                line |= draw(fields)
                open_nodes.append(name)
            if turns and draw(st.booleans()):
                line["player"] = "wb"[len(open_nodes) % 2]
            if names and draw(st.integers(0, 3)) == 0:
                line["tt"] = {"use": "cut", "from": draw(st.sampled_from([*names, 10**6]))}
            names.append(name)
        elif kind < 9 and open_nodes:
            line = {"id": open_nodes.pop(), **draw(fields)}
        else:
            line = {"id": draw(st.sampled_from(names)), **draw(fields)}
        lines.append(line)
    return lines


@given(depth_first(), st.data())
@settings(max_examples=examples(120), deadline=None)
def test_each_snapshot_is_what_a_reader_of_the_same_lines_makes(
    lines: list[dict[str, Any]], data: st.DataObject
) -> None:
    log, before = GrowingLog(), []
    come = [lines_of(line) for line in lines]
    for at, line in enumerate(come, start=1):
        try:
            log.take(line)
        except LogError:
            return
        if not data.draw(st.booleans()):
            continue
        snapshot, expected = tried(log.snapshot), tried(partial(as_a_file, come[:at]))
        if isinstance(snapshot, Tree) and isinstance(expected, Tree):
            assert_same_tree(snapshot, expected)
            before.append((snapshot, expected))
            del before[: data.draw(st.integers(0, len(before)))]
        else:
            assert snapshot == expected
        for earlier, then in before:  # what somebody still reads does not change
            assert_same_tree(earlier, then)


@given(depth_first(), st.booleans(), st.booleans(), st.data())
@settings(max_examples=examples(120), deadline=None)
def test_pieces_of_a_log_whose_nodes_come_in_any_order_are_the_log(
    lines: list[dict[str, Any]], between: bool, compile_it: bool, data: st.DataObject
) -> None:
    entries = {line["id"]: line for line in reversed(lines[1:])}
    again = [line for line in lines[1:] if line is not entries[line["id"]]]
    arrived = [*data.draw(st.permutations([*entries.values()])), *again, {"result": {"ply": "a1"}}]
    for result in data.draw(st.lists(st.sampled_from([{"score": 1.0}, None]), max_size=2)):
        arrived.insert(data.draw(st.integers(0, len(arrived))), {"result": result})
    come = [lines_of(line) for line in [lines[0], *arrived]]
    cuts = sorted(data.draw(st.lists(st.integers(1, len(come)), max_size=4)))
    pieces = [b"".join(come[a:b]) for a, b in pairwise([0, *cuts, len(come)]) if b > a]
    expected = tried(lambda: Tree(read_lines(b"".join(pieces))))
    found = tried(partial(followed, pieces, between=between, compile_it=compile_it))
    if isinstance(found, Tree) and isinstance(expected, Tree):
        assert_same_tree(found, expected)
    else:
        assert found == expected


@pytest.mark.parametrize("compile_it", [False, True])
def test_numbers_that_are_rounded_are_said_as_of_a_file(compile_it: bool) -> None:
    odd = 2**53 + 1
    nodes = [{"id": 0, "score": odd}, {"id": 1, "parent": 0, "score": odd + 2, "alpha": -odd}]
    pieces = [lines_of(each) for each in (HEADER, *nodes, {"id": 1, "score": 2}, {"result": None})]
    tree = followed(pieces, compile_it=compile_it, between=True)
    assert sum("rounded" in notice for notice in tree.log.notices) == 2
    assert_like_a_file(pieces, compile_it=compile_it, between=True)
    ours = lines_of({"plyscope": 1, "search": {"engine": "plyscope"}})
    assert_like_a_file([ours, *pieces[1:-1]], compile_it=compile_it)  # cut, and node 1 was left


def test_a_node_without_its_parent_hangs_below_an_open_node_until_that_comes() -> None:
    log = GrowingLog()
    log.take(lines_of({"id": 3, "parent": 1, "score": 1}, {"id": 4, "parent": 1, "score": 2}))
    tree = there(log.snapshot())
    assert (log.n_waiting, log.is_whole) == (2, False)
    assert tree.log.columns["id"].tolist() == [1, 3, 4]
    assert tree.log.columns["parent"].tolist() == [-1, 0, 0]
    assert "Still to come: the line of 1 parent (id 1), shown as an open node." in tree.log.notices
    log.take(lines_of({"id": 1, "score": 2}))
    tree = there(log.snapshot())
    assert (log.n_waiting, log.is_whole) == (0, True)
    assert tree.log.columns["id"].tolist() == [1, 3, 4]
    assert not any("Still to come" in notice for notice in tree.log.notices)
    log = GrowingLog()
    log.take(lines_of({"id": 3, "parent": 1}, {"id": 9, "parent": 8}))
    tree = there(log.snapshot())  # two parents that are missing stand below one open root
    assert (len(tree.log.roots), sorted(tree.log.columns["level"].tolist())) == (1, [0, 1, 1, 2, 2])


def test_texts_of_nodes_that_come_are_not_touched_while_a_snapshot_is_sealed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sealed(*given: Any, **options: Any) -> Any:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Texts, "of_values", None)
            return sealed_log(*given, **options)

    monkeypatch.setattr(growing_nodes, "sealed_log", sealed)
    (log := GrowingLog()).take(lines_of({"id": 0, "key": 7}, {"id": 1, "parent": 0, "key": "B"}))
    assert there(log.snapshot()).log.key_form == "text"


@pytest.mark.parametrize("parents", [["x"], ["x", "y"], [5, 6], [2**53 - 2, 2**53 - 3], [-7, "x"]])
def test_open_nodes_have_other_ids_than_nodes_of_the_log(parents: list[Any]) -> None:
    log = GrowingLog()
    own = [2**53 - 1, 2**53 - 4]
    log.take(lines_of(*({"id": node, "parent": above} for node, above in zip(own, parents, strict=False))))
    ids = there(log.snapshot()).log.columns["id"].tolist()
    assert len(set(ids)) == len(ids)
    assert {each for each in parents if type(each) is int} < {*ids}
    assert max(ids) < 2**53


WRONG = [
    *(b'{"id": 2, "parent": 0, "score": true}', b'{"id": 2, "parent": 0, "outcome": "cut"}', b"7"),
    *(b'{"id": 2, "parent": 0, ', b'{"id": 2.5}', b'{"id": 2, "children": []}', b'{"parent": 0}'),
    *(b'{"plyscope": 1}', b'{"id": 1, "parent": 1}', b'{"id": 99999999999999999999, "parent": 0}'),
]


@pytest.mark.parametrize("compile_it", [False, True])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_line_is_refused_as_in_a_file(wrong: bytes, compile_it: bool) -> None:
    before = lines_of(HEADER, {"id": 0}, {"id": 1, "parent": 0})
    after = wrong + b"\n" + lines_of({"id": 5, "parent": 0})
    with pytest.raises(LogError) as of_file:
        read_lines(before + after)
    log = GrowingLog()
    log.run = compiled if compile_it else None
    log.take(before)
    with pytest.raises(LogError) as error:
        log.take(after)
    assert (str(error.value), error.value.line) == (str(of_file.value), 4)
    parents = there(log.snapshot()).log.columns["parent"]
    assert parents[:2].tolist() == [-1, 0], "what came before is kept"


def test_what_is_wrong_with_the_whole_is_refused_as_in_a_file() -> None:
    for lines in (
        [{"id": 0, "parent": 1}, {"id": 1, "parent": 0}],
        [{"id": 0}, {"id": 1}],
        [{"id": 0, "outcome": "pruned"}, {"id": 1, "parent": 0}],
        [HEADER, {"id": 0, "player": "x"}],
    ):
        of_file = tried(lambda lines=lines: Tree(read_lines(lines_of(*lines))))
        (log := GrowingLog()).take(lines_of(*lines))
        refused = tried(partial(log.snapshot, is_final=True))
        assert isinstance(refused, str)
        assert refused == of_file or ("looks like a table" in str(of_file) and not log.is_whole)


@pytest.mark.parametrize("compile_it", [False, True])
def test_a_table_source_that_comes_later_is_found(compile_it: bool) -> None:
    log = GrowingLog()
    log.run = compiled if compile_it else None
    log.take(lines_of({"id": 0}))
    log.take(lines_of({"id": 1, "parent": 0, "tt": {"use": "cut", "from": 2}}))
    assert there(log.snapshot()).log.columns["tt_from"].tolist() == [-1, -2]
    log.take(lines_of({"id": 2, "parent": 0, "tt": {"use": "cut", "from": 77}}))
    last = there(log.snapshot(is_final=True)).log
    assert last.columns["tt_from"].tolist() == [-1, 2, -2]
    said = "`tt.from` of a table entry names no node of this log, such as 77"
    assert any(said in each for each in last.notices)
    # Of two sources in lines that come at once the last counts, though the earlier one comes later.
    (log := GrowingLog()).take(lines_of({"id": 0}, {"id": 1, "parent": 0}))
    log.take(lines_of({"id": 1, "tt": {"from": 9}}, {"id": 1, "tt": {"from": 0}}))
    log.take(lines_of({"id": 9, "parent": 0}))
    assert there(log.snapshot()).log.columns["tt_from"].tolist() == [-1, 0, -1]


KEYS = [("A", "B"), ("00000000000000aa", "00000000000000bb"), (7, 8), (7, "B")]


@pytest.mark.parametrize("compile_it", [False, True])
@pytest.mark.parametrize(("first", "other"), KEYS)
def test_what_is_stated_of_a_position_on_leaving_is_kept_beside_it(
    first: Any, other: Any, compile_it: bool
) -> None:
    records = [
        {"id": 0, "key": first, "position": "start"},
        {"id": 1, "parent": 0, "ply": "a", "key": first, "position": "a"},
        {"id": 1, "score": 1, "key": other, "position": "a"},
        {"id": 0, "score": 1, "key": first, "position": "other"},
    ]
    lines = [lines_of(record) for record in records]
    back = [lines_of({"id": 1, "key": first}), lines_of({"id": 0, "position": "start"})]
    for cut in (1, 2, 3, 4):
        pieces = [piece for piece in (b"".join(lines[:cut]), b"".join(lines[cut:])) if piece]
        assert_like_a_file(pieces, compile_it=compile_it)
        log = followed(pieces, compile_it=compile_it).log
        assert [log.text(int(code)) for code in log.columns["left_key"]] == [None, str(other)]
        assert [log.text(int(code)) for code in log.columns["left_position"]] == ["other", None]
        assert log.text(int(log.columns["position"][0])) == "start"
        assert_like_a_file([*pieces, *back], compile_it=compile_it)
        assert "left_key" not in followed([*pieces, *back], compile_it=compile_it).log.columns
