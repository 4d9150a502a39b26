"""query: the rows that DuckDB finds are those for which plain Python, node by node, says the same."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import plyscope
from plyscope.log import tree_of
from plyscope.visualizer.analysis.nodes.ply_path import path_to, paths_to
from plyscope.visualizer.analysis.query.answer import ask
from plyscope.visualizer.analysis.query.fields import fields_of
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.run import hits_of, order_of
from plyscope.visualizer.store import words
from tests.property.documents import PLAYERS, documents
from tests.property.examples import examples

Value = Callable[[plyscope.Node], Any]
"""What a part of an expression is at a node: None where it is unknown."""
Part = tuple[str, Value]

NUMBERS = ["score", "static", "pre_score", "stand_pat", "estimate", "counted_as", "alpha", "beta", "depth",
           "reduction", "extension", "moves", "count", "visits", "prior", "mean", "wins", "seconds", "level",
           "id", "index", "children", "nodes_below", "iteration", "tt.depth", "tt.score", "ucb.explore",
           "factors.mobility", "contributions.corners", "scores.black"]  # fmt: skip
WORDS = {
    "layer": words.LAYERS,
    "bound": words.BOUNDS,
    "outcome": words.OUTCOMES,
    "purpose": words.PURPOSES,
    "cut_by": words.CUT_BY,
    "ending": words.ENDINGS,
    "tt.use": words.TT_USES,
    "tt.bound": words.BOUNDS,
}
TEXTS = ["ply", "why", "player", "position", "board", "tt.ply"]
FLAGS = ["quiescence", "in_check", "is_stub"]


def of_node(name: str) -> Value:
    """A field read from the attributes of a node, or counted over its children."""

    def read(node: plyscope.Node) -> Any:
        group, _, inner = name.partition(".")
        if group in ("parent", "root"):
            other = node.parent
            if group == "root":
                other = node
                while other.parent is not None:
                    other = other.parent
            return None if other is None else of_node(inner)(other)
        match name:
            case "index":
                siblings = ROOTS[0] if node.parent is None else node.parent.children
                return [each.row for each in siblings].index(node.row)
            case "children":
                return len(node.children)
            case "nodes_below":
                return sum(1 + of_node(name)(child) for child in node.children if not child.is_stub)
            case "scores.black":
                return None if node.scores is None else node.scores[0]
            case "contributions.corners":
                return (node.contributions or {}).get("corners") if HAS_CONTRIBUTIONS[0] else weighted(node)
        value = getattr(node, group)
        return (value or {}).get(inner) if inner else value

    return read


def weighted(node: plyscope.Node) -> float | None:
    """A factor's contribution by its weight, where no node of the log states it; None without a value."""
    value = (node.factors or {}).get("corners")
    return None if value is None else value * 1.5


slow_to_draw = settings(
    deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow]
)

ROOTS: list[Any] = [None]
HAS_CONTRIBUTIONS = [False]


def known(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def both(operation: Callable[[Any, Any], Any], left: Value, right: Value) -> Value:
    def value(node: plyscope.Node) -> Any:
        a, b = known(left(node)), known(right(node))
        return None if a is None or b is None else known(operation(a, b))

    return value


def divided(a: float, b: float) -> float | None:
    return None if b == 0 else float(a) / float(b)


def rest(a: float, b: float) -> float | None:
    return None if b == 0 or math.isinf(a) else math.fmod(a, b)


def whole(function: Callable[[float], float], value: Value) -> Value:
    def made(node: plyscope.Node) -> Any:
        number = known(value(node))
        is_kept = number is None or (math.isinf(number) and function is not abs)
        return number if is_kept else float(function(number))

    return made


def half_up(number: float) -> float:
    return float(Decimal(number).to_integral_value(ROUND_HALF_UP, Context(prec=400)))


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: float(a) + float(b),
    "-": lambda a, b: float(a) - float(b),
    "*": lambda a, b: float(a) * float(b),
    "/": divided,
    "%": rest,
}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
FUNCTIONS: dict[str, Callable[[Value], Value]] = {
    "abs": lambda value: whole(abs, value),
    "floor": lambda value: whole(math.floor, value),
    "CEIL": lambda value: whole(math.ceil, value),
    "round": lambda value: whole(half_up, value),
}


