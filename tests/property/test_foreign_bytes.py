"""Any document becomes a log or is refused in words, and from its bytes the log that its values give.

Little of each document is looked at before it is read by the tape, so that most of it lies behind.
"""

from __future__ import annotations

import json
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.find.probe import NAMES
from plyscope.visualizer.formats.foreign.meaning import names
from plyscope.visualizer.formats.foreign.meaning.mapping import ROLES
from plyscope.visualizer.formats.foreign.reader import read_bytes, read_foreign
from plyscope.visualizer.store.log import Log
from tests.property.examples import examples
from tests.property.foreign_documents import alike, graphs, listings, maps, tables
from tests.unit.logs import there
from tests.unit.same_logs import assert_same, extras

GUESSED = [*NAMES[:6], *(name for kind in (names.SCORES, names.LAYERS, names.PLAYERS) for name in kind[:3])]
GUESSED += [name for kind in (names.FACTORS, names.PLIES, names.DEPTHS, names.VISITS) for name in kind[:2]]
OTHERS = ["alpha", "beta", "window", "pruned", "terminal", "board", "fen", "flag", "weights", "iteration",
          "id", "parent", "adjacencies", "nodeTo", "nodes", "edges", "source", "target", "data", "elements",
          "left", "right", "e4", "_children", "a.b", "tree", "root", "*", ""]  # fmt: skip
KEYS = st.sampled_from(sorted({*GUESSED, *OTHERS}))
ODD = [2**70, -(10**400), float("inf"), float("nan"), 0.5, "", "a", "max", "3", "c6 1.5", "id"]
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(ODD)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@st.composite
def trees(draw: st.DrawFn) -> Any:
    """Objects with a children field, so that most documents get as far as being guessed."""
    key = draw(st.sampled_from(["children", "moves", "next", "xyz"]))
    node = st.dictionaries(KEYS, DOCUMENTS, max_size=4)
    tree = node
    for _ in range(draw(st.integers(1, 3))):
        tree = st.builds(lambda fields, below: {**fields, key: below}, node, st.lists(tree, max_size=3))
    return draw(tree)


@settings(max_examples=examples(300), deadline=None)
@given(DOCUMENTS | trees())
@example({"_children": [-(10**400)], "children": []})
def test_any_document_is_a_log_or_refused_in_words(document: Any) -> None:
    try:
        log = read_foreign(document)
    except LogError:
        return
    assert log.n_rows > 0
    assert log.shape != ""
    assert any(notice.startswith("Read as ") for notice in log.notices)
    assert set(log.mapping) <= set(ROLES)


@settings(max_examples=examples(150), deadline=None)
@given(trees(), st.dictionaries(st.sampled_from(ROLES), KEYS | st.just(""), max_size=3))
def test_any_mapping_is_followed_or_refused_in_words(document: Any, mapping: dict[str, str]) -> None:
    try:
        log = read_foreign(document, mapping=mapping)
    except LogError:
        return
    for role, field in mapping.items():
        assert log.mapping.get(role, "") == field or role in ("children", "layer")


# By the tape

HEAD = 2**13
SEPARATORS = st.sampled_from([(",", ":"), (", ", ": ")])
MISSING = st.just(0) | st.integers(0, 2**13)
"""The bytes that a document lacks at its end, if it has more."""


def check(text: bytes, missing: int = 0, head: int = HEAD) -> Log | None:
    """The log that the bytes make, which is that of the values; None where a reader of literals is to tell.

    That reader then tells what it is that the bytes are not.
    """
    text = text[: len(text) - missing % len(text)]
    log = read_bytes(TapeDocument(text, head=head))
    with suppress(LogError):
        known = read_log(text)
        if log is not None:
            assert_same(log, known)
            assert log.notices == known.notices
            said = dict(known.mapping), known.shape, known.fields
            assert (dict(log.mapping), log.shape, log.fields) == said
        return log
    assert log is None
    return None


