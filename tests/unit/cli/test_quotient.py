"""`plyscope quotient`: the published table, draws within their errors, a chart of the same figures."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyscope as face
from plyscope.visualizer.analysis.quotient import chi_square, chi_square_tail, rank_chances
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
