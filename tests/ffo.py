"""Solves positions of the FFO end-game test, and compares with what is published of them.

python -m tests.ffo [NUMBER...]   solves 40 to 49, or those named; exit status 1 if one disagrees
"""

from __future__ import annotations

import sys

from plyscope.visualizer.lab.ffo import compile_solver, solution


def main() -> None:
    """Solve, and print a table in Markdown."""
    numbers = [int(text) for text in sys.argv[1:]] or list(range(40, 50))
    compile_solver()
    print("| FFO | empty cells | score | ply | nodes | seconds | nodes/s |\n|---|---|---|---|---|---|---|")
    wrong = []
    for number in numbers:
        found = solution(number)
        if not found.is_right:
            wrong.append(number)
        cells = [str(number), str(found.published.n_empty()), found.discs, found.ply, *found.effort]
        print(f"| {' | '.join(cells)} |", flush=True)
    if wrong:
        sys.exit(f"other scores than published: {', '.join(map(str, wrong))}")


if __name__ == "__main__":
    main()
