"""Every study runs in its short form, by the command line."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from plyscope.engine.match.score import Score
from plyscope.engine.tuning.tuning import Trial, Tuning
from plyscope.playing import read_tournament, terms_of
from plyscope.visualizer.cli.main import plyscope
from plyscope.visualizer.lab import hive_tuning
from plyscope.visualizer.lab.hive_elo import match_of
from plyscope.visualizer.lab.hive_turns import Spread, flat, spread
from plyscope.visualizer.lab.lab import Lab
from plyscope.visualizer.lab.odd import run_pair
from plyscope.visualizer.lab.report import Report
from plyscope.visualizer.lab.studies import STUDIES
from plyscope.visualizer.lab.tunings import Tuned

DOCS = Path(__file__).parents[3] / "docs" / "lab"


@pytest.fixture
def drawn_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials of Hive's other evaluations are drawn: each would have a search of its own to be compiled.

    The study of our own evaluation plays its trials.
    """

    def run_tuning(lab: Lab, name: str, tuning: Tuning, n_trials: int) -> Tuned:
        draw = np.random.default_rng(lab.seed)
        weights = [
            {name: float(draw.uniform(*ends)) for name, ends in tuning.ranges().items()}
            for _ in range(n_trials)
        ]
        trials = [Trial(at, each, Score(at, 1, 1), at) for at, each in enumerate(weights)]
        return Tuned(tuning, trials, Score(3, 2, 1))

    monkeypatch.setattr(hive_tuning, "run_tuning", run_tuning)


@pytest.mark.slow
@pytest.mark.usefixtures("drawn_trials")
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_writes_its_page_and_its_pictures(name: str, tmp_path: Path) -> None:
    outcome = CliRunner().invoke(
        plyscope, ["lab", name, "--short", "--workers", "1", "--into", str(tmp_path)], catch_exceptions=False
    )
    assert outcome.exit_code == 0
    page = (tmp_path / f"{name}.md").read_text("utf-8")
    assert page.startswith(f"# {STUDIES[name].title}\n\nMade by `plyscope lab {name} --short --seed 0`")
    assert "nan" not in page
    pictures = re.findall(r"\]\(([^)]+\.svg)\)", page)
    assert all((tmp_path / each).read_text("utf-8").startswith("<svg") for each in pictures)
    assert outcome.output.split() == [str(tmp_path / each) for each in (f"{name}.md", *pictures)]


def test_every_study_has_its_page_in_the_documentation_made_in_full() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    for name, study in STUDIES.items():
        assert f"| [{study.title}]({name}.md) | {study.shows} |" in index
        assert f"Made by `plyscope lab {name} --seed" in (DOCS / f"{name}.md").read_text("utf-8")


def test_the_list_names_every_study_and_an_unknown_one_is_refused() -> None:
    outcome = CliRunner().invoke(plyscope, ["lab"])
    assert [line.split()[0] for line in outcome.output.splitlines()] == list(STUDIES)
    refused = CliRunner().invoke(plyscope, ["lab", "hive-turn"])
    assert refused.exit_code == 2
    assert "there is no study 'hive-turn'; expected all or one of hive-turns" in refused.output


def test_the_tournament_of_the_study_is_an_example() -> None:
    match = match_of(Lab(Report("hive-elo", "")))
    agents, stated = read_tournament(DOCS.parents[1] / "examples" / "hive-elo.toml", {})
    assert agents == match.agents
    assert (stated["game"], stated["games"], terms_of(stated)) == ("hive", match.n_games, match.terms)


def test_the_late_mean_is_over_positions_and_not_over_turns() -> None:
    assert flat([Spread(29, 9, 1.0, 0.0), Spread(30, 3, 10.0, 0.0), Spread(31, 1, 50.0, 0.0)]) == 20.0
    assert spread(4, [2, 4]) == Spread(4, 2, 3, 2**0.5)


def test_a_longer_run_goes_on_behind_the_games_of_a_shorter_one(tmp_path: Path) -> None:
    agents = ("algorithm=monte_carlo,n=0", "random")
    kept, fresh = (Lab(Report("odd", ""), games=folder) for folder in (tmp_path / "kept", None))
    assert run_pair(kept, "pair", agents, 2, 6).n_games == 2
    longer = run_pair(kept, "pair", agents, 4, 6)
    lines = (tmp_path / "kept" / "odd-pair.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 1 + 4
    assert longer == run_pair(fresh, "pair", agents, 4, 6)
    assert run_pair(kept, "pair", agents, 2, 6) == run_pair(fresh, "pair", agents, 2, 6)


def test_a_full_run_has_as_many_games_as_were_published_and_says_so() -> None:
    usual, full, short = (
        Lab(Report("odd", ""), is_short=is_short, is_full=is_full)
        for is_short, is_full in ((False, False), (False, True), (True, True))
    )
    assert [lab.games_of(60, 200, 2) for lab in (usual, full, short)] == [60, 200, 2]
    full.sign()
    assert "Made by `plyscope lab odd --full --seed 0` on " in full.report.markdown()
