"""Every study writes its page, by the command line: of drawn figures where its own take long."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from plyscope.engine.games import load_game
from plyscope.engine.match.agents import Agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.games import Played, schedule
from plyscope.engine.match.match import Match
from plyscope.engine.match.score import Score
from plyscope.engine.run import Iteration
from plyscope.engine.tuning.tuning import Trial, Tuning
from plyscope.playing import read_tournament, terms_of
from plyscope.visualizer.cli.main import plyscope
from plyscope_studies.flat.uniformity import Histogram
from plyscope_studies.lab import odd
from plyscope_studies.lab.hive_elo import match_of
from plyscope_studies.lab.hive_table_one import ROWS, outcome_of
from plyscope_studies.lab.hive_turns import Spread, flat, spread, walk
from plyscope_studies.lab.lab import Lab
from plyscope_studies.lab.odd_sweep import Turn
from plyscope_studies.lab.report import Report
from plyscope_studies.lab.studies import STUDIES
from plyscope_studies.lab.tunings import Tuned
from plyscope_studies.reversi.ffo import Solution
from plyscope_studies.reversi.solver import Solved

DOCS = Path(__file__).parents[1] / "docs" / "lab"
LAB = "plyscope_studies.lab"
QUICK = ("quotient", "castle")
"""Studies that compile nothing; the others measure in `make sweep`."""
FIGURES = {"nodes": 1000, "playouts": 100, "seconds": 0.5}


def played(match: Match, path: Path | None = None, **given: object) -> list[Played]:
    """All games of a match, their points drawn."""
    draw = np.random.default_rng(0)
    return [
        Played(
            *task, float(draw.choice([0, 0.5, 1])), "over", ("a", "b") * int(draw.integers(5, 9)), (0.1, 0.2)
        )
        for task in schedule(len(match.agents), match.n_games)
    ]


def tuned(lab: Lab, name: str, tuning: Tuning, n_trials: int) -> Tuned:
    """Trials whose weights are drawn."""
    draw = np.random.default_rng(lab.seed)
    ranges = tuning.ranges().items()
    weights = [{name: float(draw.uniform(*ends)) for name, ends in ranges} for _ in range(n_trials)]
    trials = [Trial(at, each, Score(at, 1, 1), at) for at, each in enumerate(weights)]
    return Tuned(tuning, trials, Score(3, 2, 1))


def walked(arbiter: Arbiter, agent: Agent, seed: int, number: int) -> Iterator[tuple[int, int, Any]]:
    """A game that stays where it begins."""
    state = arbiter.start()
    for ply in range(50):
        yield ply, 30 + (ply + number) % 7, state


def searched(*asked: object, on_iteration: Callable[[Iteration], object] = id) -> SimpleNamespace:
    """A search of six iterations."""
    for depth in range(1, 7):
        on_iteration(Iteration(depth, "d2", 0.0, ("d2",)))
    return SimpleNamespace(header={"result": FIGURES})


DRAWN: dict[str, object] = {
    "hive_turns.walk": walked,
    "hive_turns.perft": lambda game, state, depth: 30**depth,
    "hive_turns.search": searched,
    "lab.run_match": played,
    "hive_tuning.run_tuning": tuned,
    "hive_own.run_tuning": tuned,
    "reversi.search": searched,
    "reversi.compile_solver": lambda: None,
    "reversi.solution": lambda number: Solution(number, Solved(38, 8, 1000), 0.5),
    "odd.histogram": lambda source, n, n_draws, seed: Histogram((n_draws // n,) * n),
    "odd.search": searched,
    "odd.run_match": played,
    "odd_sweep.turns_of": lambda *asked: [[Turn(ply, 100, 900, 0.25)] for ply in (1, 2)],
}
"""What the modules of studies ask for, and what gives them figures: nothing is searched, nothing compiled."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, value in DRAWN.items():
        monkeypatch.setattr(f"{LAB}.{place}", value)
    compiles_at_import = ModuleType("plain_endgame")
    effort = SimpleNamespace(nodes=1000, seconds=0.5)
    vars(compiles_at_import)["both"] = lambda *asked: (effort, effort)
    monkeypatch.setitem(sys.modules, f"{LAB}.plain_endgame", compiles_at_import)


@pytest.mark.usefixtures("drawn")
@pytest.mark.parametrize("name", [name for name in STUDIES if name not in QUICK])
def test_a_study_writes_its_page_and_its_pictures(name: str, tmp_path: Path) -> None:
    assert_writes_its_page(name, tmp_path)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.sweep) for name in STUDIES]
)
def test_a_study_measures_what_it_writes(name: str, tmp_path: Path) -> None:
    assert_writes_its_page(name, tmp_path)


