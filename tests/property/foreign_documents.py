"""Documents of others as hypothesis makes them: trees in one another, tables, graphs, maps in maps."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

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
        if labelled:
            below = [{name: child} for name, child in zip(draw(st.permutations("abcd")), below, strict=False)]
        if leaves is not None:
            below = [draw(leaves) if draw(st.booleans()) else child for child in below]
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
        row: dict[str, Any] = {name: of_id(number)}
        row |= {field: draw(FIELDS[field]) for field in names if draw(st.integers(0, 9))}
        if draw(st.integers(0, 9)):
            row[key] = below or draw(st.sampled_from([[], None, 0]))
        rows.append(row)
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
        edges: list[Any] = [[of_id(at), of_id(to)] for at, to in links]
        if form != "pairs":
            edges = [
                said() | {ends_of[0]: at, ends_of[1]: str(to) if draw(st.booleans()) else to}
                for at, to in edges
            ]
        if form == "edges" and draw(st.booleans()):  # as Cytoscape has them
            beside = draw(st.sampled_from([{}, {}, {"group": "x"}, {"score": 2}, {"id": 1}]))
            nodes = [{"data": node} | beside for node in nodes]
            edges = [{"data": edge} | draw(st.sampled_from([{}, {}, {"classes": "y"}])) for edge in edges]
            if draw(st.booleans()):
                elements = [*nodes, *edges]
                elements = draw(st.permutations(elements)) if draw(st.booleans()) else elements
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
            begun = {"nodeFrom": of_id(number)} if names_from else {}
            linked = [begun | {"nodeTo": of_id(to)} | said() for to in listed]
            node["adjacencies"] = [of_id(to) for to in listed] if plain else linked
        elif draw(st.booleans()):
            node["adjacencies"] = None
    return nodes


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
