"""A small engine that speaks UCI, for tests: it says the lines of a search, and plays the first legal ply.

    python -m tests.uci_engine [WORD]

WORD has it do something wrong: `silent`, `late`, `crash`, `illegal`, `nothing`, `miscounts`.
"""

from __future__ import annotations

import sys
import time


def main(wrong: str) -> None:
    """Answer lines until `quit`."""
    where = "startpos"
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "uci" and wrong != "silent":
            say("id name Small 1", "option name MultiPV type spin default 1 min 1 max 9", "uciok")
        elif word == "isready":
            say("readyok")
        elif word == "position":
            where = rest
        elif word == "setoption":
            say(f"info string {rest}")
        elif word == "go" and rest.startswith("perft"):
            count(where, int(rest.split()[1]), wrong)
        elif word == "go":
            if wrong == "crash":
                sys.exit(3)
            if wrong == "late":
                time.sleep(600)
            ply = {"illegal": "a1a8", "nothing": ""}.get(wrong) or first_ply(where)
            say(f"info depth 1 score cp 20 nodes 20 time 1 pv {ply}")
            say(f"info depth 2 score cp 30 nodes 70 time 3 pv {ply} e7e5")
            say("bestmove" if wrong == "nothing" else f"bestmove {ply}")
        elif word == "quit":
            return


def first_ply(where: str) -> str:
    """The first legal ply of a position, which only a match asks for: of the start it is known."""
    if where == "startpos":
        return "a2a3"
    from plyscope.engine.games.chess.notation import write_uci

    return write_uci(legal(where)[0])


def legal(where: str) -> list[int]:
    """The legal plies of a position."""
    import numpy as np

    from plyscope.engine.games import load_game

    game = load_game("chess")
    plies = np.zeros(game.max_plies, np.int32)
    return [int(ply) for ply in plies[: game.generate(game.read_position(where), plies)]]


def count(where: str, depth: int, wrong: str) -> None:
    """Say what `go perft` does, one leaf too few below each capture where it `miscounts`."""
    from plyscope.engine.games import load_game
    from plyscope.engine.games.chess.notation import write_uci
    from plyscope.engine.perft import perft

    game = load_game("chess")
    state = game.read_position(where)
    total = 0
    for ply in legal(where):
        below = state.copy()
        takes = "x" in game.write_ply(state, ply)
        game.apply(below, ply)
        if wrong == "miscounts" and takes and depth == 1:
            continue
        n_leaves = perft(game, below, depth - 1)
        total += n_leaves
        say(f"{write_uci(ply)}: {n_leaves}")
    say("", f"Nodes searched: {total}", "")


def say(*lines: str) -> None:
    """Write lines at once."""
    print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
