"""A third opinion on the rules of Hive: OpenSpiel's legal actions beside those of our slow rules.

The two are played through the same random games, half of the plies moves. OpenSpiel differs in three ways,
none of them ours to mend:

* it lists any piece of a kind for placing, where the protocol has the lowest number: left out here;
* it lists one ply several times, once for each neighbour that can be named: counted once here;
* on Black's third turn it now and then moves a piece that would split the hive: shown here.

Whatever else differs ends the script with an error.
"""

from __future__ import annotations

import random
from collections import Counter

import pyspiel

from tests.hive.oracle import GAME_TYPES, Ply, Position, start

N_GAMES = 80
LONGEST = 80


def their_start(game_type: str) -> pyspiel.State:
    """OpenSpiel's state at the start of a game type."""
    has = {f"uses_{name}": name[0].upper() in game_type[5:] for name in ("mosquito", "ladybug", "pillbug")}
    return pyspiel.load_game("hive", has).new_initial_state()


def opinion(state: pyspiel.State, position: Position) -> tuple[dict[Ply, int], int]:
    """OpenSpiel's action for each ply, the lowest numbers only, and how many actions named one again."""
    actions: dict[Ply, int] = {}
    again = 0
    hand = [piece for piece in position.pieces() if position.cell_of(piece) is None]
    for action in state.legal_actions():
        ply = position.read(state.action_to_string(action))
        if ply and ply[0] in hand and any(each[:2] == ply[0][:2] and each < ply[0] for each in hand):
            continue
        again += ply in actions
        actions[ply] = action
    return actions, again


def splits(position: Position, ply: Ply) -> bool:
    cell = None if ply is None else position.cell_of(ply[0])
    return cell is not None and not position.lifted(cell).is_one_hive()


def compare(game_type: str, draw: random.Random, found: Counter[str]) -> None:
    state, position = their_start(game_type), start(game_type)
    for _ in range(LONGEST):
        plies = position.legal()
        if state.is_terminal() or not plies:
            assert state.is_terminal() == (not plies), position.game_string()
            return
        theirs, again = opinion(state, position)
        extra = theirs.keys() - plies
        assert plies <= theirs.keys(), position.game_string()
        assert all(splits(position, ply) for ply in extra), position.game_string()
        found["positions"] += 1
        found["plies"] += len(plies)
        found["named again"] += again
        found["positions where a piece splits the hive"] += bool(extra)
        found["of these on Black's third turn"] += bool(extra) and len(position.plies) == 5
        both = sorted(plies, key=str)
        moves = [ply for ply in both if ply and position.cell_of(ply[0])]
        ply = draw.choice(moves if moves and draw.random() < 0.5 else both)
        state.apply_action(theirs[ply])
        position = position.play(ply, trusted=True)


def main() -> None:
    draw = random.Random(1)
    found: Counter[str] = Counter()
    for number in range(N_GAMES):
        compare(GAME_TYPES[number % len(GAME_TYPES)], draw, found)
    for name, count in found.items():
        print(f"{name}: {count:,}")


if __name__ == "__main__":
    main()
