"""A small engine that speaks UCI, for tests: it says the lines of a search, and plays the first legal ply.

    python -m tests.uci_engine [WORD]

WORD has it do something wrong: `silent`, `late`, `crash`, `illegal`, `nothing`, `scoreless`, `miscounts`,
`searches`.
"""

from __future__ import annotations

import sys
import time
from typing import Any


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
        elif word == "go" and rest.startswith("perft") and wrong != "searches":
            count(where, int(rest.split()[1]), wrong)
        elif word == "go":
            if wrong == "crash":
                print("no more memory", file=sys.stderr)
                sys.exit(3)
            if wrong == "scoreless":
                say("info depth 1", "bestmove (none)")
                continue
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
    """Say what `go perft` does; where it `miscounts` no capture is a leaf."""
    from plyscope.engine.games import load_game
    from plyscope.engine.games.chess.notation import write_uci
    from plyscope.engine.kernel_game import legal_plies

    game = load_game("chess")

    def leaves(state: Any, ply: int, depth: int) -> int:
        if depth == 0:
            return int(wrong != "miscounts" or "x" not in game.write_ply(state, ply))
        below = state.copy()
        game.apply(below, ply)
        return sum(leaves(below, int(reply), depth - 1) for reply in legal_plies(game, below))

    state = game.read_position(where)
    counts = {ply: leaves(state, ply, depth - 1) for ply in legal(where)}
    say(*(f"{write_uci(ply)}: {n_leaves}" for ply, n_leaves in counts.items() if n_leaves or depth > 1))
    say("", f"Nodes searched: {sum(counts.values())}", "")


def say(*lines: str) -> None:
    """Write lines at once."""
    print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
