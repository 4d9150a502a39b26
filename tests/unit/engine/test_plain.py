"""Games of somebody's own, written in an evening or as kernels: the same search, clear words for faults."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyscope.engine.game import ONGOING, Board, GameError, State
from plyscope.engine.games.tictactoe import GAME, TicTacToe, apply, generate, key, player, status, values
from plyscope.engine.jit import kernel
from plyscope.engine.kernel_game import KernelGame, legal_plies
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.heaps import Heap


class PlainTicTacToe:
    """Tic-tac-toe as a plain game, by its kernels: positions are (crosses, noughts, side)."""

    name, players, factors, meanings = "tictactoe", GAME.players, GAME.factors, GAME.meanings

    def start(self) -> tuple[int, ...]:
        return (0, 0, 0)

    def plies(self, position: Any) -> list[int]:
        return legal_plies(GAME, np.array(position))

    def apply(self, position: Any, ply: int) -> tuple[int, ...]:
        state = np.array(position)
        GAME.apply(state, ply)
        return tuple(state.tolist())

    def player(self, position: Any) -> int:
        return int(position[2])

    def winner(self, position: Any) -> int | None:
        status = GAME.status(np.array(position))
        return None if status == ONGOING else int(status)

    def values(self, position: Any) -> Any:
        out = np.zeros(len(self.factors))
        GAME.values(np.array(position), out)
        return out.tolist()

    def key(self, position: Any) -> int:
        return int(GAME.key(np.array(position)))

    def write_ply(self, position: Any, ply: int) -> str:
        return str(GAME.write_ply(position, ply))

    def write_position(self, position: Any) -> str:
        return GAME.write_position(np.array(position))


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
    for name, column in twin.columns.items():
        if name != "ply":
            assert str(ours.columns[name].tolist()) == str(column.tolist()), name
    assert [ours.text(ply) for ply in ours.columns["ply"]] == [twin.text(ply) for ply in twin.columns["ply"]]


def test_equal_positions_have_one_key_where_the_game_has_none() -> None:
    log = log_from_recording(search(Nim(4), options=SearchOptions(depth=4, algorithm="minimax")))
    nodes = list(zip(log.columns["static"], log.columns["player"], log.columns["key"], strict=True))
    of_one = {key for static, player, key in nodes if static == 1 and player == 0}
    assert len(of_one) == 1
    assert len({key for _, _, key in nodes}) < len(nodes)


class Widening(Nim):
    """Two plies at the root, a hundred below: the buffers grow while the search runs."""

    def plies(self, position: tuple[int, int]) -> list[str]:
        return [f"p{i}" for i in range(100)] if position[1] else ["p1", "p2"]

    def apply(self, position: tuple[int, int], ply: str) -> tuple[int, int]:
        return position[0] + int(ply[1:]), 1 - position[1]

    def winner(self, position: tuple[int, int]) -> int | None:
        return None

    def values(self, position: tuple[int, int]) -> list[float]:
        return [position[0]]


@pytest.mark.parametrize("record", [True, False])
def test_a_position_with_many_plies_gets_room_for_them(record: bool) -> None:
    asked = SearchOptions(depth=2, algorithm="minimax", record=record)
    recording = search(Widening(), options=asked)
    assert (recording.header["result"]["nodes"], recording.score) == (1 + 2 + 200, 7 + 2)
    if record:
        assert check(log_from_recording(recording), compiled=False).findings() == []


@pytest.mark.parametrize(
    ("method", "does", "message"),
    [
        ("apply", lambda at, ply: list(at), r"apply\(\) or start\(\) gave a position that cannot be hashed"),
        ("plies", lambda at: [["one"]], r"plies\(\) gave a ply that cannot be hashed \(unhashable"),
        ("winner", lambda at: None if at[0] else "left", r"winner\(\) gave 'left', expected None or a nu"),
        ("player", lambda at: "left", r"player\(\) gave 'left', expected 0 or 1"),
        ("plies", lambda at: ["p1"] * 70_000, "70000 plies in one position, over 65535"),
        ("values", lambda at: [1.0, 2.0], r"values\(\) gave 2 numbers for 1 factors"),
        ("values", lambda at: [float("nan")], r"values\(\) gave \[nan\] in \("),
        ("winner", lambda at: None, r"a position is not over but has no plies: \(0, [01]\)"),
    ],
)
def test_a_game_that_is_wrong_is_told_so(method: str, does: Any, message: str) -> None:
    game = Nim()
    setattr(game, method, does)
    with pytest.raises(GameError, match=f"^Nim: {message}"):
        search(game, options=SearchOptions(depth=9))


NEEDED = (generate, apply, player, status, values, key)


@kernel
def shuffle(state: object) -> None:
    """No kernel of any game."""


def test_a_subclass_keeps_its_kernels_and_those_of_other_names_or_that_are_lacking_are_refused() -> None:
    class Apart(TicTacToe, kernels=()):
        key = staticmethod(player)

    assert (Apart().generate, Apart().key) == (generate, player)
    with pytest.raises(TypeError, match="Odd: no kernel is called 'shuffle'; expected generate, apply, "):
        type(KernelGame)("Odd", (KernelGame,), {}, kernels=(*NEEDED, shuffle))
    with pytest.raises(TypeError, match=r"Short lacks the kernels values, key$"):
        type(KernelGame)("Short", (KernelGame,), {}, kernels=NEEDED[:-2])


def test_without_a_board_a_position_is_drawn_as_its_text_and_a_ply_written_as_its_number() -> None:
    class Bare(KernelGame, kernels=NEEDED):
        players = ("X", "O")
        max_plies = 9

        def write_position(self, state: State) -> str:
            return str(state.tolist())

    state = np.zeros(3, np.int64)
    assert Bare().generate is generate
    assert not hasattr(Bare, "noisy")
    assert Bare().board(state) == Board("text", (), "[0, 0, 0]")
    assert Bare().ply_cells(state, 4) == []
    state = GAME.read_position("XOX OX. O.. X")
    assert Bare().read_ply(state, " 8") == 8
    with pytest.raises(GameError, match=r"'c1' is no legal ply for X: expected one of 5, 7, 8$"):
        Bare().read_ply(state, "c1")
