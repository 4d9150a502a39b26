"""Trials of weights: what follows from the seed, what a kill leaves, what the command tells and refuses."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.games import Terms
from plyscope.engine.match.match import read_games
from plyscope.engine.match.score import Score
from plyscope.engine.match.standing import score_of
from plyscope.engine.tuning import trials as tuning_trials
from plyscope.engine.tuning.history import read_history
from plyscope.engine.tuning.trials import importances, replayed, tune
from plyscope.engine.tuning.tuning import Trial, Tuning, TuningError, best_of
from tests import heaps
from tests.unit.cli.conftest import Command

ASKED = ("--depth", "1", "--games", "4", "--opening", "2", "--plies", "20", "--workers", "1")


def test_a_tuning_tells_the_best_and_what_it_takes_in_fresh_games(
    plyscope: Command, heap: str, tmp_path: Path
) -> None:
    output, kept, charts = tmp_path / "here" / "history.json", tmp_path / "here" / "kept", tmp_path / "charts"
    output.parent.mkdir()
    files = ("-o", output, "--keep-games", kept, "--charts", charts)
    code, out, _ = plyscope("tune", heap, "--trials", "3", "--fresh", "8", *ASKED, *files)
    assert code == 0
    history = json.loads(output.read_text("utf-8"))
    best, fresh = history["best"], history["best_in_fresh_games"]
    assert out.startswith(f"{heap}: 3 trials of 4 games against random\n")
    assert f"Trial {best['trial']} took {best['value']:.1%} of the points of its 4 games." in out
    assert f"In 8 fresh games its weights took {fresh['value']:.1%} of the points (95 % interval: " in out
    assert best["value"] == max(trial["value"] for trial in history["trials"])
    weights = ",".join(f"{name}={weight:.3f}" for name, weight in best["params"].items())
    assert out.splitlines()[-1] == f"--weights {weights}"
    assert {each.name for each in charts.iterdir()} == {"value.svg", "weights.svg"}
    games = [trial["games_file"] for trial in history["trials"]]
    assert games == [f"kept/trial-000{at}.jsonl" for at in range(3)]
    for file in (*games, best["games_file"], fresh["games_file"]):
        assert (output.parent / file).read_bytes().startswith(b'{"match": {')
    asked = ("--trials", "1", "--fresh", "0", *ASKED, "--against", output, "--json")
    again = json.loads(plyscope("tune", heap, *asked)[1])
    assert again["tuning"]["against"]["options"] == {"depth": 1, "weights": best["params"]}
    assert again["best_in_fresh_games"] is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--evaluation", "study-3"), "evaluation: 'study-3', heap has but its own"),
        (("--games", "3"), "3 games a pair, expected an even number"),
        (("--fresh", "3"), "3 games a pair, expected an even number"),
        (("--against", "nowhere.json"), "nowhere.json"),
    ],
)
def test_what_cannot_be_tuned_is_refused_in_a_line_before_a_game_is_played(
    plyscope: Command, heap: str, tmp_path: Path, asked: tuple[str, ...], said: str
) -> None:
    storage = tmp_path / "trials.log"
    code, out, error = plyscope("tune", heap, "--trials", "1", *ASKED, "--storage", storage, *asked)
    assert (code, out, error.count("\n"), storage.exists()) == (2, "", 1, False)
    assert said in error


def test_one_trial_is_not_the_luckiest_of_many(plyscope: Command, heap: str) -> None:
    one, two = (plyscope("tune", heap, "--trials", n, "--fresh", "0", *ASKED)[1] for n in (1, 2))
    assert "partly luck" not in one
    assert "Its weights played no fresh games: the best of 2 trials is partly luck." in two


def test_a_game_with_dice_is_tuned_by_expectimax(plyscope: Command, tmp_path: Path) -> None:
    game = Path(__file__).parents[3] / "examples" / "games" / "einstein.py"
    code, out, _ = plyscope("tune", f"{game}:EinStein", "--trials", "1", "--fresh", "0", *ASKED, "--json")
    assert code == 0
    assert json.loads(out)["tuning"]["search"] == {"depth": 1, "algorithm": "expectimax"}


GAME = f"""{Path(heaps.__file__).read_text("utf-8")}

class Odd(Heap):
    name = "heap"
    factors = {{"odd": 1.0, "left": -2.0}}
    matches = 9

    def values(self, position):
        return [position[0] % 2, position[0]]