@settings(max_examples=examples(150), deadline=None)
@given(
    graphs(),
    st.sampled_from([[], [], ["graph"], ["a b", "\u00fc"]]),
    SEPARATORS,
    MISSING,
)
@example(
    {"elements": [{"data": {"name": 0}}, {"data": {"name": 1}}, {"data": {"source": 0, "target": 1}}]},
    [],
    (",", ":"),
    0,
)
def test_a_graph(document: Any, keys: list[str], separators: tuple[str, str], missing: int) -> None:
    for key in keys:
        document = {"seed": 3, key: document, "by": {"name": "me"}}
    check(json.dumps(document, separators=separators).encode(), missing)


@settings(max_examples=examples(150), deadline=None)
@given(
    tables() | listings(), st.sampled_from(["list", "wrapped", "map", "map with ids", "wrapped map"]), MISSING
)
def test_a_table(rows: list[dict[str, Any]], form: str, missing: int) -> None:
    document: Any = rows
    if "map" in form:
        name = next((name for name in ("id", "node", "key", "name") if all(name in row for row in rows)), "")
        keys = [str(row.get(name, place)) for place, row in enumerate(rows)]
        own = rows if "ids" in form else [{k: row[k] for k in row if k != name} for row in rows]
        document = dict(zip(keys, own, strict=True))
    if "wrapped" in form:
        document = {"game": "go", "nodes": document}
    check(json.dumps(document).encode(), missing)


@settings(max_examples=examples(200), deadline=None)
@given(alike() | trees() | maps(), SEPARATORS, st.booleans(), MISSING)
@example({"found": float("inf"), "children": [{}]}, (",", ":"), False, 0)
@example({"id": None, "parent": None, "moves": [{"moves": [{}]}]}, (",", ":"), False, 0)
@example({"children": [{"_children": [{"": None, "children": None}]}]}, (",", ":"), False, 0)
def test_a_tree(document: Any, separators: tuple[str, str], escaped: bool, missing: int) -> None:
    check(json.dumps(document, separators=separators, ensure_ascii=escaped).encode(), missing)


