"""tt-depth, tt-bound, tt-ply and tt-source: what was taken from the transposition table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.rules.table.tt_source import earlier_visits
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import child, example, found


@pytest.mark.parametrize(
    ("rule", "place", "mended"),
    [
        ("tt-depth", 1, {"tt": {"use": "cut", "depth": 2, "bound": "exact", "score": 4}}),
        ("tt-depth", 1, {"tt": {"use": "cut", "depth": 3, "bound": "exact", "score": 4}}),
        ("tt-depth", 1, {"outcome": "searched", "tt": {"use": "order", "depth": 1, "score": 4}}),
        ("tt-bound", 1, {"score": 2, "tt": {"use": "cut", "bound": "upper", "score": 2}}),
        ("tt-bound", 1, {"tt": {"use": "cut", "bound": "exact", "score": 5}}),
        ("tt-source", 1, {"score": 5, "tt": {"use": "cut", "depth": 2, "score": 5, "from": 1}}),
        ("tt-source", 1, {"tt": {"use": "cut", "depth": 2, "score": 4, "from": 99}}),
    ],
)
def test_a_right_use_of_an_entry_is_clean(rule: str, place: int, mended: dict[str, Any]) -> None:
    document = example(rule)
    child(document, place).update(mended)
    assert found(document, rule) == []


def test_a_deeper_entry_is_wrong_where_equal_depth_is_declared() -> None:
    document = example("tt-depth")
    document["search"]["table"] = "equal"
    child(document, 1)["tt"]["depth"] = 3
    (finding,) = check(read_log(json.dumps(document).encode()), compiled=False).findings("tt-depth")
    assert (finding.path, finding.expected, finding.found) == ("d3", 2, 3)
    assert finding.message.endswith("used is of depth 3, expected exactly 2.")


@pytest.mark.parametrize(("score", "rules"), [(998, []), (997, []), (996, ["tt-depth"])])
def test_that_no_mate_is_nearer_holds_where_the_entry_searched_as_far(score: float, rules: list[str]) -> None:
    """A win at level 3 at the earliest may be said after one ply; one at level 4 needs two."""
    document = example("tt-depth")
    document["search"]["mate"] = {"score": 1000, "step": 1, "threshold": 900}
    child(document, 1).update(score=score, tt={"use": "cut", "depth": 1, "bound": "upper", "score": score})
    document["root"]["score"] = score
    assert [rule for rule, _ in found(document, "tt-depth")] == rules


def test_a_mate_may_be_used_at_any_depth() -> None:
    document = example("tt-depth")
    document["search"]["mate"] = {"score": 1000, "step": 1, "threshold": 900}
    child(document, 1)["tt"]["score"] = 990
    assert found(document, "tt-depth") == []


def test_a_bound_at_the_end_of_the_declared_range_cuts() -> None:
    document = example("tt-bound")
    document["search"] = {"range": [-64, 5]}
    assert found(document, "tt-bound") == []


@pytest.mark.parametrize("ply", ["c6", "e6"])
def test_a_table_ply_may_be_one_searched_or_one_in_a_stub(ply: str) -> None:
    document = example("tt-ply")
    document["root"]["tt"]["ply"] = ply
    assert found(document) == []


def test_a_table_ply_is_not_judged_where_plies_are_unknown_or_fewer_are_generated() -> None:
    document = example("tt-ply")
    document["root"]["moves"] = 4
    assert found(document, "tt-ply") == []
    document = example("tt-ply")
    document["root"]["quiescence"] = True
    assert found(document, "tt-ply") == []


def test_a_second_visit_of_a_ply_is_no_further_ply() -> None:
    document = example("tt-ply")
    document["root"]["moves"] = 4
    document["root"]["children"].insert(2, {"ply": "d3", "layer": "min", "score": 2})
    assert found(document, "tt-ply") == []


@pytest.mark.parametrize(
    "fields",
    [
        {"tt": {"use": "cut", "depth": 3, "bound": "exact", "score": 5, "from": 1}},
        {"tt": {"use": "cut", "depth": 2, "bound": "upper", "score": 5, "from": 1}},
        {"tt": {"use": "cut", "score": 5, "from": 0}},
        {"tt": {"use": "cut", "score": 5, "from": 1}, "key": "Z"},
    ],
)
def test_an_entry_with_another_depth_bound_or_key_or_of_an_open_node_is_found(fields: dict[str, Any]) -> None:
    document = example("tt-source")
    child(document, 1).update(fields)
    assert found(document, "tt-source") == [("tt-source", "d3")]


@pytest.mark.parametrize(
    ("source", "entry", "severity"),
    [
        (("exact", 4), ("lower", 4), "odd"),
        (("exact", 4), ("lower", 3), "odd"),
        (("exact", 4), ("lower", 5), "wrong"),
        (("exact", 4), ("exact", 3), "wrong"),
        (("lower", 4), ("lower", 3), "odd"),
        (("lower", 4), ("exact", 4), "wrong"),
        (("upper", 4), ("lower", 3), "wrong"),
        (("upper", 4), ("upper", 5), "odd"),
        (("lower", 995), ("lower", 900), None),
        (("exact", 995), ("lower", 900), None),
        (("exact", -995), ("upper", -900), None),
        (("exact", 995), ("exact", 900), "wrong"),
        (("upper", 995), ("lower", 900), "wrong"),
        (("lower", 995), ("lower", 4), "odd"),
        (("lower", 995), ("lower", 994), "wrong"),  # a distance of mate that differs
        (("lower", 4), ("lower", 900), "wrong"),
    ],
)
def test_an_entry_may_say_less_than_its_source_and_keep_a_mate_as_a_bound(
    source: tuple[str, float], entry: tuple[str, float], severity: str | None
) -> None:
    document = example("tt-source")
    document["search"] = {"mate": {"score": 1000, "step": 1, "threshold": 900}}
    child(document, 0).update(bound=source[0], score=source[1])
    child(document, 1)["tt"].update(bound=entry[0], score=entry[1])
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    assert [each.severity for each in report.findings("tt-source")] == [severity] * (severity is not None)


def test_a_source_and_its_entry_are_told_with_their_bounds_where_both_differ() -> None:
    document = example("tt-source")
    child(document, 0).update(bound="upper")
    child(document, 1)["tt"].update(bound="lower", score=3)
    (finding,) = check(read_log(json.dumps(document).encode()), compiled=False).findings("tt-source")
    assert finding.message == (
        "Node 1 returned 5, a score that is upper, but the entry it stored says 3 and calls it lower."
    )


def without_bounds(source: dict[str, Any], user: dict[str, Any], entry: dict[str, Any]) -> Any:
    """A search whose entries have no flags: what a max node below `a` stored is taken below `b`."""
    leaf = {"layer": "min", "outcome": "leaf", "bound": "exact"}
    replies: list[dict[str, Any]] = [{"ply": "x", "score": 1, **leaf}, {"ply": "y", "score": 6, **leaf}]
    replies.append({"outcome": "pruned", "count": 2})
    stored = {"ply": "t", "layer": "max", "outcome": "cutoff", "children": replies, **source}
    taken = {"ply": "t", "layer": "max", "outcome": "tt", "tt": {"use": "cut", "from": 2, **entry}, **user}
    below_a = {"ply": "a", "layer": "min", "score": 4, "alpha": None, "beta": 5, "children": [stored]}
    below_b = {"ply": "b", "layer": "min", "score": 4, "alpha": None, "beta": 9, "children": [taken]}
    return {"plyscope": 1, "root": {"layer": "max", "children": [below_a, below_b]}}


@pytest.mark.parametrize(
    ("source", "user", "entry", "rule", "message"),
    [
        # Fail-hard in the window (-inf, 5): at least 5, or 6 as the engine stored it.
        ({"score": 5, "beta": 5}, {"score": 5, "beta": 4}, {"score": 5}, None, ""),
        ({"score": 5, "beta": 5}, {"score": 6, "beta": 6}, {"score": 6}, None, ""),
        (
            {"score": 5, "beta": 5},
            {"score": 6, "beta": 9},
            {"score": 6},
            "tt-bound",
            "Node 2, which stored the entry, proved only at least 6, which does not reach beta 9, "
            "and yet it ended the visit.",
        ),
        (
            {"score": 5, "beta": 5},
            {"score": 7, "beta": 6},
            {"score": 7},
            "tt-source",
            "Node 2 returned 5, but the entry it stored says 7.",
        ),
        # An entry with a flag, of a node whose window tells the bound.
        ({"score": 6, "beta": 5}, {"score": 6, "beta": 6}, {"score": 6, "bound": "lower"}, None, ""),
        (
            {"score": 6, "beta": 5},
            {"score": 6, "beta": 6},
            {"score": 6, "bound": "exact"},
            "tt-source",
            "Node 2 returned a score that is lower, but its entry calls it exact.",
        ),
    ],
)
def test_what_a_node_had_proven_tells_the_bound_of_its_entry(
    source: dict[str, Any], user: dict[str, Any], entry: dict[str, Any], rule: str | None, message: str
) -> None:
    document = without_bounds({"alpha": None, **source}, {"alpha": None, **user}, entry)
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    about = [(each.rule, each.message) for each in report.findings() if each.rule.startswith("tt-")]
    assert about == ([] if rule is None else [(rule, message)])


def test_an_entry_between_two_bounds_reaches_neither_edge() -> None:
    """A node cut short whose table entry had narrowed it has a score of which both ends are known."""
    document = without_bounds({"score": 6, "beta": 5, "alpha": None}, {"score": 6, "alpha": 2, "beta": 9}, {})
    source = document["root"]["children"][0]["children"][0]
    source.update(tt={"use": "narrow", "bound": "upper", "score": 8})
    (finding,) = check(read_log(json.dumps(document).encode()), compiled=False).findings("tt-bound")
    assert "proved only [6, 8], which reaches neither alpha 2 nor beta 9" in finding.message


def keyed(*children: dict[str, Any], **search: Any) -> dict[str, Any]:
    root = {"layer": "max", "key": "root", "depth": 3, "score": 9, "children": list(children)}
    return {"plyscope": 1, "search": search, "root": root}


def visit(score: float, bound: str, depth: int = 2, **more: Any) -> dict[str, Any]:
    said = {"ply": "a", "layer": "min", "key": "A", "depth": depth, "score": score, "bound": bound}
    leaf = {"ply": "x", "layer": "max", "score": score, "bound": bound, "outcome": "leaf", "depth": depth - 1}
    return {**said, "outcome": "searched", "children": [leaf], **more}


def hit(score: float, bound: str, depth: int = 2, **more: Any) -> dict[str, Any]:
    entry = {"use": "cut", "depth": depth, "bound": bound, "score": score}
    said = {"ply": "b", "layer": "min", "key": "A", "depth": 2, "score": score, "bound": bound}
    return {**said, "outcome": "tt", "tt": entry, **more}


@pytest.mark.parametrize(
    "entry", [hit(9, "exact"), hit(4, "lower"), hit(9, "upper")], ids=["bound", "score", "the other bound"]
)
def test_an_entry_without_a_source_is_one_of_the_earlier_visits_of_its_key(entry: dict[str, Any]) -> None:
    assert found(keyed(visit(9, "lower"), entry), "tt-source") == [("tt-source", "b")]
    assert found(keyed(visit(9, "lower"), hit(9, "lower")), "tt-source") == []
    assert (
        found(keyed(visit(9, "lower"), visit(entry["score"], entry["bound"], ply="c"), entry), "tt-source")
        == []
    )


@pytest.mark.parametrize(
    ("before", "entry", "search"),
    [
        ([visit(9, "lower", depth=1)], hit(9, "exact"), {}),
        ([visit(9, "lower", key="B")], hit(9, "exact"), {}),
        ([visit(9, "lower")], hit(9, "exact"), {"table_carried": True}),
        (
            [visit(9, "lower"), {"ply": "c", "layer": "min", "outcome": "searched", "score": 1}],
            hit(9, "exact"),
            {},
        ),
        ([visit(9, "lower"), {"outcome": "unlogged", "count": 2}], hit(9, "exact"), {}),
        (
            [visit(9, "exact", children=[{**visit(9, "exact")["children"][0], "extension": 1}])],
            hit(9, "exact", 3),
            {},
        ),
    ],
    ids=[
        "of another depth",
        "of another key",
        "carried",
        "a node without a key",
        "unlogged nodes",
        "extended",
    ],
)
def test_an_entry_that_another_visit_may_have_stored_is_not_judged(
    before: list[dict[str, Any]], entry: dict[str, Any], search: dict[str, Any]
) -> None:
    assert found(keyed(*before, entry, **search), "tt-source") == []


def flagless(*before: dict[str, Any], beta: float = 20, **search: Any) -> dict[str, Any]:
    """An engine whose table keeps a score and a depth, and no flag: the last visit was cut by an entry."""
    entry = hit(9, "exact", alpha=3, beta=beta)
    del entry["tt"]["bound"], entry["bound"]
    return keyed(*before, entry, **search)


def windowed(alpha: float, beta: float) -> dict[str, Any]:
    """A visit of the entry's key that states its window, and no bound; below it a ply was cut off."""
    cut = {"ply": "y", "layer": "min", "outcome": "pruned", "count": 2}
    below = {"ply": "x", "layer": "max", "key": "X", "depth": 1, "outcome": "searched", "children": [cut]}
    made = visit(
        9, "", alpha=alpha, beta=beta, children=[{**below, "score": 9, "alpha": alpha, "beta": beta}]
    )
    del made["bound"]
    return made


