"""A large foreign tree that is read by columns is the log of the patient reader, or it is left to that."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign import large_trees, sliced_outline
from plyscope.visualizer.formats.foreign.large_trees import read_large_tree
from plyscope.visualizer.formats.jsonlines import is_json_lines
from plyscope.visualizer.formats.large import scan
from plyscope.visualizer.store.log import Log
from tests.property.examples import examples
from tests.property.test_foreign import trees
from tests.unit.same_logs import assert_same

SHAPES = sorted((Path(__file__).parents[1] / "shapes").glob("*.json"))

NUMBERS = (
    st.integers(-9, 9)
    | st.floats(-9, 9).map(lambda value: round(value, 3))
    | st.sampled_from([None, "3", "-inf", "c6 1.5", 2**70, 1e-9, "", [], 1e308])
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "move": st.sampled_from(["c6", "d6", "e\u00e9", 7, [1, 2], {"from": "a1", "to": "b2"}, None, ""]),
    "name": st.sampled_from(["c6<br>score: 3", "d6<br>score: -1.5", "e6"]),
    "score": NUMBERS,
    "value": NUMBERS,
    "eval": NUMBERS,
    "depth": st.integers(0, 5),
    "visits": st.integers(0, 50),
    "isMax": st.booleans(),
    "player": st.sampled_from(["w", "b"]),
    "turn": st.sampled_from(["x", "o", 1]),
    "pruned": st.booleans(),
    "terminal": st.booleans(),
    "alpha": st.one_of(st.none(), st.integers(-9, 0), st.just("-inf")),
    "beta": st.one_of(st.none(), st.integers(0, 9)),
    "window": st.lists(st.one_of(st.none(), st.integers(-9, 9)), min_size=2, max_size=2),
    "bound": st.sampled_from(["exact", "LOWER", "alpha", 3]),
    "board": st.sampled_from(["xo./...", [["x", None], ["o", ""]], [1, 2, 3, 4]]),
    "factors": st.dictionaries(
        st.sampled_from(["corners", "edges", "\u00fc"]), st.integers(-3, 3), min_size=1
    ),
    "features": st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), NUMBERS, max_size=4)
    | st.lists(st.sampled_from([1.5, 2, None]), min_size=2, max_size=2),
    "breakdown": st.dictionaries(
        st.sampled_from(["a", "b"]), st.sampled_from([1, {"value": 2, "weight": 3}, {"value": 1}]), max_size=2
    ),
    "gr\u00f6\u00dfe": st.integers(0, 9),
    'a "quoted" name': st.integers(0, 9),
    "terms": st.lists(st.floats(-3, 3).map(lambda value: round(value, 2)), min_size=2, max_size=2),
    "id": st.integers(0, 99).map(str),
    "note": st.text(max_size=3) | st.lists(st.integers(), max_size=2) | st.floats(allow_nan=False),
}


@st.composite
def alike(draw: st.DrawFn) -> Any:
    """Trees whose nodes are alike: what programs write."""
    key = draw(st.sampled_from(["children", "moves", "xyz", "z\u00fcge"]))
    of_node = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=6, unique=True))
    of_data = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=4, unique=True))
    key_first = draw(st.booleans())
    labelled = draw(st.sampled_from([False, False, False, True]))
    leaves = draw(
        st.sampled_from([None, None, st.sampled_from("ef\u00fc"), st.sampled_from([3, -1.5, 2**70, None])])
    )
    plies = draw(
        st.sampled_from([None, None, "0123", ["a1", "\u00fc", "a", "quoted"], [*of_node, "x", "y", "z"]])
    )

    def node(levels: int) -> Any:
        below: Any = [node(levels - 1) for _ in range(draw(st.integers(0, 3)))] if levels else []
        if labelled or leaves is not None:
            below = [
                draw(leaves)
                if leaves is not None and draw(st.booleans())
                else {name: child}
                if labelled
                else child
                for name, child in zip(draw(st.permutations("abcd")), below, strict=False)
            ]
        if plies and not labelled and leaves is None and draw(st.integers(0, 9)):
            below = dict(zip(draw(st.permutations(plies)), below, strict=False))
        fields = {name: draw(FIELDS[name]) for name in of_node if draw(st.integers(0, 9))}
        if of_data:
            fields["data"] = {name: draw(FIELDS[name]) for name in of_data if draw(st.integers(0, 9))}
        held = {key: below} if below or draw(st.booleans()) else {}
        return held | fields if key_first else fields | held

    tree: Any = node(draw(st.integers(1, 4)))
    if labelled and draw(st.booleans()):
        return {"Root": tree}
    for outer in draw(st.lists(st.sampled_from(["tree", "search", "a b", "\u00fc"]), max_size=2)):
        tree = {"game": "go", outer: tree, "weights": {"corners": 2}}
    return [tree, node(2)] if draw(st.integers(0, 4)) == 0 else tree


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows that name their parents, in any order."""
    n_rows = draw(st.integers(2, 12))
    names = draw(st.lists(st.sampled_from(sorted({*FIELDS} - {"id"})), max_size=5, unique=True))
    of_id = draw(st.sampled_from([int, str, "n{}".format]))
    name, parent = draw(st.sampled_from([("id", "parent"), ("node", "parentId"), ("key", "pid")]))
    rows = []
    for number in range(n_rows):
        above = draw(st.integers(0, max(number - 1, 0)))
        is_root = number == 0 or draw(st.integers(0, 9)) == 0
        rows.append(
            {name: of_id(number), parent: draw(st.sampled_from([None, ""])) if is_root else of_id(above)}
            | {field: draw(FIELDS[field]) for field in names if draw(st.integers(0, 9))}
        )
    if draw(st.integers(0, 5)) == 0:  # parents by their places
        return [
            {key: value for key, value in row.items() if key not in (name, parent)}
            | {parent: draw(st.integers(-1, place - 1 if draw(st.integers(0, 20)) else place))}
            for place, row in enumerate(rows)
        ]
    return draw(st.permutations(rows)) if draw(st.booleans()) else rows