def cut_anywhere(document: Any, draw: random.Random, n: int) -> list[Log]:
    """The logs of a document that ends at some places within it."""
    text = json.dumps(document).encode()
    logs = [
        read_bytes(TapeDocument(text[: draw.randrange(len(text) // 3, len(text))], head=HEAD))
        for _ in range(n)
    ]
    return [log for log in logs if log is not None]


def test_a_document_that_was_cut_is_read_up_to_its_end() -> None:
    def node(levels: int) -> dict[str, Any]:
        below = {f"{'abc'[at]}{levels}": node(levels - 1) for at in range(3)} if levels else {}
        return {"score": levels, "replies": below, "more": {"depth": levels, "z": [{}]}}

    draw = random.Random(6)
    document = {"search": node(5), "by": "me"}
    whole = read_log(json.dumps(document).encode())
    logs = cut_anywhere(document, draw, 30)
    assert len(logs) == 30
    for log in logs:
        assert log.notices[0].startswith("The log is cut short (line 1, column ")
        n = log.n_rows - 1
        assert log.columns["score"][:n].tolist() == whole.columns["score"][:n].tolist()
        assert log.columns["parent"][:n].tolist() == whole.columns["parent"][:n].tolist()
        is_open = whole.columns["end"][:n] > log.n_rows
        assert (log.columns["outcome"][:n][is_open] != 0).all()
    rows = [{"id": at, "parent": at // 3 if at else None, "score": at} for at in range(300)]
    for log in cut_anywhere(rows, draw, 30):
        assert set(log.columns["score"].tolist()) >= set(range(log.n_rows - 1))


def test_a_document_of_many_members_has_little_in_its_first_part() -> None:
    """Its root comes late, its weights are those of the root, and it has more nodes than a sample."""
    draw = random.Random(3)
    links = [(draw.randrange(number), number) for number in range(1, 7_000)]
    draw.shuffle(links)
    edges = [{"from": at, "to": str(to), "move": f"m{to % 9}"} for at, to in links]
    nodes: list[dict[str, Any]] = [{"key": number, "score": number % 19} for number in range(7_000)]
    for is_directed in (True, False):
        graph = {"directed": is_directed, "edges": edges, "nodes": nodes, "game": "go"}
        assert check(json.dumps(graph).encode()) is not None
    rows: list[dict[str, Any]] = [{"id": 0, "parent": None}, {"id": 1, "parent": None, "breakdown": {"a": 1}}]
    rows += [{"id": 2, "parent": 0, "breakdown": {"a": {"value": 2, "weight": 3}, "b": 1}}]
    log = there(check(json.dumps(rows).encode()))
    assert log.header["factors"][0] == {"name": "a", "weight": 3}
    roots = [{"move": f"m{at % 9}", "note": 3 * at, "kids": [{"score": at % 5}] * 2} for at in range(3_000)]
    assert check(json.dumps(roots).encode()) is not None


@pytest.mark.parametrize("first", ["xo./...", [["x", None], ["o", ""]]])
def test_lists_and_objects_are_kept_that_are_no_boards_but_were_taken_for_some(first: Any) -> None:
    """In the head all boards are boards, in the whole document few of them are."""
    boards = [first if at < 9 else [at] if at % 2 else {"is": at} for at in range(60)]
    rows = [{"id": at, "parent": 0 if at else None, "board": board} for at, board in enumerate(boards)]
    log = there(check(json.dumps(rows).encode(), head=300))
    assert (log.mapping.get("board"), extras(log, 59)["board"]) == (None, [59])


@pytest.mark.parametrize(
    ("children", "n_rows"),
    [
        ([["e4", {"x": [[0], 1]}], [{"row": 1, "col": 2}, {"x": [[]], "children": [["d5", 2]]}]], 6),
        ([[{"score": 3}, "e4"], [{"score": 5}, 7]], 5),
        ([["e4", 3], ["d4", 2]], 5),
        ([["e4", {"score": 3}], ["d4", {"score": 1, "children": [[1, 2, 3], [4], [5]]}]], 3),
        ([["e4", {"score": 3}], ["d4", 2, 7]], 5),
        ([[], [1]], 3),
    ],
)
def test_lists_of_two_are_nodes_where_most_of_them_are(children: list[Any], n_rows: int) -> None:
    below = [{"score": 2}, {"score": 0, "children": children}]
    log = there(check(json.dumps({"score": 1, "children": below}).encode()))
    assert log.n_rows == n_rows
    said = " ".join(log.notices)
    assert (n_rows == 3) == ("kept as it is" in said)
    assert ("left out" in said) == (7 in children[-1] and len(children[-1]) == 3)


def test_what_no_node_can_be_is_said() -> None:
    log = there(check(b'{"score":1,"children":[{"score":2,"children":[{"score":3},true]},{"score":3}]}'))
    assert log.n_rows == 4
    said = '1 value under "children" left out, being no node (the first, below $.children[0]: true).'
    assert log.notices[-1] == said


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"  \n",
        b"[",
        b'{"elements":',
        b"[1,2,3]",
        b'{"kids":[{"v":1,"v":2},{"v":3}]}',
        b'{"score":1,"children":{"a":{"score":1},"a":{"score":2}}}',
        b'{"score":1,"children":{"a":{"score":1},"\\u0061":{"score":2}}}',
        b'{"root":{"score":1,"children":[{"score":2}]},"pl\\u0079scope":1}',
        b'[{"id":"n1","adjacencies":["n2"]},{"id":"n2","adjacencies":[{"nodeTo":"n1","data":nul}]}]',
        b"nothing",
    ],
)
def test_what_is_no_tree_or_no_json_is_left_to_who_tells_the_place(text: bytes) -> None:
    assert read_bytes(TapeDocument(text)) is None
