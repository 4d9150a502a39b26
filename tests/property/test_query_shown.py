"""query beside plain Python: colours, looser conditions, parts of a tree, fields of the log itself."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import combinations
from typing import Any
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import plyscope
from plyscope.log import tree_of
from plyscope.visualizer.analysis.nodes.best_children import ORDERS
from plyscope.visualizer.analysis.nodes.node_json import number
from plyscope.visualizer.analysis.query import value_colours
from plyscope.visualizer.analysis.query.answer import conjuncts, no_hit
from plyscope.visualizer.analysis.query.fields import fields_of
from plyscope.visualizer.analysis.query.hit_tree import children_to_hits, opened_first
from plyscope.visualizer.analysis.query.run import hits_of
from plyscope.visualizer.analysis.query.value_colours import LARGE_COUNT, MOST_CATEGORIES, colouring
from tests.property.documents import documents
from tests.property.test_query import (
    COMPARISONS,
    OPERATIONS,
    Value,
    both,
    constant,
    of_node,
    opened,
    slow_to_draw,
    whole,
)

SHARE = 0.2
"""Of the numbers from each end, which the scale leaves out; of few rows the usual one leaves out none."""
FIELDS = ["score", "static", "depth", "level", "nodes_below", "moves", "outcome", "layer", "ply", "is_stub",
          "quiescence", "parent.score"]  # fmt: skip
COLOURS: dict[str, Value] = {name: of_node(name) for name in FIELDS} | {
    "abs(score)": whole(abs, of_node("score")),
    "score - static": both(OPERATIONS["-"], of_node("score"), of_node("static")),
    "level > 1": both(COMPARISONS[">"], of_node("level"), constant(1)),
    "score > 0": both(COMPARISONS[">"], of_node("score"), constant(0)),
}


@slow_to_draw
@given(documents(), st.sampled_from([*COLOURS]))
def test_colours_are_the_values_of_the_nodes_and_the_scale_is_that_of_all(
    document: dict[str, Any], value: str
) -> None:
    log = opened(document)
    with patch.object(value_colours, "SHARE", SHARE):
        scale = colouring(fields_of(tree_of(log)), value)
    expected = [COLOURS[value](node) for node in log]
    values = scale.values(np.arange(len(expected)))
    assert len(values) == len(expected)
    for found, wanted in zip(values, expected, strict=True):
        assert found == (number(wanted) if isinstance(wanted, float) else wanted)
    stated = [each for each in expected if each is not None]
    assert scale.n_stated == len(stated)
    assert scale.n_absent == sum(
        each is None and not node.is_stub for each, node in zip(expected, log, strict=True)
    )
    if scale.kind == "number":
        finite = sorted(each for each in stated if math.isfinite(each))
        assert (scale.range is None) == (not finite)
        if finite and scale.range is not None and scale.ends is not None:
            assert scale.range == (finite[0], finite[-1])
            is_count = finite[0] >= 0 and finite[-1] >= LARGE_COUNT and all(x == int(x) for x in finite)
            assert scale.is_logarithmic == is_count
            if is_count:
                assert scale.ends == scale.range
                return
            beyond = int(SHARE * len(finite))
            inner = finite[beyond], finite[-1 - beyond]
            assert scale.ends == (inner if inner[0] < inner[1] else scale.range)
        return
    counts = Counter(stated)
    for found, n in scale.categories:
        assert counts[found] == n
    if scale.kind == "category":
        assert len(scale.categories) == min(MOST_CATEGORIES, len(counts))
        assert [n for _, n in scale.categories] == sorted(counts.values(), reverse=True)[:MOST_CATEGORIES]
        assert scale.n_other_values == len(counts) - len(scale.categories)
        assert scale.n_other_rows == len(stated) - sum(n for _, n in scale.categories)
        for each in counts:
            place = scale.place(each)
            assert place == -1 or scale.categories[place or 0][0] == each


PARTS = ["score > 0", "score < 0", "level > 2", "level between 1 and 2", "outcome = 'leaf'", "is_stub",
         "(depth > 3 or depth < 1)", "not quiescence", "ply like 'c%'", "moves is null", "1 / 0 > 1",
         "layer = 'max'", "false"]  # fmt: skip


@slow_to_draw
@given(documents(), st.lists(st.sampled_from(PARTS), min_size=1, max_size=4, unique=True))
def test_the_looser_condition_drops_the_fewest_parts_and_of_such_has_the_fewest_hits(
    document: dict[str, Any], parts: list[str]
) -> None:
    log = opened(document)
    fields = fields_of(tree_of(log))
    whole = " and ".join(parts)
    assert conjuncts(whole) == parts
    hits, _ = hits_of(fields, whole)
    if len(hits):
        return
    found = no_hit(fields, whole)
    negated, _ = hits_of(fields, f"not ({whole})")
    assert (found.n_rows, found.n_unknown) == (len(log), len(log) - len(negated))
    for size in range(len(parts) - 1, 0, -1):
        totals = [
            len(hits_of(fields, " and ".join(kept))[0]) for kept in map(list, combinations(parts, size))
        ]
        if any(totals):
            assert found.n_looser == min(n for n in totals if n)
            assert len(found.without) == len(parts) - size
            assert len(hits_of(fields, found.looser)[0]) == found.n_looser
            return
    assert (found.looser, found.n_looser) == ("", 0)


@slow_to_draw
@given(
    documents(), st.sampled_from(["outcome = 'leaf'", "score > 0", "level = 2", "is_stub"]), st.integers(1, 4)
)
def test_children_that_lead_to_hits_are_those_that_are_hits_or_have_some_below(
    document: dict[str, Any], expression: str, limit: int
) -> None:
    log = opened(document)
    tree = tree_of(log)
    hits, _ = hits_of(fields_of(tree), expression)
    wanted = set(hits.tolist())

    def leads(node: plyscope.Node) -> bool:
        return node.row in wanted or any(map(leads, node.children))

    for node in log:
        expected = [child.row for child in node.children if leads(child)]
        for order in ORDERS:
            found = children_to_hits(tree, hits, node.row, limit, order)
            assert (found.total, found.others) == (len(expected), len(node.children) - len(expected))
            assert len(found.shown) == min(limit, len(expected))
            assert set(found.shown.tolist()) <= set(expected)
            assert found.shown.tolist() == sorted(found.shown.tolist())
        assert children_to_hits(tree, hits, node.row, limit, "searched").shown.tolist() == expected[:limit]
    room = limit + 3
    plan = opened_first(tree, hits, log.roots[0].row, limit, room, "best")
    opened_rows = [each.row for each in plan]
    assert len(set(opened_rows)) == len(opened_rows)
    shown = {row for each in plan for row in each.shown.tolist()} | {log.roots[0].row}
    assert set(opened_rows) <= shown, "only what is drawn is opened"
    leaves = len(shown - set(opened_rows)) + sum(
        each.others > 0 or each.total > len(each.shown) for each in plan
    )
    assert leaves <= max(room, limit + 1)


values = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=4), st.lists(st.integers(0, 3), max_size=2),
)  # fmt: skip


@slow_to_draw
@given(
    st.lists(
        st.dictionaries(st.sampled_from(["own", "q_nodes", "my field", "a.b"]), values),
        min_size=1,
        max_size=8,
    )
)
def test_fields_of_the_log_itself_have_the_type_on_which_most_rows_agree(rows: list[dict[str, Any]]) -> None:
    children = [{"ply": str(at), **own} for at, own in enumerate(rows)]
    log = opened({"plyscope": 1, "root": {"children": children}})
    fields = fields_of(tree_of(log))
    for name in ("own", "q_nodes", "my field", "a.b"):
        stated = [own[name] for own in rows if own.get(name) is not None]
        if not stated:
            assert fields.own.known(name) is None
            continue
        known = fields.find(f"extra.{name}")
        assert known.name == fields.find(name).name == f"extra.{name}"
        numbers = sum(type(each) in (int, float) for each in stated)
        flags = sum(type(each) is bool for each in stated)
        kind = "number" if 2 * numbers > len(stated) else "flag" if 2 * flags > len(stated) else "text"
        assert known.type == kind == fields.own.described(name).type
        scale = colouring(fields, f'extra."{name}"')
        for at, own in enumerate(rows):
            value = own.get(name)
            if kind == "text" and isinstance(value, float):
                continue
            expected: Any = None
            if kind == "text" and value is not None:
                expected = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
            elif type(value) in {"number": (int, float), "flag": (bool,)}.get(kind, ()):
                expected = value
            assert scale.values(np.array([at + 1]))[0] == expected
        assert bool(known.notice) == (kind != "text" and max(numbers, flags) < len(stated))