@st.composite
def listings(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows that list their children, most of them a tree."""
    n_rows = draw(st.integers(2, 9))
    names = draw(st.lists(st.sampled_from(sorted({*FIELDS} - {"id", "name"})), max_size=4, unique=True))
    of_id = draw(st.sampled_from([int, str, "n{}".format]))
    name, key = draw(st.sampled_from([("id", "children"), ("key", "moves"), ("name", "kids")]))
    links = [(draw(st.integers(0, number - 1)), number) for number in range(1, n_rows)]
    if draw(st.integers(0, 3)) == 0:
        ends = st.integers(0, n_rows - draw(st.integers(0, 1)))
        links += draw(st.lists(st.tuples(ends, ends).map(sorted), max_size=3))
    rows = []
    for number in range(n_rows):
        below = [draw(st.sampled_from([of_id(to), str(of_id(to))])) for at, to in links if at == number]
        row = {name: of_id(number)} | {
            field: draw(FIELDS[field]) for field in names if draw(st.integers(0, 9))
        }
        rows.append(
            row | ({key: below or draw(st.sampled_from([[], None, 0]))} if draw(st.integers(0, 9)) else {})
        )
    return draw(st.permutations(rows)) if draw(st.booleans()) else rows


OF_EDGES: dict[str, st.SearchStrategy[Any]] = {
    "move": st.sampled_from(["c6", "d6", "c6", "", 7, None]),
    "label": st.sampled_from(["c6", "e\u00e9", {"san": "d6"}, [1, 2], 1.5]),
    "data": st.sampled_from([{}, {"$color": "#557EAA"}, {"weight": 2, "z": [1, {}]}, None]),
    "weight": st.sampled_from([0, 1, 0.30000000000000004, 1e-9, "", "c6"]),
    "key": st.integers(0, 1),
    "arrows": st.just("to"),
    "to": st.just("x"),
    "note": st.sampled_from([False, [], {"a": 1}, "\u00fc", None]),
}


@st.composite
def graphs(draw: st.DrawFn) -> Any:
    """Graphs that are trees or nearly: the toolkit's, nodes and edges, or lists of what nodes lead to."""
    n_nodes = draw(st.integers(1, 9))
    names = draw(st.lists(st.sampled_from(sorted({*FIELDS} - {"id"})), max_size=4, unique=True))
    of_id = draw(st.sampled_from([int, str, "n{}".format, "\u00fc{}".format]))
    shuffled = draw(st.permutations(range(n_nodes))) if draw(st.booleans()) else list(range(n_nodes))
    links = [(draw(st.integers(0, number - 1)), number) for number in range(1, n_nodes)]
    if draw(st.booleans()):  # some that are no part of a tree, or lead nowhere
        ends = st.integers(0, draw(st.sampled_from([n_nodes - 1, n_nodes - 1, n_nodes, n_nodes + 1])))
        links += draw(st.lists(st.tuples(ends, ends).map(sorted), min_size=1, max_size=4))
    links = draw(st.permutations(links))
    form = draw(st.sampled_from(["jit", "edges", "edges", "pairs", "adjacency"]))
    id_name = "id" if form in ("jit", "adjacency") else draw(st.sampled_from(["id", "key", "name", "_gvid"]))
    nodes = [
        {id_name: of_id(number)} | {field: draw(FIELDS[field]) for field in names if draw(st.integers(0, 9))}
        for number in shuffled
    ]
    of_edges = draw(st.lists(st.sampled_from(sorted(OF_EDGES)), max_size=3, unique=True))

    def said() -> dict[str, Any]:
        return {name: draw(OF_EDGES[name]) for name in of_edges if draw(st.integers(0, 4))}

    if form != "jit":
        ends_of = draw(st.sampled_from([("source", "target"), ("from", "to"), ("tail", "head")]))
        edges: list[Any] = [
            [of_id(at), of_id(to)]
            if form == "pairs"
            else said()
            | {ends_of[0]: of_id(at), ends_of[1]: str(of_id(to)) if draw(st.booleans()) else of_id(to)}
            for at, to in links
        ]
        if form == "edges" and draw(st.booleans()):  # as Cytoscape has them
            beside = draw(st.sampled_from([{}, {}, {"group": "x"}, {"score": 2}, {"id": 1}]))
            nodes = [{"data": node} | beside for node in nodes]
            edges = [{"data": edge} | draw(st.sampled_from([{}, {}, {"classes": "y"}])) for edge in edges]
            if draw(st.booleans()):
                elements = (
                    draw(st.permutations([*nodes, *edges])) if draw(st.booleans()) else [*nodes, *edges]
                )
                return elements if draw(st.booleans()) else {"zoom": 1, "elements": elements}
        if form == "adjacency":
            edges = [[said() | {"id": of_id(to)} for at, to in links if at == number] for number in shuffled]
        lists = [(draw(st.sampled_from(["nodes", "vertices"])), nodes)]
        lists += [("adjacency" if form == "adjacency" else "edges", edges)]
        around = draw(st.sampled_from([{}, {"game": "go"}, {"directed": False}, {"weights": {"corners": 2}}]))
        return dict(draw(st.permutations([*lists, *around.items()])))
    plain, names_both, names_from = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    for node, number in zip(nodes, shuffled, strict=True):
        listed = [to for at, to in links if at == number]
        listed += [at for at, to in links if to == number] if names_both else []
        if listed or draw(st.booleans()):
            node["adjacencies"] = [
                of_id(to)
                if plain
                else ({"nodeFrom": of_id(number)} if names_from else {}) | {"nodeTo": of_id(to)} | said()
                for to in listed
            ]
        elif draw(st.booleans()):
            node["adjacencies"] = None
    return nodes


@settings(max_examples=examples(400), deadline=None)
@given(
    graphs(),
    st.sampled_from([[], [], ["graph"], ["a b", "\u00fc"]]),
    st.sampled_from([(",", ":"), (", ", ": ")]),
)
def test_a_graph_is_read_by_columns_as_node_by_node(
    document: Any, keys: list[str], separators: tuple[str, str]
) -> None:
    for key in keys:
        document = {"seed": 3, key: document, "by": {"name": "me"}}
    check(json.dumps(document, separators=separators).encode(), compile_it=False)


def test_most_graphs_that_are_trees_are_read_by_columns() -> None:
    draw = random.Random(3)
    links = [(draw.randrange(number), number) for number in range(1, 700)]
    draw.shuffle(links)
    edges = [{"from": at, "to": str(to), "move": f"m{to % 9}"} for at, to in links]
    nodes: list[dict[str, Any]] = [{"key": number, "score": number % 19} for number in range(700)]
    log = check(json.dumps({"edges": edges, "nodes": nodes, "game": "go"}).encode(), compile_it=True)
    assert log is not None
    assert log.header["game"] == "go"
    jit = [{"id": f"n{node['key']}", "name": "c6", "data": node, "adjacencies": []} for node in nodes]
    for at, to in links:
        jit[at]["adjacencies"] += [f"n{to}"]
        jit[to]["adjacencies"] += [{"nodeTo": f"n{to}", "nodeFrom": f"n{at}", "data": {}}]
    draw.shuffle(jit)
    assert check(json.dumps(jit).encode(), compile_it=True) is not None


@settings(max_examples=examples(300), deadline=None)
@given(
    tables() | listings(), st.sampled_from(["list", "wrapped", "lines", "map", "map with ids", "wrapped map"])
)
def test_a_table_is_read_by_columns_as_row_by_row(rows: list[dict[str, Any]], form: str) -> None:
    if form == "lines":
        check("\n".join(map(json.dumps, rows)).encode(), compile_it=False)
    elif "map" in form:
        name = next(
            (name for name in ("id", "node", "key", "name") if all(name in row for row in rows)), None
        )
        keys = [str(place if name is None else row[name]) for place, row in enumerate(rows)]
        own = rows if "ids" in form else [{k: row[k] for k in row if k != name} for row in rows]
        document = dict(zip(keys, own, strict=True))
        check(
            json.dumps({"game": "go", "nodes": document} if "wrap" in form else document).encode(),
            compile_it=False,
        )
    else:
        document = rows if form == "list" else {"game": "go", "nodes": rows}
        check(json.dumps(document).encode(), compile_it=False)


@settings(max_examples=examples(400), deadline=None)
@given(alike() | trees(), st.sampled_from([(",", ":"), (", ", ": ")]))
def test_a_tree_is_read_by_columns_as_node_by_node(document: Any, separators: tuple[str, str]) -> None:
    check(json.dumps(document, separators=separators).encode(), compile_it=False)
    check(json.dumps(document, separators=separators, ensure_ascii=False).encode(), compile_it=False)


@pytest.mark.parametrize("form", ["treelib", "names", "numbers"])
def test_children_that_are_named_or_nothing_but_a_text_or_a_number(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """treelib's `to_dict` with data and without, and scores in the place of leaves."""
    monkeypatch.setattr(scan, "NODES", 64)
    monkeypatch.setattr(large_trees, "STARTS", (2**10, 2**12))

    def node(levels: int, number: int) -> Any:
        if not levels and form == "numbers":
            return number % 7
        below = [node(levels - 1, 9 * number + at) for at in range(9)] if levels else []
        own = {"children": below} if below else {}
        if form == "numbers":
            return {"move": f"m{number}"} | own
        if form == "names" and not levels:
            return f"m{number}"
        return {f"m{number}": own | ({"data": {"score": number % 7}} if form == "treelib" else {})}

    text = json.dumps(node(4, 0))
    log = check(text.encode(), compile_it=True)
    assert log is not None
    assert log.n_rows == 1 + 9 + 81 + 729 + 6_561
    assert (log.columns["score"][-1] == 6_560 % 7) == (form != "names")
    table = json.dumps([{"move": "c6", "children": [at + 1] if at < 99 else []} for at in range(100)])
    assert check(table.encode(), compile_it=True) is None


@pytest.mark.parametrize("said", ["iteration", "note"])
def test_a_forest_of_many_roots_is_read_by_columns(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "NODES", 64)
    monkeypatch.setattr(large_trees, "STARTS", (2**10, 2**12))
    roots = [{"move": f"m{at % 9}", said: 3 * at, "kids": [{"score": at % 5}] * 2} for at in range(3_000)]
    log = check(json.dumps(roots).encode(), compile_it=True)
    assert log is not None
    assert log.roots[1].iteration == (3 if said == "iteration" else 2)
    rows = [{"id": at, "parent": at - 1 if at % 3 else None, "score": at % 5} for at in range(9_000)]
    assert check(json.dumps(rows).encode(), compile_it=True) is not None


@st.composite
def maps(draw: st.DrawFn) -> Any:
    """Trees in which every object in a node is a child, most of them."""
    names = draw(
        st.sampled_from([["left", "right"], ["yes", "no"], ["a1", "b1", "\u00fc"], ["0", "1", "info", "a"]])
    )
    is_pure = draw(st.booleans())
    of_node = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=3, unique=True))
    ends = st.sampled_from([3, -1.5, 2**70, {}, {}, None, "3"]) if is_pure else st.sampled_from([{}, None])

    def said() -> dict[str, Any]:
        if is_pure:
            told = draw(st.lists(st.sampled_from(["score", "visits", "value"]), max_size=2, unique=True))
            return {name: draw(st.integers(0, 9)) for name in told} if draw(st.integers(0, 2)) == 0 else {}
        return {name: draw(FIELDS[name]) for name in of_node if draw(st.integers(0, 5))}

    def node(levels: int) -> Any:
        below = {name: node(levels - 1) for name in draw(st.permutations(names))} if levels else {}
        below = {
            name: draw(ends) if inner == {} and draw(st.booleans()) else inner
            for name, inner in below.items()
        }
        return below | said() if draw(st.booleans()) else said() | below

    tree = node(draw(st.integers(1, 3)))
    around = draw(st.sampled_from([None, None, {"root": tree}, {"game": "go", "tree": tree}, {"tree": tree}]))
    return tree if around is None else around


