"""The ranked one-ply AI: the formula's worked values, every total of a game a second way, its log."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import slow_ranking as slow

import plyscope
from plyscope.engine.game import GameError
from plyscope_studies.castle.data import read_kinds, read_plan
from plyscope_studies.castle.document import log_of, play_text
from plyscope_studies.castle.game import Position, Rules, deal
from plyscope_studies.castle.playing import turns
from plyscope_studies.castle.ranking import heat_map, rank_plays
from plyscope_studies.lab.castle import EXAMPLES, POTENTIALS, Example

PLAN = read_plan()
KINDS = read_kinds(PLAN)


def rules(**switched: bool) -> Rules:
    return Rules(PLAN, KINDS, **switched)


def a_game(seed: int = 1, **switched: bool) -> Iterator[Position]:
    """The positions of a game in which every player takes the best rank."""
    position = deal(rules(**switched), 4, seed)
    for _ in turns(position):
        yield position


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.what)
def test_the_worked_examples_of_the_formula(example: Example) -> None:
    assert example.here() == pytest.approx(example.rank)


def test_plan_and_tiles_are_80_cells_and_80_tiles_of_20_kinds() -> None:
    assert (PLAN.n_columns, PLAN.n_cells, len(KINDS)) == (10, 80, 20)
    assert sum(kind.count for kind in KINDS) == 80
    assert {kind.name: kind.potential for kind in KINDS} == POTENTIALS


@pytest.mark.parametrize("switched", [{}, {"gardens": True}])
def test_every_turn_of_a_game_of_four_is_counted_again(switched: dict[str, bool]) -> None:
    """Each play of every fifth turn exists by brute force; of every turn totals are counted anew."""
    chosen = random.Random(3)
    totals = [0.0] * 4
    n_turns = 0
    for position in a_game(**switched):
        assert position.scores == pytest.approx(totals)
        ranked = rank_plays(position)
        n = len(ranked.ranks)
        if n_turns % 5 == 4:
            found = {tuple(ranked.play(place)) for place in range(n)}
            assert found == slow.all_plays(position, next_to_lying=ranked.scope == "neighbours")
            assert len(found) == n
            assert n + ranked.n_outside == len(slow.all_plays(position))
        assert ranked.ranks.tolist() == sorted(ranked.ranks.tolist(), reverse=True)
        for place in {0, *chosen.sample(range(n), min(n, 60))} if n else ():
            play = tuple(ranked.play(place))
            values = slow.factors(position, play)
            assert ranked.values[place].tolist() == pytest.approx(values), play_text(position, list(play))
            assert ranked.ranks[place] == pytest.approx(slow.rank(values), abs=1e-6)
        if n:
            t, a, d = slow.factors(position, tuple(ranked.play(0)))[:3]
            is_last = not position.bag and len(position.hands[position.player]) == len(ranked.play(0))
            totals[position.player] += (t + a + d) * (-2 if is_last else 1)
        n_turns += 1
    assert n_turns > 20


def test_what_lies_face_down_is_not_seen_with_open_hands() -> None:
    position = deal(rules(), 4, 2)
    position.lay(rank_plays(position).play(0))
    ranked = rank_plays(position, "open")
    for place in range(0, len(ranked.ranks), max(1, len(ranked.ranks) // 80)):
        values = slow.factors(position, tuple(ranked.play(place)), "open")
        assert ranked.values[place].tolist() == pytest.approx(values)
    assert (heat_map(position, "open") <= heat_map(position)).all()
    blank = next(place for place, kind in enumerate(KINDS) if kind.name == "blank wall")
    for rival in (0, 2, 3):
        position.hands[rival][3:] = [blank] * 7  # the good tiles are all face down
    assert (heat_map(position, "open") < heat_map(position)).any()


def test_full_replies_are_the_best_plays_of_up_to_three_tiles_beside_a_play() -> None:
    chosen = random.Random(5)
    position = next(each for turn, each in enumerate(a_game(4)) if turn == 9)
    ranked, single = rank_plays(position, replies="full"), rank_plays(position)
    for place in {0, *chosen.sample(range(len(ranked.ranks)), 4)}:
        values = slow.factors(position, tuple(ranked.play(place)), replies="full")
        assert ranked.values[place].tolist() == pytest.approx(values)
    assert ranked.values[:, 4].mean() > single.values[:, 4].mean()


def test_with_two_players_nobody_comes_second_or_third() -> None:
    position = deal(rules(), 2, 1)
    assert not rank_plays(position).values[:, 5:7].any()


def test_the_log_of_every_turn_adds_up_and_check_finds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    for turn, position in enumerate(a_game(2)):
        if turn % 6 and turn > 2:
            continue
        ranked = rank_plays(position)
        path.write_text(json.dumps(log_of(position, ranked, "all", 0.1, keep=500)), "utf-8")
        report = plyscope.check(path)
        assert list(report) == [], str(report)
        log = plyscope.open(path)
        rows = json.loads(path.read_text("utf-8"))["root"]["children"]
        assert sum(row.get("count", 1) for row in rows) == len(ranked.ranks) + ranked.n_outside
        assert len(log.main_root.children) == len(rows)
        for row in rows[:50]:
            if "factors" in row:
                assert row["score"] == slow.rank(row["factors"])
                gained = row["scores"][position.player] - position.scores[position.player]
                t, a, d = row["factors"][:3]
                assert abs(gained) in (t + a + d, 2 * (t + a + d))
        for stub in (row for row in rows if "count" in row):
            assert stub["outcome"] in ("unlogged", "skipped")
            assert ("% left" in stub["why"]) == (stub["outcome"] == "skipped")


def test_the_last_play_of_a_player_counts_double_and_negative() -> None:
    position = deal(rules(), 2, 1)
    place = next(place for place, kind in enumerate(KINDS) if kind.name == "1-point wall")
    position.bag.clear()
    position.hands[0] = [place]
    cell = int(position.rules.fits[place].argmax())
    position.lay([(place, cell)])
    assert position.scores[0] == -2
    lenient = Position(rules(last_play_penalty=False), [-1] * 80, [[place], []], [], [0.0, 0.0])
    lenient.lay([(place, cell)])
    assert lenient.scores[0] == 1


def test_plays_that_break_a_rule_are_refused() -> None:
    position = deal(rules(), 2, 1)
    play = rank_plays(position).play(0)
    with pytest.raises(GameError, match="touch"):
        position.lay([play[0], (play[0][0], (play[0][1] + 25) % 80)])
    with pytest.raises(GameError, match="not in the hand"):
        position.lay([(next(k for k in range(20) if k not in position.hands[0]), 0)])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rows = 3", "rows: expected a list of texts"),
        ('rows = ["ab", "a"]\n[zones]\na = "x"\nb = "y"', "rows of equal length"),
        ('rows = ["ab"]\n[zones]\na = "x"', "found 'b', expected one of the zones a"),
        ('rows = ["a"]', "zones: expected a word"),
        ("rows = [", "plan.toml: "),
    ],
)
def test_a_plan_that_cannot_be_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(GameError, match=r"plan\.toml") as refused:
        read_plan(path)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("kinds", "says"),
    [
        ({}, "kinds: expected a list"),
        ({"kinds": [{"name": "a"}]}, "kinds[0].potential: found None"),
        ({"kinds": [{"name": "a", "potential": 1, "points": 1, "count": 0, "zones": "w"}]}, "a count from 1"),
        ({"kinds": [{"name": "a", "potential": 1, "points": 1, "count": 1, "zones": "?"}]}, "found '?'"),
        ({"kinds": [{"name": "a", "potential": 1, "points": 1, "count": 1, "zones": "w"}] * 2}, "twice"),
        ([], "expected an object"),
    ],
)
def test_tiles_that_cannot_be_are_refused(tmp_path: Path, kinds: object, says: str) -> None:
    path = tmp_path / "tiles.json"
    path.write_text(json.dumps(kinds), "utf-8")
    with pytest.raises(GameError) as refused:
        read_kinds(PLAN, path)
    assert says in str(refused.value)


def test_too_few_tiles_for_a_deal_are_refused() -> None:
    with pytest.raises(GameError, match="expected 10 for each of 4"):
        deal(Rules(PLAN, KINDS[:3]), 4, 1)
    with pytest.raises(GameError, match="too few of 3 points"):
        deal(Rules(PLAN, tuple(kind for kind in KINDS if kind.points < 3)), 2, 1)


def test_the_board_of_the_log_has_tiles_zones_and_the_heat_map() -> None:
    position = next(each for turn, each in enumerate(a_game()) if turn == 4)
    ranked = rank_plays(position)
    board = log_of(position, ranked, "all", 0.1)["board"]
    assert board["labels"] == PLAN.zones
    assert [cell["name"] for cell in board["cells"]] == [PLAN.cell_name(number) for number in range(80)]
    for number, cell in enumerate(board["cells"]):
        kind = position.board[number]
        assert (cell["x"], cell["y"]) == (number % 10, number // 10)
        if kind >= 0:
            assert cell["pieces"] == [f"{KINDS[kind].points:g}"]
            assert "value" not in cell
        else:
            assert cell["label"] == PLAN.zone(number)
            assert cell["value"] == slow.factors(position, ((0, number),))[7]