"""


@pytest.fixture
def heap(tmp_path: Path) -> str:
    path = tmp_path / "heap.py"
    path.write_text(GAME, "utf-8")
    return f"{path}:Odd"


def tuning_of(game: str, **changed: object) -> Tuning:
    asked = {"search": {"depth": 1}, "against": read_agent("random"), "n_games": 4, "terms": Terms(2, 20, 3)}
    return Tuning(game, **{**asked, **changed})  # type: ignore[arg-type]


def test_each_weight_has_the_sign_that_it_has_now(heap: str) -> None:
    assert tuning_of(heap).ranges() == {"odd": (0.0, 3.0), "left": (-6.0, 0.0)}
    assert tuning_of(heap, most=10.0).ranges() == {"odd": (0.0, 10.0), "left": (-10.0, 0.0)}
    study = tuning_of("hive", search={"depth": 1, "evaluation": "study-3"})
    assert set(study.ranges().values()) == {(-10.0, 0.0)}


def test_a_tuning_that_was_killed_ends_as_if_it_had_not_been(heap: str, tmp_path: Path) -> None:
    """The same seed has the same trials, and another has others."""
    whole, storage = tune(tuning_of(heap), 14), str(tmp_path / "trials.log")
    assert [trial.number for trial in whole] == list(range(14))
    assert len({trial.seed for trial in whole}) == 14
    assert tune(tuning_of(heap, terms=Terms(2, 20, 4)), 1)[0].weights != whole[0].weights
    assert tune(tuning_of(heap), 12, storage) == whole[:12]
    # A kill in the middle of a trial leaves it drawn and not told.
    study = tuning_trials._study(tuning_of(heap), storage, resume=True)
    study.sampler = tuning_trials._sampler(3, 12)
    study.ask(tuning_trials._distributions(tuning_of(heap)))
    assert tune(tuning_of(heap), 14, storage, resume=True) == whole
    assert tune(tuning_of(heap), 14, storage, resume=True) == whole


def test_a_trial_is_the_match_that_is_kept_and_fresh_games_are_none_of_it(heap: str, tmp_path: Path) -> None:
    tuning = tuning_of(heap)
    trial = tune(tuning, 2, games=tmp_path)[1]
    match = tuning.match(trial.weights, 1)
    games = read_games(tmp_path / "trial-0001.jsonl", match)
    assert (len(games), score_of(list(games.values())), match.terms.seed) == (4, trial.score, trial.seed)
    assert replayed(tuning, trial, 6, games=tmp_path).n_games == 6
    fresh = tuning.match(trial.weights, 1, 6)
    assert fresh.terms.seed != trial.seed
    assert len(read_games(tmp_path / "best-0001-again.jsonl", fresh)) == 6


def test_a_storage_written_before_a_term_was_there_is_gone_on_with(heap: str, tmp_path: Path) -> None:
    storage = tmp_path / "trials.log"
    (trial,) = tune(tuning_of(heap), 1, str(storage))
    text = storage.read_text()
    stated = re.search(r', ?"adjudicate": ?null', text)
    assert stated is not None
    storage.write_text(text.replace(stated[0], ""))
    assert tune(tuning_of(heap), 1, str(storage), resume=True) == [trial]
    storage.write_text(text.replace(stated[0], ', "handicap": 2'))
    with pytest.raises(TuningError, match="another tuning: its 'handicap' is 2, not None"):
        tune(tuning_of(heap), 1, str(storage), resume=True)


def test_a_storage_with_trials_is_gone_on_with_only_where_that_is_asked_for(
    heap: str, tmp_path: Path
) -> None:
    storage = str(tmp_path / "trials.log")
    tune(tuning_of(heap), 1, storage)
    said = "has trials already, 1: name another storage, or go on with --resume"
    with pytest.raises(TuningError, match=said):
        tune(tuning_of(heap), 2, storage)
    with pytest.raises(TuningError, match="another tuning: its 'games' is 4, not 6"):
        tune(tuning_of(heap, n_games=6), 2, storage, resume=True)
    (tmp_path / "heap.py").write_text(GAME.replace("position[0] % 2", "position[0] % 3"), "utf-8")
    with pytest.raises(TuningError, match=r"trials of another version of .*heap\.py:Odd: bring that"):
        tune(tuning_of(heap), 1, storage, resume=True)


def test_the_best_is_the_first_of_those_that_took_the_most() -> None:
    trials = [Trial(at, {"odd": at}, Score(won, 0, 4 - won), at) for at, won in enumerate((2, 3, 3))]
    assert best_of(trials).number == 1


def test_a_weight_that_decides_matters_and_one_that_does_nothing_does_not(heap: str) -> None:
    trials = [
        Trial(at, {"odd": at / 10, "left": -(at * 7 % 30) / 5}, Score(at, 0, 30 - at), at) for at in range(30)
    ]
    found = importances(tuning_of(heap), trials)
    assert found["odd"] > 0.8
    assert sum(found.values()) == pytest.approx(1)
    equal = [Trial(at, {"odd": 1, "left": -1}, Score(1), at) for at in range(20)]
    assert importances(tuning_of(heap), trials[:5]) == importances(tuning_of(heap), equal) == {}


def test_a_history_gives_its_best_and_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    trial = {"trial": 4, "params": {"odd": 2}, "value": 0.75, "won": 3, "drawn": 0, "lost": 1}
    tuning = {"game": "heap", "search": {}, "against": {"name": "random"}, "games": 4}
    whole = {"tuning": tuning, "trials": [trial], "best": trial}
    path.write_text(json.dumps(whole), "utf-8")
    found = read_history(path)
    assert (found.best, found.trials[0].weights) == (4, {"odd": 2.0})
    assert (found.evaluation, found.fresh) == (None, None)
    for broken in (
        [],
        {**whole, "trials": []},
        {**whole, "trials": [{**trial, "params": {"odd": "much"}}]},
        {**whole, "trials": [trial, {**trial, "params": {"left": 1}}]},
        {**whole, "best": {**trial, "value": float("nan")}},
        {**whole, "best": {**trial, "won": -1}},
        {**whole, "tuning": {**tuning, "against": {"name": 3}}},
    ):
        path.write_text(json.dumps(broken), "utf-8")
        with pytest.raises(TuningError, match="has no weights that were tuned"):
            read_history(path)


def test_without_optuna_it_says_what_to_install(heap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(TuningError, match="tuning needs Optuna: install plyscope with its extra `lab`"):
        tune(tuning_of(heap), 1)


@pytest.mark.slow
def test_a_worker_of_a_tuning_that_is_killed_ends_it_in_one_sentence(heap: str, tmp_path: Path) -> None:
    dies = "\n    def start(self):\n        import multiprocessing, os\n"
    dies += "        multiprocessing.parent_process() and os.kill(os.getpid(), 9)\n"
    dies += "        return super().start()\n"
    (tmp_path / "heap.py").write_text(GAME + dies, "utf-8")
    with pytest.raises(TuningError, match="a process that plays died, perhaps for want of memory"):
        tune(tuning_of(heap), 2)
