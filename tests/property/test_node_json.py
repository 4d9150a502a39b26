"""A node as JSON, a second way: out of the document that was written, node by node, without any columns."""

from __future__ import annotations

import json
import math
from typing import Any

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.nodes.node_json import node_json, others_json
from plyscope.visualizer.store import words
from plyscope.visualizer.store.fields import FIELDS, OF_NODES
from tests.property.documents import documents, nodes_of
from tests.property.examples import examples
from tests.unit.logs import tree_of, walked

Written = dict[str, Any]
LONG = ("position", "left_position", "board")
STUBS = words.OUTCOMES[words.FIRST_STUB :]
AMOUNTS = {field.name for field in FIELDS.values() if field.kind in ("score", "amount")}


def as_float(value: Any) -> Any:
    """A written number as a float; `"inf"` and the like as they are written."""
    return value if isinstance(value, str) else float(value)


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def entry(written: Written, n_nodes: int) -> Written:
    """The inside of `tt` or `ucb`; a node that there is not has stored no entry."""
    if written.get("from", 0) >= n_nodes:
        written = {name: value for name, value in written.items() if name != "from"}
    return {
        name: as_float(value) if name not in ("use", "bound", "ply", "from") else value
        for name, value in written.items()
    }


def stated(
    node: Written, names: tuple[str, ...], n_nodes: int, *, most: int, long_texts: bool, text_limit: int
) -> Written:
    """The JSON that must stand for the fields of `node`."""
    expected: Written = {}
    is_stub = node.get("outcome") in STUBS
    for name, value in node.items():
        if name not in OF_NODES or (name in LONG and not long_texts):
            continue
        if name in ("alpha", "beta") and value is None:
            value = "-inf" if name == "alpha" else "inf"
        if name in AMOUNTS or name in ("alpha", "beta"):
            value = as_float(value)
        elif name == "key":
            value = str(value)
        elif name in ("factors", "scores", "pre_scores"):
            numbers = [None if each is None else float(each) for each in value]
            value = numbers[:most] if any(each is not None for each in numbers) else None
        elif name == "contributions":  # in the order of their names in the log, as a list
            numbers = [float(value[each]) if each in value else None for each in names]
            value = numbers[:most] if value else None
        elif name == "plies":
            value = [cut(each, min(text_limit, 300)) for each in value[:most]] or None
        elif name in ("tt", "ucb"):
            value = entry(value, n_nodes) or None
        if isinstance(value, str) and name not in ("alpha", "beta"):
            value = cut(value, text_limit)
        expected[name] = value
    if is_stub and "count" not in node and "plies" in node:
        expected["count"] = len(node["plies"])
    return {name: value for name, value in expected.items() if value is not None}


@given(documents(), st.integers(0, 3), st.booleans(), st.integers(9, 20), st.integers(1, 3))
@settings(max_examples=examples(150), deadline=None)
def test_a_node_says_what_was_written_of_it(
    document: Written, most: int, long_texts: bool, text_limit: int, times: int
) -> None:
    for node, _ in nodes_of(document):
        for name in {"ply", "why", "position", "left_position", "left_key", "board"} & node.keys():
            node[name] *= times
    tree = tree_of(**document)
    contributions = {name for node, _ in nodes_of(document) for name in node.get("contributions", {})}
    assert sorted(tree.log.contribution_names) == sorted(contributions)
    for row, (node, _) in enumerate(nodes_of(document)):
        how = {"long_texts": long_texts, "text_limit": text_limit}
        said = node_json(tree, row, most_values=most, **how)
        expected = stated(node, tree.log.contribution_names, tree.log.n_rows, most=most, **how)
        told = {name: said[name] for name in said if name in OF_NODES and name != "id"}
        if "layer" not in node:  # readers tell it from the players, and from the layers around it
            told.pop("layer", None)
        assert told == expected


def number(written: Any) -> float:
    return math.nan if written is None else float(written)


def taken(node: Written) -> float:
    """The score that the parent took for a child; NaN where none is stated."""
    score = number(node.get("counted_as"))
    return number(node.get("score")) if math.isnan(score) else score


def end_of(children: list[Written], score: float, *, is_largest: bool) -> tuple[float | str, str | None]:
    """A score as JSON, and the bound of the largest (the smallest) that children with this score may have."""
    bounds = {child.get("bound", "exact") for child in children if taken(child) == score}
    beyond, before = ("lower", "upper") if is_largest else ("upper", "lower")
    bound = beyond if beyond in bounds else before if bounds == {before} else None
    return (score if math.isfinite(score) else "inf" if score > 0 else "-inf"), bound


@given(documents())
@settings(max_examples=examples(150), deadline=None)
def test_a_node_says_where_it_stands_and_what_is_below_it(document: Written) -> None:
    tree = tree_of(**document)
    written = nodes_of(document)
    rows = {id(node): row for row, (node, _) in enumerate(written)}
    roots = document.get("roots") or [document["root"]]
    for row, (node, parent) in enumerate(written):
        said = node_json(tree, row)
        children = node.get("children", [])
        siblings = roots if parent is None else parent["children"]
        above = None if parent is None else rows[id(parent)]
        place = next(at for at, each in enumerate(siblings) if each is node)
        assert (said["id"], said["parent"], said["index"]) == (row, above, place)
        assert said["level"] == (0 if above is None else node_json(tree, above)["level"] + 1)
        assert said["n_children"] == len(children)
        assert "row" not in said
        if not children:
            assert "below" not in said
            continue
        everything = list(walked(node))
        n_nodes = sum(each.get("outcome") not in STUBS for each, _ in everything) - 1
        height = max(level for _, level in everything)
        expected = {"nodes": n_nodes, "height": height, "end": row + len(everything)}
        plies = [each for each in children if each.get("purpose") not in ("null", "probe")]
        plies = [each for each in plies if not math.isnan(taken(each))]
        for name, is_largest in (("best", said.get("layer") != "min"), ("worst", said.get("layer") == "min")):
            if plies:
                score = (max if is_largest else min)(taken(each) for each in plies)
                expected[name], bound = end_of(plies, score, is_largest=is_largest)
                expected |= {f"{name}_bound": bound} if bound else {}
        below = {name: value for name, value in said["below"].items() if not name.endswith("_proof")}
        assert below == expected


@given(documents(), st.integers(0, 2), st.integers(2, 9))
def test_fields_of_somebody_s_own_are_texts_beside_the_node(
    document: Written, most: int, text_limit: int
) -> None:
    tree = tree_of(**document)
    for row, (node, _) in enumerate(nodes_of(document)):
        own = {name: value for name, value in node.items() if name not in OF_NODES and name != "children"}
        said = others_json(tree.log, row, most, text_limit)
        texts = {}
        for name, value in list(own.items())[:most]:
            whole = int(value) if isinstance(value, float) and value.is_integer() else value
            if isinstance(whole, float):
                text = orjson.dumps(whole).decode()
            else:
                text = whole if isinstance(whole, str) else json.dumps(whole, separators=(",", ":"))
            texts[cut(name, text_limit)] = cut(text, text_limit)
        n_more = len(own) - len(texts)
        expected = {"others": texts} | ({"more_others": n_more} if n_more else {}) if own else {}
        assert said == expected
