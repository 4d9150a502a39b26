"""Games written in an evening: the same search, the same log, and clear words where the game is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.engine.game import DRAWN, FIRST_WON, SECOND_WON, GameError
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.games.tictactoe import CENTRE, CORNERS, GAME, LINES, cell_name
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.heaps import Heap
from tests.oracle import broken_rules


class PlainTicTacToe:
    """Tic-tac-toe as somebody would write it: positions are (crosses, noughts, side)."""

    name = "tictactoe"
    players = GAME.players
    factors = GAME.factors
    meanings = GAME.meanings

    def start(self) -> tuple[int, int, int]:
        return (0, 0, 0)

    def plies(self, position: Any) -> list[int]:
        return (
            [] if self.winner(position) else [c for c in range(9) if not (position[0] | position[1]) >> c & 1]
        )

    def apply(self, position: Any, ply: int) -> tuple[int, int, int]:
        crosses, noughts, side = position
        return (crosses | 1 << ply, noughts, 1) if side == 0 else (crosses, noughts | 1 << ply, 0)

    def player(self, position: Any) -> int:
        return int(position[2])

    def winner(self, position: Any) -> int | None:
        for line in LINES:
            for marks, won in ((position[0], FIRST_WON), (position[1], SECOND_WON)):
                if marks & line == line:
                    return won
        return DRAWN if position[0] | position[1] == 0o777 else None

    def values(self, position: Any) -> list[int]:
        crosses, noughts, _ = position

        def lead(mask: int) -> int:
            return sum(((board & mask).bit_count()) * sign for board, sign in ((crosses, 1), (noughts, -1)))

        open_lines, twos = 0, 0
        for line in LINES:
            if not noughts & line:
                open_lines, twos = open_lines + 1, twos + ((crosses & line).bit_count() == 2)
            if not crosses & line:
                open_lines, twos = open_lines - 1, twos - ((noughts & line).bit_count() == 2)
        return [lead(CENTRE), lead(CORNERS), open_lines, twos]

    def key(self, position: Any) -> int:
        return position[0] | position[1] << 9 | position[2] << 18  # type: ignore[no-any-return]

    def write_ply(self, position: Any, ply: int) -> str:
        return cell_name(ply)

    def write_position(self, position: Any) -> str:
        return GAME.write_position(list(position))  # type: ignore[arg-type]


class Nim(Heap):
    """Plies are words, positions have no key."""

    factors = {"rest": 1.0}  # noqa: RUF012

    def __init__(self, heap: int = 7) -> None:
        self.matches = heap

    def plies(self, position: tuple[int, int]) -> Any:
        return ["one", "two", "three"][: position[0]]

    def apply(self, position: tuple[int, int], ply: Any) -> tuple[int, int]:
        return super().apply(position, ["", "one", "two", "three"].index(ply))

    def values(self, position: tuple[int, int]) -> tuple[float, ...]:
        return (position[0] % 4,)


@pytest.mark.parametrize("repeat", [None, True, False])
def test_a_plain_game_says_in_its_log_that_no_position_comes_again(repeat: bool | None) -> None:
    game = Nim()
    if repeat is not None:
        game.positions_repeat = repeat  # type: ignore[attr-defined]
    said = search(game, options=SearchOptions(depth=2)).header["search"]
    assert said.get("positions_repeat") == (False if repeat is False else None)


@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs"])
def test_a_plain_game_writes_the_log_of_its_kernel_twin(algorithm: str) -> None:
    options = SearchOptions(depth=5, algorithm=algorithm, iterative=True)  # type: ignore[arg-type]
    plain, kernels = (search(game, options=options, compiled=False) for game in (PlainTicTacToe(), GAME))
    ours, twin = log_from_recording(plain), log_from_recording(kernels)
    assert plain.header | {"result": 0} == kernels.header | {"result": 0}
    for name in kernels.header["result"].keys() - {"seconds"}:
        assert plain.header["result"][name] == kernels.header["result"][name]
    for name, values in twin.columns.items():
        if name != "ply":
            assert str(ours.columns[name].tolist()) == str(values.tolist()), name
    assert [ours.text(ply) for ply in ours.columns["ply"]] == [twin.text(ply) for ply in twin.columns["ply"]]


def test_a_game_of_ten_lines_is_searched_to_its_end() -> None:
    """From seven, taking three leaves four: the one to move there loses."""
    recording = search(Nim(), options=SearchOptions(depth=9))
    assert recording.ply == "three"
    assert recording.score is not None
    assert recording.score > 999_000
    assert recording.header["game"] == "Nim"
    assert broken_rules(log_from_recording(recording)) == []


def test_equal_positions_have_one_key_where_the_game_has_none() -> None:
    log = log_from_recording(search(Nim(4), options=SearchOptions(depth=4, algorithm="minimax")))
    nodes = list(zip(log.columns["static"], log.columns["player"], log.columns["key"], strict=True))
    of_one = {key for static, player, key in nodes if static == 1 and player == 0}
    assert len(of_one) == 1
    assert len({key for _, _, key in nodes}) < len(nodes)


class Wide(Nim):
    """A hundred plies in every position."""

    def plies(self, position: tuple[int, int]) -> list[str]:
        return [f"p{i}" for i in range(100)]

    def apply(self, position: tuple[int, int], ply: str) -> tuple[int, int]:
        return position[0] + int(ply[1:]), 1 - position[1]

    def winner(self, position: tuple[int, int]) -> int | None:
        return None

    def values(self, position: tuple[int, int]) -> list[float]:
        return [position[0]]


class Widening(Wide):
    """Two plies at the root, a hundred below: the buffers grow while the search runs."""

    def plies(self, position: tuple[int, int]) -> list[str]:
        return super().plies(position) if position[1] else ["p1", "p2"]


@pytest.mark.slow
@pytest.mark.parametrize("game", [Wide(), Widening()])
@pytest.mark.parametrize("record", [True, False])
def test_a_position_with_many_plies_gets_room_for_them(game: Wide, record: bool) -> None:
    recording = search(game, options=SearchOptions(depth=2, algorithm="minimax", record=record))
    n_root = len(game.plies(game.start()))
    assert recording.header["result"]["nodes"] == 1 + n_root + n_root * 100
    assert recording.score == game.matches + (99 if n_root == 100 else 2)
    if record:
        assert broken_rules(log_from_recording(recording)) == []


class TooWide(Wide):
    def plies(self, position: tuple[int, int]) -> list[str]:
        return ["p1"] * 70_000


class Wrong(Nim):
    def values(self, position: tuple[int, int]) -> list[float]:
        return [1.0, 2.0]


class NotANumber(Nim):
    def values(self, position: tuple[int, int]) -> list[float]:
        return [float("nan")]


class Stuck(Nim):
    def winner(self, position: tuple[int, int]) -> int | None:
        return None


class Listed(Nim):
    def apply(self, position: Any, ply: str) -> Any:
        return [*super().apply(tuple(position), ply)]


class ListedPlies(Nim):
    def plies(self, position: tuple[int, int]) -> Any:
        return [["one"]] if position[0] else []


class Worded(Nim):
    def winner(self, position: tuple[int, int]) -> Any:
        return None if position[0] else "left"


class Unplayed(Nim):
    def player(self, position: tuple[int, int]) -> Any:
        return "left"


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (
            Listed(),
            r"Listed: apply\(\) or start\(\) gave a position that cannot be hashed \(unhashable type: 'list'",
        ),
        (ListedPlies(), r"ListedPlies: plies\(\) gave a ply that cannot be hashed \(unhashable"),
        (Worded(), r"Worded: winner\(\) gave 'left', expected None or a number from 0 to 4"),
        (Unplayed(), r"Unplayed: player\(\) gave 'left', expected 0 or 1"),
        (TooWide(), "TooWide: 70000 plies in one position, over 65535"),
        (Wrong(), r"Wrong: values\(\) gave 2 numbers for 1 factors"),
        (NotANumber(), r"NotANumber: values\(\) gave \[nan\] in \("),
        (Stuck(), r"Stuck: a position is not over but has no plies: \(0, [01]\)"),
    ],
)
def test_a_game_that_is_wrong_is_told_so(game: Nim, message: str) -> None:
    with pytest.raises(GameError, match=message):
        search(game, options=SearchOptions(depth=9))


def test_an_object_that_is_no_game_is_told_what_it_lacks() -> None:
    with pytest.raises(GameError, match="int is no game: it lacks players, factors, start"):
        PlainKernels(3)


def test_a_position_is_read_only_by_a_game_that_can() -> None:
    with pytest.raises(GameError, match=r"Nim cannot read positions: it has no read_position\(text\)"):
        search(Nim(), "12")
