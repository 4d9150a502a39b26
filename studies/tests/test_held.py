"""The kept pages say which printed figures our intervals exclude, and why: held to the pages' own tables."""

from __future__ import annotations

import re
from pathlib import Path

from plyscope.engine.match.score import Score
from plyscope_studies.lab.hive_table_one import WHY_RATES, WHY_TURNS
from plyscope_studies.lab.odd import PAIRINGS, reasons, slightly
from plyscope_studies.lab.odd_sweep import late_losses
from plyscope_studies.lab.report import Held, excluded

DOCS = Path(__file__).parents[1] / "docs" / "lab"


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")


def rows(text: str, head: str) -> list[list[str]]:
    """The rows of the table below this row of names."""
    table = text.split(f"| {head} |")[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in table]


def numbers(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"[\d.]+", text)]


def test_the_page_of_the_first_table_says_which_figures_are_excluded() -> None:
    text = page("hive-table-1")
    head = "player | published | here | 95 % | won / drawn / lost | turns, published | here | a move"
    rates, turns = [], []
    for name, rate, _, interval, _, printed, here, _ in rows(text, head):
        rates.append(Held(name, float(rate), *numbers(interval)))
        mean, error = numbers(here)
        turns.append(Held(name, float(printed), mean - 1.96 * error, mean + 1.96 * error, digits=1))
    assert [each.name for each in rates if each.is_excluded] == [
        "True MCTS",
        "UCB1, c = 1.4",
        "UCB1, c = 100",
    ]
    assert excluded("win rate", rates, WHY_RATES) in text
    assert [each.name for each in turns if each.is_excluded] == ["True MCTS", "Minimax"]
    assert excluded("turns", turns, WHY_TURNS) in text


def test_the_page_of_odd_says_which_shares_are_excluded_and_that_one_play_out_is_no_even_match() -> None:
    text = page("odd")
    found = []
    for pairing, row in zip(
        PAIRINGS, rows(text, "player | wins published | 95 % | wins here | 95 %"), strict=True
    ):
        won, of = map(int, numbers(row[3]))
        found.append((pairing, Score(won, 0, of - won)))
    assert len(reasons(found)) == 2
    assert all(f"\n\n{each}\n" in text for each in reasons(found))
    low, high = (int(end) / 100 for end in numbers(rows(text, "N | wins | share | 95 %")[0][3]))
    assert slightly((low, high)) in text


def test_the_page_of_odd_n_by_n_says_whether_late_losses_can_be_chance() -> None:
    text = page("odd-sweep")
    lost = {}
    for n, wins, _, _ in rows(text, "N | wins | share | 95 %"):
        won, of = map(int, numbers(wins))
        lost[int(n)] = Score(won, 0, of - won)
    assert late_losses(lost).startswith(" That may be chance")
    assert late_losses(lost) in text
    assert late_losses({28: Score(1, 0, 19)}) == ""
    assert late_losses({40: Score(10, 0, 10)}).startswith(" Of some the interval does not meet")
