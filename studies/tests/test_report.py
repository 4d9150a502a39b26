"""The page of a study, and its pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from plyscope.visualizer.cli.play.tuning_charts import curve, level
from plyscope_studies.lab.charts import intervals
from plyscope_studies.lab.report import Report

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: Path) -> list[str]:
    return ["".join(each.itertext()) for each in ET.parse(svg).iter(f"{SVG}text")]


def test_figures_stand_to_the_right_and_bars_in_cells_are_no_columns() -> None:
    report = Report("page", "Page")
    report.table(["who", "points", "since"], [["a|b", "+1.5", ""], ["c", "≥ 2", "3 May"]])
    assert report.markdown().splitlines()[2:] == [
        "| who | points | since |",
        "|---|---:|---:|",
        "| a\\|b | +1.5 |  |",
        "| c | ≥ 2 | 3 May |",
    ]


def test_pages_and_pictures_are_written_side_by_side(tmp_path: Path) -> None:
    report = Report("page", "Page")
    rows = [
        {"turn": turn, "plies": 10 * turn, "low": 5, "high": 40, "who": who}
        for turn in (1, 2)
        for who in "ab"
    ]
    spec = curve(rows, x="turn", y="plies", low="low", high="high", by="who")
    report.chart("plies", "Plies by turn", level(spec, 20, "published: 20"))
    page, picture = report.write(tmp_path / "made")
    assert "![Plies by turn](page-plies.svg)" in page.read_text("utf-8")
    found = texts(picture)
    assert found.count("published: 20") == 1
    assert {"turn", "plies", "a", "b"} <= set(found)


def test_every_row_of_intervals_has_its_dot_and_its_name(tmp_path: Path) -> None:
    report = Report("page", "Page")
    rows = [
        {"who": who, "Elo": 1500 + at, "low": 1400, "high": 1700} for at, who in enumerate(["z", "a", "m"])
    ]
    report.chart("elo", "Ratings", intervals(rows, x="Elo", y="who", low="low", high="high"))
    (_, picture) = report.write(tmp_path)
    assert [each for each in texts(picture) if each in "zam"] == ["z", "a", "m"]
