"""Native documents for hypothesis: any tree, any fields, and what a written document says in other views."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from plyscope.visualizer.store import words
from plyscope.visualizer.store.fields import FIELDS, NATIVE, OF_NODES, Field

numbers = st.one_of(
    st.floats(width=64),
    st.integers(-(2**53), 2**53),
    st.sampled_from([0.1, 1e300, 5e-324]),
).map(lambda value: value if value == value and abs(value) != float("inf") else {True: "nan"}.get(
    value != value, "inf" if value > 0 else "-inf"))  # fmt: skip
finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PLAYERS = ["black", "white"]
FACTORS = ["mobility", "corners"]
IN_HEADER = [
    {"name": "mobility", "weight": 1.5, "meaning": "Legal plies."},
    {"name": "corners", "weight": 1.5, "x": 1},
]


BITS = 16
"""Of a number that says which fields there are: few, since hypothesis prefers small ones of large ranges."""


@st.composite
def some_of(draw: st.DrawFn, fields: Mapping[str, st.SearchStrategy[Any]]) -> dict[str, Any]:
    """Any of the fields, in any order, few or most.

    Bits say which, and a seed says in which order: `fixed_dictionaries` makes three choices a field for that,
    which were most of the time that documents took.
    """
    n_draws, is_most = draw(st.sampled_from([(1, False), (2, False), (4, False), (2, True)]))
    names: list[str] = []
    for at in range(0, len(fields), BITS):
        bits = -1
        for _ in range(n_draws):  # each halves them
            bits &= draw(st.integers(0, 2**BITS - 1))
        some = [*fields][at : at + BITS]
        names += [name for place, name in enumerate(some) if (bits >> place & 1 == 1) is not is_most]
    if seed := draw(st.integers(0, 2**16)):
        random.Random(seed).shuffle(names)
    return {name: draw(fields[name]) for name in names}


COUNTS = ("visits", "wins", "draws", "losses", "expanded_at")
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "score": numbers,
    "amount": finite,
    "whole": st.integers(0, 500),
    "flag": st.booleans(),
    "text": texts,
    "long text": texts,
    "low edge": st.one_of(st.none(), numbers),
    "high edge": st.one_of(st.none(), numbers),
    "numbers": st.lists(finite, min_size=2, max_size=2),
    "named numbers": st.dictionaries(st.sampled_from(FACTORS), finite),
    "player": st.sampled_from(PLAYERS),
    "key": st.one_of(st.integers(0, 2**64 - 1).map("{:016x}".format), texts, st.integers(0, 2**64 - 1)),
    "id": st.integers(0, 30),
}


def strategy(field: Field) -> st.SearchStrategy[Any]:
    if field.vocabulary is not None:
        return st.sampled_from([*field.vocabulary.said])
    return st.integers(0, 10**9) if field.name in COUNTS else KINDS[field.kind]


def inside(entry: str, **more: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    """The fields of `tt` or `ucb`."""
    names = [name for name in FIELDS if name.startswith(f"{entry}.")]
    return {name.partition(".")[2]: strategy(FIELDS[name]) for name in names} | more


searched_fields: dict[str, st.SearchStrategy[Any]] = {
    name: strategy(FIELDS[name])
    for name in sorted(OF_NODES - {"id", "iteration", "count", "plies", "pre_scores", "tt", "ucb"})
} | {
    "factors": st.lists(st.one_of(st.none(), finite), min_size=2, max_size=2),
    "nodes": st.integers(0, 10**12),
    "layer": st.sampled_from(["max", "min"]),
    "outcome": st.sampled_from(words.OUTCOMES[1 : words.FIRST_STUB]),
    "ucb": st.fixed_dictionaries({}, optional=inside("ucb")),
    "tt": some_of(inside("tt", score=finite)),
    "my own field": st.one_of(st.none(), st.booleans(), finite, texts, st.lists(st.integers(-5, 5))),
}
stub_fields: dict[str, st.SearchStrategy[Any]] = {
    "count": st.integers(0, 10**12),
    "nodes": st.integers(0, 10**12),
    "ply": texts,
    "pre_score": finite,
}
searched = some_of(searched_fields)
stub_plies = st.lists(st.tuples(texts, st.one_of(st.none(), finite)), max_size=3).map(
    lambda both: {"plies": [ply for ply, _ in both], "pre_scores": [score for _, score in both]}
)
stubs = st.builds(
    lambda outcome, fields, plies: {**fields, **plies, "outcome": outcome},
    st.sampled_from(words.OUTCOMES[words.FIRST_STUB :]),
    some_of(stub_fields),
    st.one_of(st.just({}), stub_plies),
)
trees = st.recursive(
    searched,
    lambda below: st.builds(
        lambda node, children: {**node, "children": children},
        searched,
        st.lists(st.one_of(stubs, below), max_size=4),
    ),
    max_leaves=12,
)
headers = st.fixed_dictionaries(
    {"plyscope": st.just(1), "players": st.just(PLAYERS)},
    optional={
        "game": texts,
        "position": texts,
        "search": st.fixed_dictionaries({}, optional={"depth": st.integers(0, 99), "mine": texts}),
        "result": st.fixed_dictionaries(
            {}, optional={"ply": texts, "score": finite, "seed": st.integers(0, 9)}
        ),
        "about": st.dictionaries(texts, st.integers(0, 9)),
    },
).map(lambda header: {**header, "factors": IN_HEADER})


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """A native document: one tree, or several with an iteration each."""
    document = draw(headers)
    forest = draw(st.lists(trees, min_size=1, max_size=2))
    if len(forest) == 1:
        return {**document, "root": forest[0]}
    return {**document, "roots": [{**root, "iteration": index} for index, root in enumerate(forest)]}


def nodes_of(document: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any] | None]]:
    """Every node of a document with its parent, in pre-order."""
    stack: list[tuple[dict[str, Any], dict[str, Any] | None]] = [
        (root, None) for root in reversed(document.get("roots") or [document["root"]])
    ]
    found = []
    while stack:
        node, parent = stack.pop()
        found.append((node, parent))
        stack.extend((child, node) for child in reversed(node.get("children", ())))
    return found


SWAPPED = {"lower": "upper", "upper": "lower", "win": "loss", "loss": "win"}


def negated(value: Any) -> Any:
    if isinstance(value, str):
        return {"inf": "-inf", "-inf": "inf", "nan": "nan"}[value]
    return None if value is None else -value


def turned(document: dict[str, Any], view: str, root_player: str) -> dict[str, Any]:
    """The same search written from another view; every node that is no stub states its player."""
    document = copy.deepcopy(document)
    document["search"] = {**document.get("search", {}), "perspective": view, "root_player": root_player}
    others = {id(node): _other_side(node, parent, view, root_player) for node, parent in nodes_of(document)}
    roots = document.get("roots") or [document["root"]]
    for node, parent in nodes_of(document):
        if others[id(node)]:
            _turn(node)
        lists_turn = (
            root_player != PLAYERS[0]
            if view == "first"
            else view != "root" and _owner(parent or node) != root_player
        )
        if lists_turn and "pre_scores" in node:
            node["pre_scores"] = [negated(score) for score in node["pre_scores"]]
    result = document.get("result", {})
    if others[id(roots[0])] and "score" in result:
        result["score"] = negated(result["score"])
    return document


def _owner(node: dict[str, Any]) -> str:
    return node.get("player", "")


def _other_side(node: dict[str, Any], parent: dict[str, Any] | None, view: str, root_player: str) -> bool:
    if view == "root":
        return False
    if view == "first":
        return root_player != PLAYERS[0]
    seen_by = parent if parent is not None and (view == "parent" or "player" not in node) else node
    return _owner(seen_by) != root_player


def _turn(node: dict[str, Any]) -> None:
    for name in ("score", "estimate", "counted_as", "mean", "static", "pre_score", "stand_pat"):
        if name in node:
            node[name] = negated(node[name])
    if "exploit" in node.get("ucb", {}):
        node["ucb"]["exploit"] = negated(node["ucb"]["exploit"])
    wins = {"losses": node.pop("wins")} if "wins" in node else {}
    losses = {"wins": node.pop("losses")} if "losses" in node else {}
    node.update(wins, **losses)
    if "factors" in node:
        node["factors"] = [negated(value) for value in node["factors"]]
    if "contributions" in node:
        node["contributions"] = {name: negated(value) for name, value in node["contributions"].items()}
    alpha = {"beta": negated(node.pop("alpha"))} if "alpha" in node else {}
    beta = {"alpha": negated(node.pop("beta"))} if "beta" in node else {}
    node.update(alpha, **beta)
    for name in ("bound", "ending"):
        if name in node:
            node[name] = SWAPPED.get(node[name], node[name])
    entry = node.get("tt", {})
    if "score" in entry:
        entry["score"] = negated(entry["score"])
    if "bound" in entry:
        entry["bound"] = SWAPPED.get(entry["bound"], entry["bound"])


beyond_json = st.sampled_from([float("nan"), float("inf"), float("-inf"), 1e22, -0.0, 5e-324])
"""Numbers that only some languages print, and some that are easily changed."""
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), beyond_json, finite, st.integers(-(2**80), 2**80), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
odd_names = st.one_of(
    texts,
    st.sampled_from(["id", "parent", "children", "iteration", "count", "plies", "result", "a.b"]),
    st.sampled_from(["score", "ply", "key", "tt"]).map("data.{}".format),
    st.sampled_from(["data.data.score", "data.", "data.mine", "plyscope", "root"]),
)
odd_ids = st.one_of(st.integers(-(2**62), 2**62), st.integers(0, 20), texts)
odd_fields: dict[str, st.SearchStrategy[Any]] = {
    "player": st.one_of(st.integers(0, 3), texts),
    "score": st.one_of(beyond_json, finite),
    "pre_score": st.one_of(st.none(), beyond_json),
    "factors": st.lists(st.one_of(st.none(), finite, beyond_json), max_size=3),
    "contributions": st.dictionaries(texts, st.one_of(st.none(), finite, beyond_json), max_size=3),
    "scores": st.lists(st.one_of(st.none(), finite, beyond_json), max_size=3),
    "depth": st.one_of(beyond_json, st.integers(0, 2**70)),
    "key": st.one_of(st.integers(-5, 2**64 - 1), texts),
    "tt": st.dictionaries(st.sampled_from(["depth", "from", "mine", "iteration"]), st.integers(0, 5)),
    "ply": texts,
    "iteration": st.integers(0, 9),
}
odd_node = st.builds(
    lambda own, fields: {**{n: v for n, v in own.items() if n not in NATIVE and n != "children"}, **fields},
    st.dictionaries(odd_names, anything, max_size=3),
    some_of(odd_fields),
)
odd_stub = st.builds(
    lambda node, lists: {**node, **lists, "outcome": "pruned"},
    odd_node,
    st.fixed_dictionaries({}, optional={"pre_scores": st.lists(st.one_of(st.none(), finite), max_size=2)}),
)


@st.composite
def odd_documents(draw: st.DrawFn) -> dict[str, Any]:
    """A native document of anything that a reader takes: a header of any fields, nodes of odd values."""
    header = draw(st.dictionaries(st.one_of(texts, odd_names, st.just("game")), anything, max_size=4))
    for name in ("plyscope", "root", "roots", "players", "factors", "search", "result"):
        header.pop(name, None)
    named = {
        "search": st.dictionaries(texts, anything, max_size=2),
        "result": st.one_of(st.none(), st.dictionaries(st.sampled_from(["score", "x"]), anything)),
        "players": st.just(None),
    }
    header |= draw(st.fixed_dictionaries({}, optional=named))
    root = {
        "iteration": 1,
        **draw(odd_node),
        "children": draw(st.lists(st.one_of(odd_node, odd_stub), max_size=4)),
    }
    nodes = [root, *root["children"]]
    if draw(st.booleans()):
        ids = draw(st.lists(odd_ids, min_size=len(nodes), max_size=len(nodes), unique_by=str))
        for node, name in zip(nodes, ids, strict=True):
            node["id"] = name
    return {"plyscope": 1, **header, "root": root}


def shuffled(node: Any, draw: random.Random) -> Any:
    """The same with the fields of every object in another order."""
    if isinstance(node, list):
        return [shuffled(each, draw) for each in node]
    if not isinstance(node, dict):
        return node
    names = list(node)
    draw.shuffle(names)
    return {name: shuffled(node[name], draw) for name in names}
