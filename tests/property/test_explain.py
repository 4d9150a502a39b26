"""Tests of explanations: each claim a second, slow way, over random correct searches and other logs."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import score_as_taken
from plyscope.visualizer.analysis.columns.sight import COUNTED, Sight, sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.analysis.explain.answer import Explained, explain
from plyscope.visualizer.analysis.explain.causes import overturned_of, refutation_of
from plyscope.visualizer.analysis.explain.pair import Named, Nothing, Pair, find_pair
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree
from tests.foreign_engines.dice import Dice
from tests.foreign_engines.engine import Engine
from tests.foreign_engines.grown import Growing
from tests.foreign_engines.many import Many
from tests.property.examples import examples
from tests.second_engine.engine import SecondEngine
from tests.second_engine.options import drawn_options
from tests.second_engine.sound import ply_scores, sound_search
from tests.second_engine.worlds import Maze
from tests.unit.analysis.check.test_foreign_engines import DICE, GROWN, MANY, SOUND
from tests.unit.logs import there
from tests.zoo.broken import broken_log

HERE = Path(__file__).parents[2]
N_SEARCHES = examples(40, least=16)
MOST_PAIRS = 40
FEW_PAIRS = examples(10, least=2)
"""Of each of the many logs of which only the sums are held."""


def pairs_of(tree: Tree, draw: random.Random, most: int) -> list[tuple[int, int]]:
    """Pairs of rows with one parent, at random, those of roots first."""
    parents = [row for row in range(tree.log.n_rows) if tree.n_children(row) > 1]
    roots = [row for row in parents if tree.log.columns["parent"][row] < 0]
    found = []
    for parent in [each for rows in (roots, parents) for each in draw.sample(rows, min(len(rows), most))]:
        siblings = tree.children(parent).tolist()
        both = list(combinations(siblings[:12], 2))
        found += draw.sample(both, min(3, len(both)))
    return [pair if draw.random() < 0.5 else pair[::-1] for pair in found]


def hold_sums(found: Explained) -> None:
    """The amounts add up to the margin, to the last bit; the margin is the difference of the scores."""
    if found.margin is None:
        assert found.split == ()
        return
    one, two = found.sides
    assert found.margin == one.score - two.score
    assert math.fsum(part.amount for part in found.split) == found.margin
    assert sum(part.name == "rounding" for part in found.split) <= 1
    assert json.loads(json.dumps(found.as_json(), allow_nan=False))["margin"] == found.margin


def interval_of(sight: Sight, tree: Tree, row: int) -> tuple[float, float] | None:
    """The interval that the counted visits of a ply claim together; None where two contradict."""
    parent, ply = int(sight.parent[row]), sight.ply[row]
    same = [each for each in tree.children(parent).tolist() if ply >= 0 and sight.ply[each] == ply]
    low, high = -math.inf, math.inf
    for each in same:
        if sight.outcome[each] < words.FIRST_STUB and sight.marks[each] & COUNTED:
            least, most = claim_of(sight, each)
            low = max(low, score_as_taken(sight, each, least))
            high = min(high, score_as_taken(sight, each, most))
    return (low, high) if low <= high else None


def hold_margin(found: Explained, sight: Sight, tree: Tree) -> None:
    """Assert that the margin bounds the lead as it says, by intervals within those that `check` finds."""
    if found.margin is None or found.rival is None or found.chosen is None:
        return
    for side in found.sides:
        claimed = interval_of(sight, tree, side.row)
        if claimed is None:
            return
        assert not side.low < claimed[0]
        assert not side.high > claimed[1]
    one, two = ((side.low, side.high) for side in found.sides)
    layer = sight.layer[sight.parent[found.chosen]]
    sign = -1.0 if layer == words.MIN else 1.0
    least, most = sorted((sign * (one[0] - two[1]), sign * (one[1] - two[0])))
    lead = sign * found.margin
    match found.margin_is:
        case "exact":
            assert least == lead == most
        case "at_least":
            assert least == lead < most
        case "at_most":
            assert least < lead == most
        case "unknown":
            assert least < most


def hold_parts(found: Explained, tree: Tree) -> None:
    """The amount of a factor: weight times value at the one end less that at the other."""
    if found.margin is None or tree.log.column("contributions") is not None:
        return
    weights = {factor.name: factor.weight or 0.0 for factor in tree.log.factors}
    ends = []
    for side in found.sides:
        has_leaf = side.line.how in ("leaf", "stand_pat", "end")
        ends.append((Node(tree, side.line.leaf).factors or {}) if has_leaf else {})
    for part in found.split:
        if part.kind == "factor":
            one, two = (weights[part.name] * (end.get(part.name) or 0.0) for end in ends)
            assert part.amount == one - two


def hold_refutation(found: Explained, tree: Tree, sight: Sight, pair: Pair) -> bool:
    """The reply that is said to refute a ply leaves its mover no more than the margin says."""
    if found.margin is None:
        return False
    refutation = refutation_of(tree, Deciding(tree), pair, found.sides[1])
    sign = 1 if Node(tree, pair.parent).layer == "max" else -1
    if found.margin_is != "unknown" and sign * found.margin < 0:
        refutation = None  # the rival may be the better one: whatever closed a window refutes nothing
    said = [each for each in found.sentences if " refutes " in str(each)]
    assert len(said) == (refutation is not None)
    if refutation is None:
        return False
    reply, rival = Node(tree, refutation.reply), Node(tree, pair.rival)
    assert reply.parent == rival
    assert {rival.parent and rival.parent.layer, rival.layer} == {"max", "min"}
    deciding = Deciding(tree)
    visits = there(deciding.visits_with(rival.row, reply.row))
    interval = deciding.known(rival.row, deciding.counted(visits))
    assert rival.score is not None
    # The reply alone is enough for the opponent.
    assert interval[1] <= rival.score if rival.layer == "min" else interval[0] >= rival.score
    after = [child for child in rival.children if child.outcome == "pruned"]
    assert refutation.n_unsearched == sum(child.count or 0 for child in after)
    return True


def hold_overturned(found: Explained, tree: Tree, pair: Pair) -> bool:
    """The rank and the level at which the order of the pre_scores turned, by nodes instead of columns."""
    if found.margin is None:
        return False
    one, two = found.sides
    overturned = overturned_of(tree, pair, one, two)
    if overturned is None:
        return False
    above = Node(tree, pair.parent)
    sign = 1 if above.layer == "max" else -1
    best_of: dict[str | None, float] = {}
    for child in above.children:
        if not child.is_stub and child.purpose not in ("null", "probe"):
            best_of[child.ply] = sign * (child.pre_score or 0.0)
    mine = sign * (Node(tree, one.row).pre_score or 0.0)
    assert overturned.rank == 1 + sum(value > mine for value in best_of.values()) > 1
    lines = [[Node(tree, row) for row in side.rows] for side in (one, two)]
    ahead = []
    for place, (x, y) in enumerate(zip(*lines, strict=False)):
        if place and (x.parent != lines[0][place - 1] or y.parent != lines[1][place - 1]):
            break
        if x.pre_score is None or y.pre_score is None:
            break
        ahead.append(sign * x.pre_score > sign * y.pre_score)
    turns = [place for place in range(len(ahead)) if ahead[place]]
    expected = (lines[0][turns[0]].level, lines[0][turns[0]].row) if turns else None
    assert overturned.turn == expected
    return True


def hold(tree: Tree, seed: int, *, is_sound: bool = True) -> Counter[str]:
    """Hold each claim about some pairs of a log; how often each kind came in a sound one."""
    sight = derive(sight_of(tree.log), Work()) if is_sound else None
    seen: Counter[str] = Counter()
    asked: list[tuple[Named | None, Named | None]] = [(None, None)]
    for chosen, rival in pairs_of(tree, random.Random(seed), MOST_PAIRS if is_sound else FEW_PAIRS):
        asked += [(Named(chosen), Named(rival)), (Named(chosen), None), (None, Named(rival))]
    for one, two in asked:
        found = explain(tree, one, two)
        assert found.sentences
        assert all(str(each).strip() for each in found.sentences)
        hold_sums(found)
        if sight is None:
            continue
        assert not any(str(each).startswith("`check` calls") for each in found.sentences)
        pair = find_pair(tree, Deciding(tree), one, two)
        seen["nothing" if isinstance(pair, Nothing) else found.margin_is] += 1
        if isinstance(pair, Nothing) or len(found.sides) < 2:
            continue
        hold_margin(found, sight, tree)
        hold_parts(found, tree)
        seen["refuted"] += hold_refutation(found, tree, sight, pair)
        seen["overturned"] += hold_overturned(found, tree, pair)
    return seen


def test_every_claim_holds_in_correct_searches() -> None:
    seen: Counter[str] = Counter()
    for seed in range(N_SEARCHES):
        made = sound_search(seed)
        try:
            seen += hold(Tree(made.log), seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {made.what[:300]}") from error
    assert {"exact", "at_least", "at_most", "unknown", "nothing", "refuted", "overturned"} <= set(seen), seen


def test_what_is_called_exact_is_what_plain_minimax_finds() -> None:
    n_exact = n_bounds = 0
    n_searches = examples(150, least=30)
    for seed in range(n_searches):
        draw = random.Random(seed)
        world = Maze(seed, draw.choice([12, 20, 40]), draw.choice([2, 3, 4]))
        options = drawn_options(draw, world, exact=True)
        truth = ply_scores(world, options)
        tree = Tree(read_log(json.dumps(SecondEngine(world, options).log()).encode()))
        root = tree.main_root
        for row in tree.children(root).tolist():
            found = explain(tree, None if tree.is_stub[row] else Named(row))
            for side in found.sides:
                ply = there(tree.ply(side.row))
                n_exact += side.bound == "exact"
                n_bounds += side.bound != "exact"
                assert side.bound == "lower" or side.score >= truth[ply], (seed, ply)
                assert side.bound == "upper" or side.score <= truth[ply], (seed, ply)
    assert min(n_exact, n_bounds) > n_searches // 3


def test_sums_are_exact_in_broken_logs_too() -> None:
    for seed in range(N_SEARCHES):
        hold(Tree(broken_log(seed)), seed, is_sound=False)


LOGS = sorted(
    path
    for folder in ("examples", "examples/bugs", "tests/cases")
    for path in (HERE / folder).iterdir()
    if path.name.endswith((".json", ".jsonl", ".gz", ".js"))
)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_logs_of_every_origin_are_explained(path: Path) -> None:
    try:
        log = read_log_file(path)
    except LogError:
        pytest.skip("no log: it is there to be refused")
    hold(Tree(log), 1, is_sound=False)


@pytest.mark.parametrize("name", [*SOUND, *GROWN, *DICE, *MANY])
def test_logs_of_every_style_are_explained(name: str) -> None:
    if name in SOUND or name in GROWN:
        data = (Engine(SOUND[name], 1) if name in SOUND else Growing(GROWN[name], 1)).run().nested()
    else:
        made = Dice(1, DICE[name]) if name in DICE else Many(1, MANY[name])
        data = json.dumps(made.log()).encode()
    hold(Tree(read_log(data)), 1, is_sound=False)


def test_a_node_further_down_is_compared_where_the_paths_part() -> None:
    for seed in range(20):
        tree = Tree(sound_search(seed).log)
        draw = random.Random(seed)
        for _ in range(20):
            one, two = (draw.randrange(tree.log.n_rows) for _ in range(2))
            pair = find_pair(tree, Deciding(tree), Named(one), Named(two))
            if isinstance(pair, Nothing):
                continue
            above = set(tree.path(one)) & set(tree.path(two))
            assert pair.parent == max(above, key=lambda row: int(tree.log.columns["level"][row]))
            assert pair.parted == (tree.log.columns["parent"][[one, two]] != pair.parent).any()