def constant(value: Any) -> Value:
    return lambda node: value


def fields(names: list[str]) -> st.SearchStrategy[Part]:
    whose = st.sampled_from(["", "", "", "parent.", "root."])
    return st.builds(lambda of, name: (of + name, of_node(of + name)), whose, st.sampled_from(names))


literals: st.SearchStrategy[Part] = st.one_of(
    st.integers(-9, 9), st.integers(-(2**70), 2**70), st.floats(allow_nan=False)
).map(lambda value: (repr(value), constant(value)))
numbers: st.SearchStrategy[Part] = st.recursive(
    fields(NUMBERS) | literals,
    lambda below: st.one_of(
        st.builds(
            lambda a, sign, b: (f"({a[0]} {sign} {b[0]})", both(OPERATIONS[sign], a[1], b[1])),
            below,
            st.sampled_from([*OPERATIONS]),
            below,
        ),
        st.builds(
            lambda name, a: (f"{name}({a[0]})", FUNCTIONS[name](a[1])), st.sampled_from([*FUNCTIONS]), below
        ),
        below.map(lambda a: (f"-({a[0]})", lambda node: None if a[1](node) is None else -a[1](node))),
    ),
    max_leaves=4,
)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def matches(pattern: str, text: str) -> bool:
    """`like` by its definition: each `%` is tried for every length."""
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(matches(pattern[1:], text[at:]) for at in range(len(text) + 1))
    return bool(text) and pattern[0] in ("_", text[0]) and matches(pattern[1:], text[1:])


short = st.text(st.sampled_from("ab'%_ é"), max_size=4)
some_texts = st.one_of(short, st.sampled_from(PLAYERS))


def equal_words(part: Part, sign: str, word: str) -> Part:
    return f"{part[0]} {sign} {quoted(word)}", both(COMPARISONS[sign], part[1], constant(word))


@st.composite
def word_tests(draw: st.DrawFn) -> Part:
    name = draw(st.sampled_from([*WORDS]))
    part = draw(fields([name]))
    chosen = draw(st.lists(st.sampled_from(WORDS[name][1:]), min_size=1, max_size=3))
    if draw(st.booleans()):
        return equal_words(part, draw(st.sampled_from(["=", "!="])), chosen[0])
    listed = ", ".join(map(quoted, chosen))
    return f"{part[0]} in ({listed})", both(lambda a, b: a in b, part[1], constant(chosen))


text_tests: st.SearchStrategy[Part] = st.one_of(
    st.builds(equal_words, fields(TEXTS), st.sampled_from([*COMPARISONS]), some_texts),
    st.builds(
        lambda a, pattern: (f"{a[0]} like {quoted(pattern)}", both(matches, constant(pattern), a[1])),
        fields([*TEXTS, "outcome", "layer"]),
        short,
    ),
)
flag_tests = fields(FLAGS)
null_tests: st.SearchStrategy[Part] = st.one_of(
    st.builds(
        lambda a, no: (f"{a[0]} is {'not ' * no}null", lambda node: (a[1](node) is None) != no),
        fields([*NUMBERS, *WORDS, *TEXTS, *FLAGS, "key"]),
        st.booleans(),
    ),
    st.builds(
        lambda a: (f"isnan({a[0]})", lambda node: None if a[1](node) is None else a[1](node) != a[1](node)),
        fields(["score", "static", "alpha", "estimate", "moves"]),
    ),
)
comparisons = st.builds(
    lambda a, sign, b: (f"{a[0]} {sign} {b[0]}", both(COMPARISONS[sign], a[1], b[1])),
    numbers,
    st.sampled_from([*COMPARISONS]),
    numbers,
)


def none_of(value: Value) -> Value:
    def made(node: plyscope.Node) -> Any:
        held = value(node)
        return None if held is None else not held

    return made


