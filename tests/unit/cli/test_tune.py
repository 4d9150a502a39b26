"""`plyscope tune`: trials told as a table, as JSON and as pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Command
from tests.unit.tuning.test_tuning import GAME

ASKED = ("--depth", "1", "--games", "4", "--opening", "2", "--plies", "20", "--workers", "1")


@pytest.fixture
def heap(tmp_path: Path) -> str:
    path = tmp_path / "heap.py"
    path.write_text(GAME, "utf-8")
    return f"{path}:Heap"


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
        (("--evaluation", "study-3"), "evaluation: 'study-3', Heap has but its own"),
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
