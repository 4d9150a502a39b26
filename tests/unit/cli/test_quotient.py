"""The randomness quotient: how often each rank is drawn and printed, and that its ply is the right one."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyscope as face
from plyscope.engine.games.explicit_tree import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.quotient import draw_rank
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.quotient import chi_square, chi_square_tail, rank_chances
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.oracle import minimax
from tests.property.examples import examples
from tests.unit.cli.conftest import Command

TABLE = {
    2: ".5 .25 .125 .0625 .03125 .015625 .0078125 .00390625",
    7: ".857143 .122449 .017493 .002499 .000357 .000051 .0000073 .0000010",
    8: ".875 .109375 .013672 .001709 .000214 .000027 .0000033",
    9: ".888889 .098765 .010974 .001219 .000135 .000015",
}


@pytest.mark.parametrize("quotient", TABLE)
def test_the_printed_table_is_the_published_one(plyscope: Command, quotient: int) -> None:
    code, out, _ = plyscope("quotient", quotient)
    assert code == 0
    lines = out.splitlines()[2:]
    assert len(lines) == 10
    for rank, wanted in enumerate(map(Decimal, TABLE[quotient].split())):
        columns = lines[rank].split()
        assert int(columns[0]) == rank
        assert Decimal(columns[1]).quantize(wanted) == wanted


def test_ranks_that_are_hardly_ever_drawn_are_held_against_the_formula_together(plyscope: Command) -> None:
    """Of 100,000 draws with Q = 7 five or more are expected down to rank 5, of which and worse ones 5.95."""
    lines = plyscope("quotient", 7, "--draws", 100_000, "--seed", 1)[1].splitlines()
    assert [line.split()[5] for line in lines[8:12]] == ["few"] * 4
    assert lines[13] == "ranks 5 and on: 0.000080 drawn, 0.00005950 expected: +0.8 se"
    few = plyscope("quotient", 2, "--draws", 9, "--seed", 1)[1]
    assert ("and on:" in few, "take more draws" in few) == (False, True)


def test_table_json_and_chart_are_those_of_the_function(plyscope: Command, tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    arguments = ("quotient", 7, "--plies", 5, "--draws", 1000, "--seed", 2)
    found = face.quotient(7, plies=5, draws=1000, seed=2)
    assert plyscope(*arguments, "--svg", chart) == (0, f"{found}\n", "")
    assert json.loads(plyscope(*arguments, "--json")[1]) == json.loads(json.dumps(found.as_json()))
    assert chart.read_text("utf-8") == found.svg
    drawn = ET.fromstring(found.svg)
    svg = "{http://www.w3.org/2000/svg}"
    bars = [each for each in drawn.iter(f"{svg}rect") if each.get("class") == "rank"]
    assert len(bars) == 5
    for bar, chance in zip(bars, found.ranks, strict=True):
        assert float(bar.get("height", "")) == pytest.approx(220 * chance.probability, abs=0.001)
    assert len(list(drawn.iter(f"{svg}circle"))) == 5
    with pytest.raises(face.OptionError, match="quotient: found True"):
        face.quotient(True)
    assert re.search(r"χ² = [\d.]+ on [1-4] degrees", str(found))


@given(st.integers(2, 12), st.integers(1, 30))
def test_chances_add_up_and_worse_ranks_hold_their_tail(quotient: int, plies: int) -> None:
    ranks = face.quotient(quotient, plies=plies).ranks
    assert math.fsum(each.probability for each in ranks) == pytest.approx(1)
    for each in ranks:
        tail = math.fsum(other.probability for other in ranks[each.rank :])
        assert each.or_worse == pytest.approx(tail)
        assert each.per_game == pytest.approx(30 * each.probability)


def test_the_tail_of_chi_square_is_that_of_tables_and_tells_a_generator_that_is_off() -> None:
    for degrees, at_five_percent in ((1, 3.84146), (2, 5.99146), (5, 11.0705), (8, 15.5073), (9, 16.919)):
        assert chi_square_tail(at_five_percent, degrees) == pytest.approx(0.05, abs=1e-6)
    test = chi_square([5400, 2300, 1150, 1150], rank_chances(2, 4))
    assert test is not None
    assert test.p < 0.001
    assert chi_square([3, 0, 0], rank_chances(7, 3)) is None


TREE = "[[[7, 2], [5, 9]], [[1, 4], [8, 6]], [[3, 3], [2, 8]], [[6, 1], [7, 7]], [[5, 5], [4, 9]]]"


@pytest.mark.parametrize(("quotient", "n_plies"), [(2, 4), (8, 5), (2, 1)])
def test_ranks_are_drawn_as_often_as_promised(quotient: int, n_plies: int) -> None:
    """Rank r has (Q - 1) / Q^(r + 1), the last the whole tail; within 5 standard errors."""
    n_draws = examples(100_000)
    counts = Counter(draw_rank(quotient, seed, n_plies) for seed in range(n_draws))
    assert set(counts) <= set(range(n_plies))
    for rank in range(n_plies):
        chance = (quotient - 1) / quotient ** (rank + 1) if rank < n_plies - 1 else quotient**-rank
        error = math.sqrt(chance * (1 - chance) / n_draws)
        assert abs(counts[rank] / n_draws - chance) <= 5 * error, (rank, counts)


PLIES = ("[[9, 1], [8, 2]]", "[[7, 5], [6, 4]]", "[[3, 2], [4, 3]]", "[[1, 0], [5, 5]]")
"""Worth 8, 6, 3 and 1 to the root."""


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "pvs"])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_the_ply_of_rank_r_is_the_r_th_best_of_plain_minimax(algorithm: str, order: tuple[int, ...]) -> None:
    """Distinct scores, so every rank has one right ply; a seed of each rank from 0 to the last."""
    tree = "[" + ", ".join(PLIES[i] for i in order) + "]"
    scores = minimax(GAME, GAME.read_position(tree), 3)
    best_first = sorted(scores, key=lambda ply: -scores[ply])
    assert len(set(scores.values())) == 4
    seeds = {draw_rank(2, seed, len(PLIES)): seed for seed in range(40)}
    seen = set()
    for seed in seeds.values():
        options = SearchOptions(depth=3, algorithm=algorithm, quotient=2, seed=seed)  # type: ignore[arg-type]
        recording = search(GAME, tree, options, compiled=False)
        rank = recording.header["result"]["rank"]
        assert recording.ply == GAME.write_ply(recording.state, best_first[rank])
        assert recording.score == scores[best_first[rank]]
        assert check(log_from_recording(recording), compiled=False).findings() == []
        seen.add(rank)
    assert seen == {0, 1, 2, 3}


def test_a_seed_is_drawn_and_logged_where_none_is_given() -> None:
    first = search(GAME, TREE, SearchOptions(quotient=2), compiled=False).header["result"]
    again = SearchOptions(quotient=2, seed=first["seed"])
    assert search(GAME, TREE, again, compiled=False).header["result"]["rank"] == first["rank"]
    assert first["randomness_quotient"] == 2