@pytest.mark.parametrize(
    ("before", "says"),
    [
        (windowed(12, 20), "proved only at most 9, which does not reach alpha 3"),
        (windowed(10, 11), "proved only at most 9, which does not reach alpha 3"),
        (windowed(-5, 5), "proved only at least 9, which does not reach beta 20"),
        (windowed(-5, 9), "proved only at least 9, which does not reach beta 20"),
    ],
)
def test_a_table_without_flags_is_told_by_the_earlier_visits_of_the_key(
    before: dict[str, Any], says: str
) -> None:
    (finding,) = check(read_log(json.dumps(flagless(before)).encode()), compiled=False).findings("tt-bound")
    assert (finding.path, finding.severity) == ("b", "wrong")
    assert finding.message == (
        f"The entry states no bound, and node 1, an earlier visit of this key with its score, {says}, "
        "and yet it ended the visit."
    )


@pytest.mark.parametrize(
    "document",
    [
        flagless(visit(9, "exact")),
        flagless(visit(9, "lower"), beta=9),
        flagless(visit(9, "lower"), visit(9, "exact", ply="c")),
        flagless(visit(9, "lower"), table_carried=True),
        flagless(visit(9, "lower", depth=1)),
        flagless(windowed(12, 20), threads=2),
    ],
    ids=[
        "exact",
        "a lower bound that reaches beta",
        "another visit was exact",
        "carried",
        "of another depth",
        "in no order of time",
    ],
)
def test_a_table_without_flags_that_did_no_harm_is_left_alone(document: dict[str, Any]) -> None:
    assert found(document, "tt-bound") == []