@settings(max_examples=examples(400), deadline=None)
@given(maps(), st.sampled_from([(",", ":"), (", ", ": ")]), st.booleans())
def test_maps_in_maps_are_read_by_columns_as_node_by_node(
    document: Any, separators: tuple[str, str], escaped: bool
) -> None:
    check(json.dumps(document, separators=separators, ensure_ascii=escaped).encode(), compile_it=False)


@pytest.mark.parametrize(
    ("form", "around"),
    [
        ("numbers", "%s"),
        ("numbers", '{"root":%s}'),
        ("scores", "%s"),
        ("sides", '{"root":%s}'),
        ("sides", '{"game":"go","tree":%s}'),
    ],
)
def test_large_maps_in_maps_are_read_by_columns(
    form: str, around: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their first plies recur below, and what they are is said by a sketch, whose members are cut."""
    monkeypatch.setattr(scan, "NODES", 64)
    monkeypatch.setattr(large_trees, "STARTS", (2**10, 2**12))
    monkeypatch.setattr(large_trees, "SKETCH", 2**12)
    names = ("left", "right") if form == "sides" else ("a1", "b1", "c1")

    def node(levels: int, number: int) -> Any:
        if form == "numbers" and not levels:
            return number % 7
        below = {name: node(levels - 1, 3 * number + at) for at, name in enumerate(names)} if levels else {}
        if form == "numbers":
            return below
        fields = {"score": number % 7, "info": {"nodes": number, "note": "x"}}
        return fields | (below or (dict.fromkeys(names) if form == "sides" else {}))

    text = around % json.dumps(node(9 if form == "sides" else 6, 0))
    log = check(text.encode(), compile_it=True)
    assert log is not None
    assert log.n_rows == (1_023 if form == "sides" else 1_093)
    if form == "numbers":  # a text among the numbers, a name twice, a reply that is called as a field
        for wrong in ('"c1": "x"', '"a1": 3', '"score": 3'):
            at = text.rindex('"c1": ')
            odd = text[:at] + wrong + text[text.index("}", at) :]
            assert read_large_tree(odd.encode(), compile_it=True) is None


@pytest.mark.parametrize("beside", [{"edges": [{"source": 1, "target": 2}]}, {"kids": [{"kids": [{}]}]}, {}])
def test_fields_of_the_root_behind_its_children_count(
    beside: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of `nodes` is a graph where the same object has `edges`, however far behind them."""
    monkeypatch.setattr(scan, "NODES", 64)
    monkeypatch.setattr(large_trees, "STARTS", (2**12,))
    nodes = [{"id": n, "move": f"m{n % 9}", "score": n % 5} for n in range(500)]
    log = check(json.dumps({"score": 1, "nodes": nodes} | beside).encode(), compile_it=False)
    assert (log is None) == ("kids" in beside)


def test_children_by_ply_are_read_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "NODES", 64)

    def node(levels: int) -> dict[str, Any]:
        below = {f"{'abc'[at]}{levels}": node(levels - 1) for at in range(3)} if levels else {}
        return {"score": levels, "moves": below, "factors": {"mobility": levels, "edges": -1}}

    log = check(json.dumps({"search": node(6), "seconds": 3}).encode(), compile_it=True)
    assert log is not None
    assert [log.texts[code] for code in log.columns["ply"][1:4]] == ["a6", "a5", "a4"]
    assert log.contribution_names == ("mobility", "edges")
    twice = b'{"score":1,"children":{"a":{"score":1},"a":{"score":2}}}'
    assert read_large_tree(twice, compile_it=False) is None
    assert (
        read_large_tree(twice.replace(b'"a":{"score":2', b'"\\u0061":{"score":2'), compile_it=False) is None
    )