def assert_writes_its_page(name: str, folder: Path) -> None:
    outcome = CliRunner().invoke(
        plyscope,
        ["study", "lab", name, "--short", "--workers", "1", "--into", str(folder)],
        catch_exceptions=False,
    )
    assert outcome.exit_code == 0
    page = (folder / f"{name}.md").read_text("utf-8")
    assert page.startswith(f"# {STUDIES[name].title}\n\nMade by `plyscope study lab {name} --short --seed 0`")
    assert "nan" not in page
    pictures = re.findall(r"\]\(([^)]+\.svg)\)", page)
    assert all((folder / each).read_text("utf-8").startswith("<svg") for each in pictures)
    assert outcome.output.split() == [str(folder / each) for each in (f"{name}.md", *pictures)]


def test_every_study_has_its_page_in_the_documentation_made_in_full() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    for name, study in STUDIES.items():
        assert f"| [{study.title}]({name}.md) | {study.shows} |" in index
        assert f"Made by `plyscope study lab {name} --seed" in (DOCS / f"{name}.md").read_text("utf-8")


def test_the_list_names_every_study_and_an_unknown_one_is_refused() -> None:
    outcome = CliRunner().invoke(plyscope, ["study", "lab"])
    assert [line.split()[0] for line in outcome.output.splitlines()] == list(STUDIES)
    refused = CliRunner().invoke(plyscope, ["study", "lab", "hive-turn"])
    assert refused.exit_code == 2
    assert "there is no study 'hive-turn'; expected all or one of hive-turns" in refused.output


def test_the_tournament_of_the_study_is_an_example() -> None:
    match = match_of(Lab(Report("hive-elo", "")))
    agents, stated = read_tournament(DOCS.parents[2] / "examples" / "hive-elo.toml", {})
    assert agents == match.agents
    assert (stated["game"], stated["games"], terms_of(stated)) == ("hive", match.n_games, match.terms)


def test_a_walk_has_every_position_of_a_game_with_its_plies() -> None:
    arbiter = Arbiter(load_game("tictactoe"))
    found = [(ply, n_plies) for ply, n_plies, _ in walk(arbiter, Agent("any", "random"), 0, 0)]
    assert found == [(ply, 9 - ply) for ply in range(len(found))]
    assert 5 <= len(found) <= 9


def test_the_late_mean_is_over_positions_and_not_over_turns() -> None:
    assert flat({29: Spread(9, 1.0, 0.0), 30: Spread(3, 10.0, 0.0), 31: Spread(1, 50.0, 0.0)}) == 20.0
    assert spread([2, 4]) == Spread(2, 3, 2**0.5)


def test_a_longer_run_goes_on_behind_the_games_of_a_shorter_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = ("one: random", "other: random")
    kept, fresh = (Lab(Report("odd", ""), games=folder) for folder in (tmp_path / "kept", None))
    assert odd.run_pair(kept, "pair", agents, 2, 6).n_games == 2
    longer = odd.run_pair(kept, "pair", agents, 4, 6)
    lines = (tmp_path / "kept" / "odd-pair.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 1 + 4
    assert longer == odd.run_pair(fresh, "pair", agents, 4, 6)
    assert odd.run_pair(kept, "pair", agents, 2, 6) == odd.run_pair(fresh, "pair", agents, 2, 6)


def test_a_full_run_has_as_many_games_as_were_published_and_says_so() -> None:
    usual, full, short = (
        Lab(Report("odd", ""), is_short=is_short, is_full=is_full)
        for is_short, is_full in ((False, False), (False, True), (True, True))
    )
    assert [lab.games_of(60, 200, 2) for lab in (usual, full, short)] == [60, 200, 2]
    full.sign()
    assert "Made by `plyscope study lab odd --full --seed 0` on " in full.report.markdown()


def game(number: int, first: int, points: float, n_plies: int, seconds: tuple[float, float]) -> Played:
    plies = tuple(map(str, range(n_plies)))
    return Played(number, number // 2, first, 1 - first, points, "over", plies, seconds)


def test_wins_turns_and_time_are_those_of_the_player_on_either_side() -> None:
    games = [
        game(0, 0, 1.0, 5, (3.0, 0.5)),  # won as the first: three moves of its own in 3 s
        game(1, 1, 0.0, 8, (0.5, 8.0)),  # won as the second: four moves in 8 s
        game(2, 0, 0.5, 100, (400.0, 0.5)),
        game(3, 1, 1.0, 20, (0.5, 30.0)),
    ]
    found = outcome_of(ROWS[0], games)
    assert (found.score.won, found.score.drawn, found.score.lost) == (2, 1, 1)
    assert found.lengths == (5, 8)
    assert found.seconds_a_move == 2.5