def test_earlier_visits_are_looked_for_once_a_log_and_again_for_another_fail() -> None:
    log = read_log(json.dumps(flagless(windowed(12, 20))).encode())
    sight = derive(sight_of(log), Work())
    once = earlier_visits(sight, Work())
    assert earlier_visits(sight, Work()) is once
    assert earlier_visits(sight._replace(fail=HARD), Work()) is not once


def test_an_entry_of_a_log_that_begins_later_is_odd() -> None:
    document = keyed(visit(9, "lower"), hit(9, "exact"))
    document["root"]["iteration"] = 3
    (finding,) = check(read_log(json.dumps(document).encode()), compiled=False).findings("tt-source")
    assert finding.severity == "odd"
    assert finding.message == (
        "No earlier visit of this key returned what the entry says: node 1 returned a score that is lower, "
        "but its entry calls it exact."
    )


def mates(stored: float, fail: str | None, level: int = 2) -> dict[str, Any]:
    """A win that was stored at level 1 and is used further below."""
    won = {"ply": "x", "layer": "max", "depth": 1, "outcome": "terminal", "ending": "win", "score": 98}
    source = visit(98, "exact", children=[won])
    entry = hit(stored, "exact", ply="p1")
    entry["tt"]["from"] = 1
    for at in range(level - 1):
        entry = {"ply": f"q{at}", "layer": "min", "depth": 2, "score": stored, "children": [entry]}
    search = {"mate": {"score": 100, "step": 1, "threshold": 50}, **({"fail": fail} if fail else {})}
    return {
        "plyscope": 1,
        "search": search,
        "root": {"layer": "max", "score": 98, "children": [source, entry]},
    }