@pytest.mark.parametrize("n_names", [40, 90])
@pytest.mark.parametrize("odd", [None, '{"score":1,"a":1,"a":2}', '{"score":1,}', "{}"])
def test_objects_that_are_looked_into_while_scanning_may_be_irregular(
    odd: str | None, n_names: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is room for 62 names in them; of more, and of syntax errors, they are taken as wholes."""
    monkeypatch.setattr(scan, "NODES", 64)
    of_data = [{"score": n % 7, f"k{n % n_names}": 1.5 + n, "why": 0.1 + 0.2} for n in range(300)]
    kids = [{"data": data, "note": 1e-7} for data in of_data]
    text = json.dumps({"data": {"score": 1}, "kids": [*kids, {"kids": [{"kids": []}]}]})
    whole = check(text.encode(), compile_it=False)
    assert whole is not None
    assert whole.columns["score"][5] == 4
    if odd is not None:
        cut = text.rindex('{"score"')
        log = read_large_tree(
            (text[:cut] + odd + text[text.index("}", cut) + 1 :]).encode(), compile_it=False
        )
        assert (log is None) == (odd != "{}")


@pytest.mark.parametrize("path", SHAPES, ids=lambda path: path.name)
def test_documents_of_others_are_read_alike(path: Path) -> None:
    check(path.read_bytes(), compile_it=True)


@pytest.mark.parametrize("kept", [sliced_outline.MOST_KEPT, 1000])
@pytest.mark.parametrize("key_first", [False, True])
def test_a_tree_of_many_pieces_is_read_alike(
    key_first: bool, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "NODES", 64)
    monkeypatch.setattr(sliced_outline, "MOST_KEPT", kept)
    draw = random.Random(5)

    def node(levels: int) -> Any:
        number = draw.random()
        fields = {
            "move": f"m{draw.randrange(99)}",
            "score": round(number, 3),
            "isMax": levels % 2 == 0,
            "data": {"corners": draw.randrange(9), "depth": levels, "note": "x" if number < 0.1 else None},
        }
        below = {"kids": [node(levels - 1) for _ in range(draw.randrange(2, 5))]} if levels else {}
        return below | fields if key_first else fields | below

    text = json.dumps({"tree": node(8), "around": [1, 2]}).encode()
    log = check(text, compile_it=True)
    assert log is not None
    assert log.n_rows > 5_000


@pytest.mark.parametrize(
    ("around", "n_searches"),
    [
        ("%s", 2),
        ('{"tree": \n %s } \n', 2),
        ('{"a": ["}"], "tree": %s\n}', 2),
        ('{"tree": %s, "game": "mine"}', 3),
    ],
)
def test_the_tree_is_looked_for_while_the_rest_is_scanned(
    around: str, n_searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the start, and behind the first nodes; once more where something else than brackets follows."""
    monkeypatch.setattr(scan, "NODES", 64)
    monkeypatch.setattr(sliced_outline, "SAMPLE", 100)
    monkeypatch.setattr(large_trees, "STARTS", (2**11,))
    searched = []
    find = large_trees.find_tree
    monkeypatch.setattr(large_trees, "find_tree", lambda *given: searched.append(1) or find(*given))
    nodes = [{"move": f"m{n % 9}", "score": n % 5, "kids": [{"score": n % 5}]} for n in range(500)]
    log = check((around % json.dumps({"score": 1, "kids": nodes})).encode(), compile_it=False)
    assert log is not None
    assert len(searched) == n_searches


def check(text: bytes, *, compile_it: bool) -> Log | None:
    """The log that is read by columns, which is that of the patient reader; None where it is left to that."""
    if is_json_lines(text):
        return None
    log = read_large_tree(text, compile_it=compile_it)
    with suppress(LogError):
        patient = read_log(text)
        if log is not None:
            assert_read_alike(log, patient)
        return log
    assert log is None
    return None


def assert_read_alike(log: Log, patient: Log) -> None:
    """The logs are the same, and so is what is said of them."""
    assert_same(log, patient)
    assert log.notices == patient.notices
    assert (dict(log.mapping), log.shape, log.fields) == (
        dict(patient.mapping),
        patient.shape,
        patient.fields,
    )


def test_a_table_of_many_pieces_is_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "NODES", 64)
    draw = random.Random(7)
    rows = [
        {"id": f"n{number}", "parent": f"n{draw.randrange(number)}" if number else None, "value": number % 19}
        for number in range(9_000)
    ]
    assert check(json.dumps(rows).encode(), compile_it=True) is not None
    draw.shuffle(rows)
    assert check(json.dumps(rows).encode(), compile_it=True) is not None
    by_id = {row["id"]: {name: row[name] for name in row if name != "id"} for row in rows}
    assert check(json.dumps({"tree": by_id}).encode(), compile_it=True) is not None
    lists: dict[str, Any] = {key: {"children": [], "value": 3} for key in by_id}
    for key, row in by_id.items():
        if row["parent"]:
            lists[row["parent"]]["children"].append(key)
    assert check(json.dumps(lists).encode(), compile_it=True) is not None
    lines = "\n".join(json.dumps(row) for row in rows).replace('"id"', '"node"')
    assert check(lines.encode(), compile_it=True) is not None


def test_weights_are_those_that_the_first_node_of_the_tree_states() -> None:
    """Rows stand in another order than nodes."""
    rows: list[dict[str, Any]] = [{"id": 0, "parent": None}, {"id": 1, "parent": None, "breakdown": {"a": 1}}]
    rows += [{"id": 2, "parent": 0, "breakdown": {"a": {"value": 2, "weight": 3}, "b": 1}}]
    log = check(json.dumps(rows).encode(), compile_it=False)
    assert log is not None
    assert log.header["factors"][0] == {"name": "a", "weight": 3}


def test_most_trees_that_programs_write_are_read_by_columns() -> None:
    taken = [read_large_tree(path.read_bytes(), compile_it=False) is not None for path in SHAPES]
    assert sum(taken) > 10
    assert large_trees.STARTS[0] < large_trees.MOST_BYTES


@pytest.mark.parametrize("data", [b"", b"  \n", b"[", b" [ ", b'{"elements":[', b'{"elements":'])
def test_what_ends_before_a_tree_begins_is_left_to_the_patient_reader(data: bytes) -> None:
    assert read_large_tree(data, compile_it=False) is None