def chain(word: str, parts: list[Part]) -> Part:
    def value(node: plyscope.Node) -> Any:
        held = [part[1](node) for part in parts]
        decisive = word.lower() == "or"
        if any(each is not None and bool(each) is decisive for each in held):
            return decisive
        return None if None in held else not decisive

    return f" {word} ".join(f"({part[0]})" for part in parts), value


conditions: st.SearchStrategy[Part] = st.recursive(
    st.one_of(comparisons, word_tests(), text_tests, flag_tests, null_tests),
    lambda below: st.one_of(
        st.builds(chain, st.sampled_from(["and", "OR"]), st.lists(below, min_size=2, max_size=3)),
        below.map(lambda part: (f"not ({part[0]})", none_of(part[1]))),
    ),
    max_leaves=4,
)


def opened(document: dict[str, Any]) -> plyscope.Log:
    log = plyscope.open(json.dumps(document), progress=False)
    ROOTS[0] = log.roots
    HAS_CONTRIBUTIONS[0] = "corners" in tree_of(log).log.contribution_names
    return log


def with_every_name(document: dict[str, Any]) -> dict[str, Any]:
    """A document in which scores of players have names, as expressions of this page use them."""
    root = document["roots"][0] if "roots" in document else document["root"]
    root.setdefault("scores", [1.5, -2])
    return document


@pytest.mark.slow
@slow_to_draw
@given(documents().map(with_every_name), conditions, st.lists(null_tests, min_size=4, max_size=4))
def test_the_hits_are_the_nodes_of_which_plain_python_says_that_the_expression_is_true(
    document: dict[str, Any], condition: Part, nulls: list[Part]
) -> None:
    log = opened(document)
    for expression, holds in (condition, *nulls):
        found, _ = hits_of(fields_of(tree_of(log)), expression)
        assert found.tolist() == [node.row for node in log if holds(node) is True], expression


@pytest.mark.slow
@slow_to_draw
@given(documents().map(with_every_name), st.one_of(numbers, fields([*WORDS, *TEXTS])), st.booleans())
def test_sorted_rows_follow_their_values_and_the_unknown_come_last(
    document: dict[str, Any], value: Part, descending: bool
) -> None:
    expression, of = value
    log = opened(document)
    fields_ = fields_of(tree_of(log))
    rows, _ = hits_of(fields_, "level >= 0")
    found = rows[order_of(fields_, rows, parse(expression), descending=descending)]
    values = {node.row: known(of(node)) for node in log}
    known_rows = [row for row in rows.tolist() if values[row] is not None]
    expected = sorted(known_rows, key=values.__getitem__, reverse=descending)  # equal ones stay in order
    assert found.tolist() == expected + [row for row in rows.tolist() if values[row] is None]


@slow_to_draw
@given(documents().map(with_every_name))
def test_cells_are_what_the_nodes_state(document: dict[str, Any]) -> None:
    log = opened(document)
    names = [*NUMBERS, *WORDS, *TEXTS, *FLAGS, "key", "parent.score", "root.layer", "contributions.mobility"]
    names = [name for name in names if name != "id"]
    if "mobility" not in tree_of(log).log.contribution_names:
        names.remove("contributions.mobility")
    answer = ask(tree_of(log), "id >= 0", columns=names).as_json()
    for row, node in zip(answer["rows"], log, strict=True):
        assert (row["id"], row["path"]) == (node.id, node.path)
        for name in names:
            stated = (node.contributions or {}).get("mobility") if name.startswith("contributions.m") else (
                of_node(name)(node)
            )  # fmt: skip
            assert same(row[name], stated), name


def same(cell: Any, stated: Any) -> bool:
    if isinstance(stated, float) and not math.isfinite(stated):
        return bool(cell == ("nan" if math.isnan(stated) else "inf" if stated > 0 else "-inf"))
    return cell is None if stated is None else cell is not None and bool(cell == stated)


@slow_to_draw
@given(documents())
def test_paths_read_together_are_those_read_one_by_one(document: dict[str, Any]) -> None:
    tree = tree_of(opened(document))
    rows = range(tree.log.n_rows)
    assert paths_to(tree, rows) == [path_to(tree, row) for row in rows]
    assert paths_to(tree, rows[::-2]) == [path_to(tree, row) for row in rows[::-2]]