@pytest.mark.parametrize("fail", ["soft", "hard", None])
@pytest.mark.parametrize(("level", "right"), [(2, 97), (3, 96), (4, 95)])
def test_a_win_is_shifted_by_its_distance_whatever_fail_is(
    fail: str | None, level: int, right: float
) -> None:
    assert "tt-source" not in {rule for rule, _ in found(mates(right, fail, level))}
    assert "tt-source" in {rule for rule, _ in found(mates(98, fail, level))}


@pytest.mark.parametrize(
    ("layer", "bound", "score", "cuts"),
    [
        ("max", "lower", 97, True),
        ("max", "lower", 96, False),
        ("min", "lower", 98, True),
        ("min", "lower", 97, False),
        ("min", "upper", -97, True),
        ("max", "upper", -98, True),
        ("max", "upper", -97, False),
    ],
)
def test_an_entry_cuts_that_reaches_the_nearest_mate(
    layer: str, bound: str, score: float, cuts: bool
) -> None:
    """At level 2 the mover wins by the next ply at best, 97, and is mated at worst, -98."""
    entry = {"use": "cut", "bound": bound, "score": score}
    said = {
        "ply": "b",
        "layer": layer,
        "alpha": None,
        "beta": None,
        "outcome": "tt",
        "tt": entry,
        "score": score,
    }
    a = {"ply": "a", "layer": "min", "score": score, "alpha": None, "beta": None, "children": [said]}
    search = {"mate": {"score": 100, "step": 1, "threshold": 50}}
    document = {"plyscope": 1, "search": search, "root": {"layer": "max", "score": score, "children": [a]}}
    assert (found(document, "tt-bound") == []) is cuts


def test_an_entry_is_as_deep_as_its_source_where_it_states_no_depth() -> None:
    document = keyed(visit(4, "exact", depth=1, id=1), hit(4, "exact"))
    entry = child(document, 1)
    del entry["tt"]["depth"]
    assert found(document, "tt-depth") == []
    entry["tt"]["from"] = 1
    assert found(document, "tt-depth") == [("tt-depth", "b")]
    child(document, 0)["children"][0]["extension"] = 1
    assert found(document, "tt-depth") == []
