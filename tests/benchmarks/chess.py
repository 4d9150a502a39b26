"""The speed of chess: perft in bulk against python-chess and Stockfish.

Bulk: plies of the last position are counted and not played, by python-chess's `legal_moves.count()` too. A
third is Debian's `stockfish`, `go perft`, where it is installed or named by STOCKFISH. Targets: at least 40
times python-chess, a fifth of Stockfish.
Seconds are the processor's, of one thread. All counts are made again before anything is timed.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess

import chess

from plyscope.engine.games.chess import GAME
from plyscope.engine.perft import perft
from tests.benchmarks.timing import median, taken
from tests.chess.test_perft import PUBLISHED, leaves_of

ROUNDS = 5
THEIR_DEPTH = 3
"""Of python-chess, which takes seconds for more."""
MOST_LEAVES = 20_000_000
STOCKFISH_LEAVES = 200_000_000
CHESS_TARGET, STOCKFISH_TARGET = 40, 0.2


def deepest(counts: tuple[int, ...], most: int) -> tuple[int, int]:
    """The greatest depth with at most so many leaves, and their number."""
    depth = max(n for n, leaves in enumerate(counts, 1) if leaves <= most)
    return depth, counts[depth - 1]


def our_rate(text: str, depth: int, leaves: int) -> float:
    """Leaves a second."""
    state = GAME.read_position(text)
    assert perft(GAME, state, depth) == leaves
    return leaves / median(lambda: perft(GAME, state, depth), ROUNDS)


def their_rate(text: str) -> float:
    """The same of python-chess."""
    board = chess.Board(text if text.count(" ") > 3 else f"{text} 0 1")
    leaves = PUBLISHED[text][THEIR_DEPTH - 1]
    assert leaves_of(board, THEIR_DEPTH) == leaves
    return leaves / taken(lambda: leaves_of(board, THEIR_DEPTH))


def stockfish_rate(program: str, text: str, depth: int, leaves: int) -> float:
    """The same of Stockfish, in a process of its own; what it takes to start is left out."""

    def worked(depth: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = f"position fen {text}\ngo perft {depth}\nquit\n"
        out = subprocess.run([program], input=said, capture_output=True, text=True, check=True).stdout
        assert f"Nodes searched: {PUBLISHED[text][depth - 1]}" in out
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    return leaves / (statistics.median(worked(depth) for _ in range(3)) - worked(1))


def main() -> None:
    program = os.environ.get("STOCKFISH") or shutil.which(
        "stockfish", path=os.environ["PATH"] + ":/usr/games"
    )
    for text, counts in PUBLISHED.items():
        depth, leaves = deepest(counts, MOST_LEAVES)
        ours, theirs = our_rate(text, depth, leaves), their_rate(text)
        line = f"depth {depth}: {ours / 1e6:6.1f} M leaves/s; python-chess {theirs / 1e6:.3f}, "
        line += f"ratio {ours / theirs:.0f} (target: {CHESS_TARGET})"
        if program:
            depth, leaves = deepest(counts, STOCKFISH_LEAVES)
            other = stockfish_rate(program, text, depth, leaves)
            line += f"; Stockfish {other / 1e6:.1f}, ratio {ours / other:.2f} (target: {STOCKFISH_TARGET})"
        print(f"{line}  {text}")
    if not program:
        print("Stockfish is not installed here: no figure of it")


if __name__ == "__main__":
    main()
