"""Engines of other styles: correct ones give nothing wrong, whatever they omit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.check.text import lines
from plyscope.visualizer.formats.detect import read_log
from tests.foreign_engines.dice import Dice, DiceStyle
from tests.foreign_engines.engine import Engine, Style
from tests.foreign_engines.grown import Growing, GrownStyle
from tests.foreign_engines.many import Many, ManyStyle
from tests.property.examples import examples
from tests.unit.analysis.check.checked import Cases, Node, found, held, log, node, report_of
from tests.unit.logs import log_of

SOUND = {
    "negamax, fail-soft": Style(),
    "negamax, fail-hard": Style(hard=True),
    "scouts": Style(scouts=True),
    "re-searches from the scout's score, unnamed": Style(scouts=True, raises=True, omits=("purpose",)),
    "no re-search at the frontier": Style(scouts=True, trusts_frontier=True),
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
    "rewards for plies": Style(takes="rewarded", table=True, deepens=True),
    "fading scores": Style(takes="faded", scouts=True),
    "decaying mates": Style(takes="decayed", scouts=True, depth=6),
    "decaying mates, windows too": Style(takes="decayed", scouts=True, aspires=30, deepens=True, depth=6),
    "decaying mates, open edges too": Style(takes="decayed", moves_open=True, depth=2),
    "decaying mates, open edges too, scouts": Style(takes="decayed", moves_open=True, scouts=True, depth=6),
    "fading scores, open edges too": Style(takes="faded", moves_open=True, deepens=True),
    "MTD(f) with futility": Style(drives=True, skips=True, deepens=True),
    "coarse MTD": Style(drives=True, grain=40, table=True, hard=True),
    "coarse MTD, deepening": Style(drives=True, grain=15, deepens=True, hard=True),
    "threads": Style(threads=True, scouts=True, table=True, deepens=True),
    "lazy SMP": Style(lazy=True, scouts=True, table=True, deepens=True),
    "lazy SMP, rows out of order": Style(lazy=True, threads=True, table=True, aspires=30, deepens=True),
    "tablebases": Style(tablebases=True, scouts=True, table=True, deepens=True),
    "half the plies in the log": Style(forgets=True, scouts=True),
    "half the plies in the log, no windows": Style(forgets=True, omits=("alpha", "beta")),
    "stopped by the clock": Style(stops=90, deepens=True, scouts=True, table=True),
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


@pytest.mark.parametrize("style", SOUND.values(), ids=SOUND)
def test_a_correct_search_of_another_style_gives_nothing_wrong(style: Style) -> None:
    for seed in range(examples(6, least=2)):
        paper = Engine(style, seed).run()
        log = read_log(paper.jsonl() if seed % 2 else paper.nested())
        assert check(log, compiled=False).findings(severity="wrong") == []


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


# Chance nodes, and more than two players

N_SEEDS = examples(30)

DICE = {
    "expectimax": DiceStyle(alone=True),
    "expectiminimax": DiceStyle(),
    "expectiminimax, seen by the mover": DiceStyle(turned=True, depth=5),
    "scores and priors alone": DiceStyle(omits=("bound", "outcome", "moves", "static")),
    "priors of three decimals": DiceStyle(priors="decimals"),
    "thirds of three decimals": DiceStyle(priors="decimals", alike=True),
    "no priors": DiceStyle(priors="none"),
    "no priors, no bounds": DiceStyle(priors="none", omits=("bound",)),
    "scores of two decimals": DiceStyle(decimals=2),
    "scores cut to whole numbers": DiceStyle(whole=True, turned=True),
    "rewards": DiceStyle(rewards=True),
    "unlogged outcomes": DiceStyle(unlogged="stub"),
    "outcomes left out silently": DiceStyle(unlogged="silent", omits=("moves",)),
    "star1": DiceStyle(star1=True, depth=5),
    "star1, seen by the mover": DiceStyle(star1=True, depth=5, turned=True),
    "star1, fail-hard, undeclared": DiceStyle(star1=True, hard=True, depth=5, omits=("fail", "bound")),
    "star1, thirds": DiceStyle(star1=True, alike=True, depth=5, priors="decimals"),
    "star1 without windows": DiceStyle(star1=True, depth=5, omits=("alpha", "beta")),
    "star1, scores alone": DiceStyle(
        star1=True, depth=5, omits=("alpha", "beta", "bound", "outcome", "moves", "fail")
    ),
    "star1, no priors": DiceStyle(star1=True, depth=5, priors="none", omits=("moves",)),
    "star1, no priors, scores alone": DiceStyle(
        star1=True, depth=5, priors="none", omits=("alpha", "beta", "bound", "outcome", "moves", "fail")
    ),
}
LEFT_OUT = "outcomes left out silently"
UNJUDGED = "star1, no priors, scores alone"

MANY = {
    "maxn": ManyStyle(),
    "maxn with ties": ManyStyle(most=1),
    "maxn, the last of equals": ManyStyle(most=1, ties="last", n_players=4),
    "maxn, the first rival's layer min": ManyStyle(layers="mixed"),
    "maxn without layers": ManyStyle(layers="none"),
    "maxn, another at the root, declared": ManyStyle(shifted=True, declared=True),
    "maxn, rewards": ManyStyle(rewards=True),
    "maxn, shallow pruning, no bounds": ManyStyle(prunes=True, depth=5, omits=("bound", "outcome")),
    "maxn without movers, the root player declared": ManyStyle(omits=("player",), declared=True),
    "maxn without vectors": ManyStyle(omits=("scores",)),
    "maxn, seen by the mover, the first rival's layer min": ManyStyle(turned=True, layers="mixed"),
    "maxn without layers, seen by the mover": ManyStyle(turned=True, layers="none"),
    "maxn, seen by the mover": ManyStyle(turned=True),
    "maxn of four with ties, seen by the mover": ManyStyle(turned=True, n_players=4, most=1, ties="last"),
    "maxn, seen by the mover, another at the root": ManyStyle(turned=True, shifted=True, declared=True),
    "paranoid, seen by the mover": ManyStyle(turned=True, paranoid=True, n_players=4),
    "paranoid without vectors, seen by the mover": ManyStyle(turned=True, paranoid=True, omits=("scores",)),
    "paranoid, rewards": ManyStyle(paranoid=True, rewards=True),
    "paranoid": ManyStyle(paranoid=True),
    "paranoid without vectors": ManyStyle(paranoid=True, omits=("scores",)),
}


@pytest.mark.parametrize("name", DICE)
def test_a_correct_search_with_chance_nodes_has_nothing_wrong(name: str) -> None:
    n_judged = 0
    for seed in range(N_SEEDS):
        report = report_of(Dice(seed, DICE[name]).log())
        expected = {("odd", "chance")} if name == LEFT_OUT else set()
        assert {(each.severity, each.rule) for each in report.findings()} == expected, seed
        n_judged += "chance" in report.checked
    assert (n_judged > N_SEEDS // 3) is (name != UNJUDGED)


@pytest.mark.parametrize("name", [name for name in MANY if MANY[name].turned])
def test_scores_of_many_players_are_those_of_the_log_that_the_root_player_wrote(name: str) -> None:
    for seed in range(N_SEEDS):
        turned = log_of(**Many(seed, MANY[name]).log())
        of_root = log_of(**Many(seed, replace(MANY[name], turned=False)).log())
        assert turned.columns["score"].tolist() == of_root.columns["score"].tolist(), seed
        assert turned.columns["layer"].tolist() == of_root.columns["layer"].tolist(), seed


@pytest.mark.parametrize("name", MANY)
def test_a_correct_search_of_many_players_has_nothing_wrong(name: str) -> None:
    n_judged = 0
    for seed in range(N_SEEDS):
        report = report_of(Many(seed, MANY[name]).log())
        assert report.findings() == [], seed
        n_judged += "maxn" in report.checked
    assert (n_judged > N_SEEDS // 3) is ("scores" not in MANY[name].omits)


# What engines do and do wrong, in a few nodes


def leaf(ply: str, score: float, **fields: Any) -> Node:
    return node(ply, "min", score, outcome="leaf") | fields


def root(score: float, *children: Node, **fields: Any) -> Any:
    return log(node(None, "max", score, *children) | fields)


def passes(*bounds: tuple[float, str, int], **result: Any) -> Any:
    """Null windows as of MTD(f): the score of each, its bound, its iteration."""
    roots = [
        node(None, "max", score, leaf("a", score, bound=bound), bound=bound, iteration=iteration)
        for score, bound, iteration in bounds
    ]
    return {"plyscope": 1, "roots": roots, "result": {"score": 4, **result}}


def scouted(*pruned: Node) -> Any:
    """A scout above its window, whose replies may have been pruned, and no re-search."""
    below = node("x", "max", 8, outcome="leaf", bound="exact")
    scout = node("b", "min", 8, below, *pruned, bound="lower", alpha=5, beta=6, purpose="scout")
    return root(8, leaf("a", 5, bound="exact", alpha=None, beta=None), scout, alpha=None, beta=None)


def drawn_after_the_search(alpha_of_c: float) -> Any:
    """A root that goes by its best ply, or by a margin below it, and draws `a` among its exact plies."""
    plies = ("a", 5, "exact", None), ("b", 7, "exact", 5), ("c", 1, "upper", alpha_of_c)
    leaves = [leaf(ply, score, bound=bound, alpha=alpha, beta=None) for ply, score, bound, alpha in plies]
    drawn = root(7, *leaves, bound="exact", alpha=None, beta=None)
    return drawn | {"result": {"ply": "a", "score": 5, "rank": 1}}


def lowered(*reductions: float, stored: float) -> Any:
    """Below `a` a node of depth 3 whose plies are reduced; its table entry, `stored` deep, ends `b`."""
    edges: Node = {"alpha": None, "beta": None, "outcome": "searched"}
    plies = [
        node(f"p{i}", "max", 5 - i, leaf("d", 5 - i, depth=1 - by), depth=2 - by, reduction=by, bound="exact")
        | edges
        for i, by in enumerate(reductions)
    ]
    last = plies[-1]["score"] if plies else 5
    c = leaf("c", last, depth=3, key="K", children=plies, bound="exact") | edges
    used = {"use": "cut", "depth": stored, "bound": "exact", "score": last, "from": 2}
    hit = leaf("c", last, depth=stored, key="K", outcome="tt", tt=used)
    sides = node("a", "max", last, c, depth=4), node("b", "max", last, hit, depth=stored + 1)
    return log(node(None, "min", last, *sides))


LOW, HIGH = (4, "lower", 1), (4, "upper", 1)
FAILED_LOW: Node = {"alpha": 4, "beta": 9, "outcome": "cutoff", "bound": "upper"}
CUT = node(None, "max", 9, leaf("a", 9), outcome="cutoff", moves=2)
STUBBED = CUT | {"iteration": 2, "children": [leaf("a", 9), {"outcome": "pruned", "count": 1}]}
CASES: Cases = {
    "value: standing pat unsaid may help the mover but not hurt it": [
        (root(5, leaf("a", 4), quiescence=True), ""),
        (root(3, leaf("a", 4), quiescence=True), "wrong value root"),
    ],
    "result: two passes prove it whose bounds meet in one iteration; a rank beyond all rows is a finding": [
        (passes(LOW, HIGH, ply="a"), ""),
        (passes((3, "lower", 1), HIGH, ply="a"), "wrong result a, wrong result root"),
        (passes(LOW, (4, "upper", 2)), "wrong result root"),  # of another iteration
        (
            root(1, leaf("a", 1, bound="exact"), bound="exact")
            | {"result": {"ply": "a", "score": 1, "rank": 10**12}},
            "wrong result a",
        ),
    ],
    "research-missing: a scout above exact leaves needs none, one above bounds does": [
        (scouted(), ""),
        (scouted({"outcome": "pruned", "count": 1}), "wrong research-missing b"),
    ],
    "cut: one that fails low is wrong only where plies were searched": [
        (root(1, **FAILED_LOW), ""),
        (root(1, leaf("a", 1), {"outcome": "pruned", "count": 2}, **FAILED_LOW), "wrong cut root"),
        (
            root(8.5, leaf("a", 8.5), {"outcome": "pruned"}, **FAILED_LOW | {"bound": "lower"}),
            "wrong cut root",
        ),
    ],
    "moves: a missing stub is wrong only in a log that has stubs": [
        (log(CUT), ""),
        ({"plyscope": 1, "roots": [CUT | {"iteration": 1}, STUBBED]}, "wrong moves root"),
    ],
    "a ply may be drawn after a search for the best one, in no window beyond it": [
        *((drawn_after_the_search(alpha), "") for alpha in (5, 6, 7)),
        (drawn_after_the_search(8), "wrong window c"),
    ],
    "reduced-unverified: a node that lowers its own depth has no ply to verify": [
        (lowered(1, 1, stored=2), ""),
        (lowered(1, 2, stored=2), "wrong reduced-unverified a > c > p1"),
    ],
    "tt-source: it stores that depth, or says less than it could and never more": [
        (lowered(1, 1, stored=2), ""),
        (lowered(0, 0, stored=2), "odd tt-source b > c"),
        (lowered(1, 1, stored=1), "odd tt-source b > c"),
        (lowered(0, 0, stored=4), "wrong tt-source b > c"),
    ],
}

test_what_engines_do_and_do_wrong = held(CASES)


def test_averages_of_a_monte_carlo_tree_are_not_judged_as_best_children() -> None:
    report = report_of(root(0.5, leaf("a", 1.0, visits=3), leaf("b", -1.0, visits=1), visits=4))
    assert "value" not in report.checked
    assert any(each.rule == "value" and "average" in (each.why or "") for each in report.not_checked)


def test_a_log_without_scores_has_nothing_to_judge() -> None:
    report = report_of(log({"layer": "max", "children": [{"ply": "a", "layer": "min"}]}))
    assert report.checked == ()
    assert "nothing to judge" in next(lines("a log", 2, report.checked, [], report.not_checked))


def test_visits_are_numbered_among_very_many_siblings() -> None:
    children = [leaf("ab"[i % 2], 0) for i in range(2000)]
    children[-1]["score"] = "nan"
    assert found(log({"layer": "max", "children": children}), "nan") == [("nan", "b#1000")]
