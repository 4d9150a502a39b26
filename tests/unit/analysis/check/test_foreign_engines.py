"""Engines of other styles: correct ones give nothing wrong, whatever they omit; broken ones are found."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.check.text import lines
from plyscope.visualizer.formats.detect import read_log
from tests.foreign_engines.engine import Engine, Style
from tests.foreign_engines.grown import Growing, GrownStyle
from tests.property.examples import examples
from tests.unit.analysis.check.checked import found
from tests.unit.logs import log_of

SOUND = {
    "negamax, fail-soft": Style(),
    "negamax, fail-hard": Style(hard=True),
    "scouts": Style(scouts=True),
    "re-searches from the scout's score, unnamed": Style(scouts=True, raises=True, omits=("purpose",)),
    "no re-search at the frontier": Style(scouts=True, trusts_frontier=True),
    "no re-search at the frontier, no bounds": Style(scouts=True, trusts_frontier=True, omits=("bound",)),
    "reductions": Style(scouts=True, reduces=True),
    "reductions that nothing states": Style(scouts=True, reduces=True, omits=("reduction", "depth")),
    "internal iterative reduction": Style(lowers=True, table=True, scouts=True, depth=6),
    "internal iterative reduction, late-move reductions": Style(
        lowers=True, reduces=True, table=True, scouts=True, depth=7
    ),
    "mates kept as bounds": Style(keeps_mates=True, table=True, deepens=True, scouts=True, depth=5),
    "MTD(f)": Style(drives=True, table=True, deepens=True),
    "aspiration, both passes": Style(aspires=30, deepens=True, table=True, scouts=True),
    "aspiration, fail-hard": Style(aspires=30, deepens=True, hard=True),
    "quiescence": Style(stands_pat=True, scouts=True),
    "quiescence without stand_pat": Style(stands_pat=True, omits=("stand_pat", "cut_by", "quiescence")),
    "razoring": Style(razors=True, scouts=True),
    "razoring, unnamed": Style(razors=True, scouts=True, omits=("cut_by",)),
    "mate distance pruning": Style(bounds_mates=True, scouts=True, depth=5),
    "probes of the same position": Style(probes=True, depth=5),
    "two plies in a row": Style(doubles=True, stands_pat=True, scouts=True, aspires=30, deepens=True),
    "null windows of a hundredth, undeclared": Style(scouts=True, width=0.01, declares=False),
    "cuts without stubs": Style(scouts=True, stubs=False),
    "futility": Style(skips=True, scouts=True),
    "futility, fail-hard": Style(skips=True, scouts=True, hard=True),
    "futility and delta pruning": Style(skips=True, stands_pat=True, scouts=True, table=True, deepens=True),
    "alpha lifted by a margin": Style(lifts=True, scouts=True, deepens=True),
    "alpha lifted by a margin, fail-hard": Style(lifts=True, hard=True),
    "ProbCut": Style(guesses_cuts=True, scouts=True, depth=5),
    "capped scores": Style(takes="capped", scouts=True),
    "capped scores, no scouts": Style(takes="capped", table=True, deepens=True),
    "rewards for plies": Style(takes="rewarded", table=True, deepens=True),
    "rewards for plies, scouts and reductions": Style(takes="rewarded", scouts=True, reduces=True),
    "fading scores": Style(takes="faded", scouts=True),
    "fading scores, fail-hard": Style(takes="faded", hard=True),
    "decaying mates": Style(takes="decayed", scouts=True, depth=6),
    "decaying mates, windows too": Style(takes="decayed", scouts=True, aspires=30, deepens=True, depth=6),
    "decaying mates, open edges too": Style(takes="decayed", moves_open=True, depth=2),
    "decaying mates, open edges too, scouts": Style(takes="decayed", moves_open=True, scouts=True, depth=6),
    "fading scores, open edges too": Style(takes="faded", moves_open=True, deepens=True),
    "MTD(f) with futility": Style(drives=True, skips=True, deepens=True),
    "coarse MTD": Style(drives=True, grain=40, table=True, hard=True),
    "coarse MTD, deepening": Style(drives=True, grain=15, deepens=True, hard=True),
    "threads": Style(threads=True, scouts=True, table=True, deepens=True),
    "threads, reductions and quiescence": Style(threads=True, scouts=True, reduces=True, stands_pat=True),
    "lazy SMP": Style(lazy=True, scouts=True, table=True, deepens=True),
    "lazy SMP, rows out of order": Style(lazy=True, threads=True, table=True, aspires=30, deepens=True),
    "tablebases": Style(tablebases=True, scouts=True, table=True, deepens=True),
    "tablebases, fail-hard": Style(tablebases=True, hard=True, scouts=True),
    "half the plies in the log": Style(forgets=True, scouts=True),
    "half the plies in the log, no windows": Style(forgets=True, omits=("alpha", "beta")),
    "stopped by the clock": Style(stops=90, deepens=True, scouts=True, table=True),
    "stopped by the clock, aspiration": Style(stops=60, deepens=True, aspires=30),
    "scores alone": Style(
        omits=("depth", "alpha", "beta", "bound", "key", "outcome", "moves"), declares=False
    ),
}

GROWN = {
    "proof-number search": GrownStyle(proves=True),
    "proof-number search, seen by the mover": GrownStyle(proves=True, turned=True),
    "proof-number search that drops what is solved": GrownStyle(proves=True, forgets=True, expansions=200),
    "proof-number search, order unsaid": GrownStyle(proves=True, order=False),
    "proof-number search, order unsaid, dropping": GrownStyle(proves=True, order=False, forgets=True),
    "proof-number search, bounds and moves unsaid": GrownStyle(
        proves=True, order=False, omits=("bound", "moves", "outcome")
    ),
    "best-first minimax": GrownStyle(),
    "best-first minimax, seen by the mover": GrownStyle(turned=True),
    "best-first minimax, order unsaid": GrownStyle(order=False, expansions=200),
    "best-first minimax, order unsaid, seen by the mover": GrownStyle(order=False, turned=True),
    "best-first minimax, scores alone": GrownStyle(
        order=False, omits=("outcome", "moves", "static", "ending", "key")
    ),
}

FOUND = {
    "wrong sign": "value",
    "window not turned": "window",
    "last child wins": "value",
    "margin in the cut": "cut",
    "no re-search": "research-missing",
    "shallow re-search": "depth-step",
    "everything is exact": "claim",
    "bounds stored as exact": "tt-source",
    "mate not shifted": "tt-source",
    "key without the side": "key-side",
}


def report_of(style: Style, seed: int, form: str = "nested") -> Report:
    paper = Engine(style, seed).run()
    return check(read_log(paper.nested() if form == "nested" else paper.jsonl()), compiled=False)


@pytest.mark.parametrize("style", SOUND.values(), ids=SOUND)
def test_a_correct_search_of_another_style_gives_nothing_wrong(style: Style) -> None:
    for seed in range(examples(6, least=2)):
        report = report_of(style, seed, "jsonl" if seed % 2 else "nested")
        assert report.findings(severity="wrong") == []


@pytest.mark.parametrize("style", GROWN.values(), ids=GROWN)
def test_a_tree_grown_at_its_most_promising_leaf_gives_nothing_wrong(style: GrownStyle) -> None:
    judged: set[str] = set()
    for seed in range(8):
        paper = Growing(style, seed).run()
        log = read_log(paper.by_level() if seed % 2 else paper.nested())
        report = check(log, compiled=False)
        assert report.findings(severity="wrong") == [], seed
        judged |= set(report.checked)
    assert "value" in judged or style.order or style.forgets
    assert {"nan", "result"} <= judged


TRACES = {
    "internal iterative reduction": (b'"reduction": 1', b'"tt"'),
    "mates kept as bounds": (b"31000",),
    "futility and delta pruning": (b'"estimate"', b'"skipped"'),
    "alpha lifted by a margin": (b'"estimate"',),
    "ProbCut": (b'"cut_by": "estimate"', b'"probe"'),
    "capped scores": (b'"counted_as"',),
    "rewards for plies": (b'"counted_as"',),
    "fading scores": (b'"counted_as"',),
    "decaying mates": (b'"counted_as"',),
    "coarse MTD": (b'"result": {"root"',),
    "threads": (b'"stopped"', b'"threads": 4'),
    "lazy SMP": (b'"threads": 2', b'"outcome": "tt"'),
    "tablebases": (b'"why": "tablebase"',),
    "half the plies in the log": (b'"unlogged"',),
    "stopped by the clock": (b'"stopped"',),
}


@pytest.mark.parametrize("name", TRACES)
def test_the_styles_do_what_they_are_called(name: str) -> None:
    logs = [Engine(SOUND[name], seed).run().jsonl() for seed in range(4)]
    assert all(any(trace in log for log in logs) for trace in TRACES[name])


@pytest.mark.parametrize("bug", FOUND)
def test_a_classic_bug_is_found_by_its_rule(bug: str) -> None:
    broken = Style(scouts=True, table=True, deepens=True, bug=bug)
    reports = [report_of(broken, seed) for seed in range(4)]
    assert any(group.rule == FOUND[bug] for report in reports for group in report.groups)
    mended = replace(broken, bug="")
    assert not any(report_of(mended, seed).findings(severity="wrong") for seed in range(4))


def test_a_mate_that_was_not_reached_and_is_kept_as_one_is_found_in_the_table() -> None:
    sound = SOUND["mates kept as bounds"]
    broken = replace(sound, bug="mates that were not reached kept as mates")
    findings = [each for seed in range(12) for each in report_of(broken, seed).findings("tt-source")]
    assert {each.severity for each in findings} == {"wrong"}
    assert any("calls it" in each.message for each in findings)


def test_a_missed_cut_is_told_by_itself_and_not_by_claims_in_empty_windows() -> None:
    broken = Style(scouts=True, deepens=True, bug="no cut at beta itself")
    groups = [group.rule for seed in range(4) for group in report_of(broken, seed).groups]
    assert set(groups) == {"cut-missed"}


def test_standing_pat_unsaid_may_help_the_mover_but_not_hurt_it() -> None:
    for score, expected in ((5, []), (3, [("value", "root")])):
        root = {"layer": "max", "score": score, "quiescence": True, "children": [leaf("a", 4)]}
        assert found({"plyscope": 1, "root": root}, "value") == expected


def test_a_log_without_scores_has_nothing_to_judge() -> None:
    report = check(log_of({"layer": "max", "children": [{"ply": "a", "layer": "min"}]}), compiled=False)
    assert report.checked == ()
    assert "nothing to judge" in next(lines("a log", 2, report.checked, [], report.not_checked))


def leaf(ply: str, score: float, **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "layer": "min", "score": score, "outcome": "leaf", **fields}


# Two null windows around 4, as of MTD(f): at least 4, then at most 4.
PASSES = [
    {"iteration": 1, "layer": "max", "score": 4, "bound": "lower", "children": [leaf("a", 4, bound="lower")]},
    {"iteration": 1, "layer": "max", "score": 4, "bound": "upper", "children": [leaf("a", 4, bound="upper")]},
]


def test_two_passes_whose_bounds_meet_prove_the_result() -> None:
    document = {"plyscope": 1, "roots": PASSES, "result": {"ply": "a", "score": 4}}
    assert found(document, "result") == []


def test_passes_whose_bounds_do_not_meet_prove_no_result() -> None:
    low = {**PASSES[0], "score": 3, "children": [leaf("a", 3, bound="lower")]}
    document = {"plyscope": 1, "roots": [low, PASSES[1]], "result": {"ply": "a", "score": 4}}
    assert found(document, "result") != []


def test_bounds_of_another_iteration_prove_no_result() -> None:
    document = {"plyscope": 1, "roots": [PASSES[0], {**PASSES[1], "iteration": 2}], "result": {"score": 4}}
    assert found(document, "result") != []


def test_averages_of_a_monte_carlo_tree_are_not_judged_as_best_children() -> None:
    children = [leaf("a", 1.0, visits=3), leaf("b", -1.0, visits=1)]
    root = {"layer": "max", "score": 0.5, "visits": 4, "children": children}
    report = check(log_of(root), compiled=False)
    assert "value" not in report.checked
    assert any(each.rule == "value" and "average" in (each.why or "") for each in report.not_checked)


def test_a_scout_above_bounds_needs_a_re_search_though_one_above_exact_leaves_does_not() -> None:
    below = {"ply": "x", "layer": "max", "score": 8, "outcome": "leaf", "bound": "exact"}
    scout = {
        "ply": "b",
        "layer": "min",
        "score": 8,
        "bound": "lower",
        "alpha": 5,
        "beta": 6,
        "purpose": "scout",
    }
    first = leaf("a", 5, bound="exact", alpha=None, beta=None)
    for pruned, expected in (([], []), ([{"outcome": "pruned", "count": 1}], [("research-missing", "b")])):
        second = {**scout, "children": [below, *pruned]}
        root = {"layer": "max", "score": 8, "alpha": None, "beta": None, "children": [first, second]}
        assert found({"plyscope": 1, "root": root}, "research-missing") == expected


def test_a_cut_that_fails_low_is_wrong_only_where_plies_were_searched() -> None:
    root = {"layer": "max", "score": 1, "alpha": 4, "beta": 9, "outcome": "cutoff", "bound": "upper"}
    assert found({"plyscope": 1, "root": root}, "cut") == []
    searched = {**root, "children": [leaf("a", 1), {"outcome": "pruned", "count": 2}]}
    assert found({"plyscope": 1, "root": searched}, "cut") == [("cut", "root")]


def test_a_missing_stub_is_wrong_only_in_a_log_that_has_stubs() -> None:
    cut = {"layer": "max", "score": 9, "outcome": "cutoff", "moves": 2, "children": [leaf("a", 9)]}
    assert found({"plyscope": 1, "root": cut}, "moves") == []
    other = {**cut, "iteration": 2, "children": [leaf("a", 9), {"outcome": "pruned", "count": 1}]}
    roots = [{**cut, "iteration": 1}, other]
    assert found({"plyscope": 1, "roots": roots}, "moves") == [("moves", "root")]


def test_a_rank_beyond_all_rows_is_a_finding_and_no_failure() -> None:
    root = {"layer": "max", "score": 1, "bound": "exact", "children": [leaf("a", 1, bound="exact")]}
    result = {"ply": "a", "score": 1, "rank": 10**12}
    assert found({"plyscope": 1, "root": root, "result": result}, "result") == [("result", "a")]


def a_node_that_lowers_its_depth(*reductions: float, stored: float) -> dict[str, Any]:
    """Below `a` a node of depth 3 whose plies are reduced; its table entry, `stored` deep, ends `b`."""
    edges: dict[str, Any] = {"alpha": None, "beta": None}
    plies = [
        {"ply": f"p{i}", "layer": "max", "depth": 2 - by, "reduction": by, "score": 5 - i}
        for i, by in enumerate(reductions)
    ]
    lowered = leaf("c", 5, layer="min", depth=3, key="K", outcome="searched", children=plies) | edges
    for each in plies:
        each |= edges | {
            "outcome": "searched",
            "bound": "exact",
            "children": [leaf("d", each["score"], depth=each["depth"] - 1)],
        }
    last = plies[-1]["score"] if plies else 5
    lowered["score"] = last
    used = {"use": "cut", "depth": stored, "bound": "exact", "score": last, "from": 2}
    hit = leaf("c", last, depth=stored, key="K", outcome="tt", tt=used)
    a = {"ply": "a", "layer": "max", "score": last, "depth": 4, "children": [lowered | {"bound": "exact"}]}
    b = {"ply": "b", "layer": "max", "score": last, "depth": stored + 1, "children": [hit]}
    return {"plyscope": 1, "root": {"layer": "min", "score": last, "children": [a, b]}}


LOWERED = ("reduced-unverified", "tt-source")


def lowered_findings(document: Any) -> list[tuple[str, str, str]]:
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    return [(each.rule, each.severity, each.path) for rule in LOWERED for each in report.findings(rule)]


@pytest.mark.parametrize("reductions", [(1, 1), (1, 1, 1), ()])
def test_a_node_that_lowers_its_own_depth_has_no_ply_to_verify_and_stores_that_depth(
    reductions: tuple[float, ...],
) -> None:
    """Internal iterative reduction, razoring by a ply, extended futility that drops every ply."""
    assert lowered_findings(a_node_that_lowers_its_depth(*reductions, stored=2)) == []


def test_a_ply_that_is_reduced_more_than_the_node_is_verified() -> None:
    document = a_node_that_lowers_its_depth(1, 2, stored=2)
    assert lowered_findings(document) == [("reduced-unverified", "wrong", "a > c > p1")]


def test_an_entry_may_say_less_than_it_could_and_never_more() -> None:
    odd, wrong = ("tt-source", "odd", "b > c"), ("tt-source", "wrong", "b > c")
    assert lowered_findings(a_node_that_lowers_its_depth(0, 0, stored=2)) == [odd]
    assert lowered_findings(a_node_that_lowers_its_depth(1, 1, stored=1)) == [odd]
    assert lowered_findings(a_node_that_lowers_its_depth(0, 0, stored=4)) == [wrong]


def drawn_after_the_search(alpha_of_c: float) -> dict[str, Any]:
    """A root that goes by its best ply, or by a margin below it, and draws `a` among its exact plies."""
    plies = [
        leaf("a", 5, bound="exact", alpha=None, beta=None),
        leaf("b", 7, bound="exact", alpha=5, beta=None),
        leaf("c", 1, bound="upper", alpha=alpha_of_c, beta=None),
    ]
    root = {"layer": "max", "score": 7, "bound": "exact", "alpha": None, "beta": None, "children": plies}
    return {"plyscope": 1, "root": root, "result": {"ply": "a", "score": 5, "rank": 1}}


@pytest.mark.parametrize("alpha", [5, 6, 7])
def test_a_ply_may_be_drawn_after_a_search_for_the_best_one(alpha: float) -> None:
    assert found(drawn_after_the_search(alpha)) == []


def test_a_root_with_a_rank_has_no_window_beyond_its_best() -> None:
    assert found(drawn_after_the_search(alpha_of_c=8)) == [("window", "c")]


def chain(n: int) -> bytes:
    """Nodes one below the other, the last of them not a number."""
    lines: list[dict[str, Any]] = [{"plyscope": 1}, {"id": 0}]
    lines += [{"id": i, "parent": i - 1, "ply": f"p{i}"} for i in range(1, n)]
    lines[-1]["score"] = "nan"
    return b"\n".join(json.dumps(line).encode() for line in lines)


def test_a_very_long_path_is_told_by_its_ends() -> None:
    (finding,) = check(read_log(chain(1001)), compiled=False).findings()
    steps = finding.path.split(" > ")
    assert (steps[0], steps[100], steps[-1], len(steps)) == ("p1", "(800 plies)", "p1000", 201)


def test_visits_are_numbered_among_very_many_siblings() -> None:
    children = [leaf("ab"[i % 2], 0) for i in range(2000)]
    children[-1]["score"] = "nan"
    (finding,) = check(log_of({"layer": "max", "children": children}), compiled=False).findings("nan")
    assert finding.path == "b#1000"
