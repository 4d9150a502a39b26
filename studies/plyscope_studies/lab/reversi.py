"""Reversi: the one example of a command line of the Zebra family, and the FFO end-game test.

The example's answer by depth stands beside the answers of Zebra, whose ratings of the ten plies say what ours
give away. Zebra's figures were taken from its program without its book; nothing of it is used here.
"""

from __future__ import annotations

from typing import Final

from plyscope.engine.games.reversi import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import Iteration, search
from plyscope_studies.lab.lab import Lab
from plyscope_studies.reversi.ffo import FFO, compile_solver, solution

EXAMPLE: Final = "-----X------X------XOX-----OO-----OXO------X-------------------- O"
RATED: Final = {
    "c6": 6.78,
    "e7": 5.70,
    "c3": 5.27,
    "e1": 5.12,
    "d2": 4.64,
    "c7": 4.12,
    "c2": 3.33,
    "g3": 1.28,
    "d7": -1.40,
    "g2": -10.98,
}
"""Discs for White after each ply, by Zebra's search of 19 further plies."""
ZEBRA: Final = {
    6: "e1",
    8: "c3",
    **dict.fromkeys(range(9, 14), "d2"),
    14: "c3",
    15: "d2",
    16: "e7",
    17: "e7",
    **dict.fromkeys(range(18, 25), "c6"),
}
"""Zebra's answer by depth."""
LIMIT: Final = 2.0
"""Discs that an answer of a good player gives away at most."""
DEPTH: Final = 15
EMPTY: Final = (12, 14, 16)
POSITIONS: Final = 10


def run(lab: Lab) -> None:
    """All of it."""
    example(lab)
    ends(lab)
    beside_plain(lab)


def given_away(ply: str) -> float:
    """Discs that a ply of the example gives away, by Zebra's ratings.

    >>> round(given_away("d2"), 2)
    2.14
    """
    return max(RATED.values()) - RATED[ply]


def answers(depth: int, lab: Lab) -> list[Iteration]:
    """Our answer to the example by depth, searched as `plyscope study reversi` does."""
    done: list[Iteration] = []

    def told(iteration: Iteration) -> None:
        done.append(iteration)
        lab.tell(f"the example, {iteration.depth} of {depth} plies")

    options = SearchOptions(
        depth=depth, iterative=True, algorithm="pvs", record=False, table=64, killers=True
    )
    search(GAME, EXAMPLE, options, on_iteration=told)
    return done


def example(lab: Lab) -> None:
    """The answers by depth, and what they give away."""
    report = lab.report
    report.head("The example")
    cells, side = EXAMPLE.split()
    report.say(
        f"`-board {cells} -turn {side}` is answered with c6 by the program that it is published of, a fork "
        "of Zebra. The ratings are discs for White: Zebra's, by a search of 19 plies behind each of the ten."
    )
    report.table(
        ["ply", "Zebra's rating", "gives away"],
        [[ply, f"{discs:+.2f}", f"{given_away(ply):.2f}"] for ply, discs in RATED.items()],
    )
    found = answers(lab.of(DEPTH, 6), lab)
    ours = {each.depth: each.ply for each in found}
    report.table(
        ["depth", "Zebra", "gives away", "here", "gives away"],
        [
            [str(depth), *_answer(ZEBRA.get(depth)), *_answer(ours.get(depth))]
            for depth in range(1, max(ZEBRA) + 1)
        ],
    )
    last = found[-1]
    lost = given_away(last.ply)
    says = "no more than" if lost <= LIMIT else "more than"
    within = [each.depth for each in found if given_away(each.ply) <= LIMIT]
    report.say(
        f"The deepest answer here, at {last.depth} plies, is {last.ply}: it gives away {lost:.2f} discs, "
        f"{says} {LIMIT:g}. At {len(within)} of {len(found)} depths an answer gives away no more. Ours "
        "judges by the factors of `plyscope games reversi`, not by patterns, so an answer of c6 says nothing "
        "about strength: Zebra itself, with patterns, prefers other plies up to a depth of 17."
    )


def _answer(ply: str | None) -> list[str]:
    return ["", ""] if ply is None else [ply, f"{given_away(ply):.2f}"]


def ends(lab: Lab) -> None:
    """The FFO test."""
    report = lab.report
    report.head("The FFO end-game test")
    compile_solver()
    rows, wrong = [], []
    numbers = [number for number in FFO if number < 50][: lab.of(len(FFO), 1)]
    for number in numbers:
        lab.tell(f"FFO {number}")
        found = solution(number)
        black, white = found.published.discs
        if not found.is_right or found.ply != found.published.ply:
            wrong.append(str(number))
        published = [str(found.published.n_empty()), f"{black}-{white}", found.published.ply]
        nodes, seconds = found.solved.nodes, found.seconds
        effort = [f"{nodes:,}", f"{seconds:.1f}", f"{nodes / seconds:,.0f}"]
        rows.append([str(number), *published, found.discs, found.ply, *effort])
    report.table(
        ["FFO", "empty", "published", "ply", "here", "ply", "nodes", "seconds", "nodes a second"], rows
    )
    others = "all are the published ones" if not wrong else f"**{', '.join(wrong)} differ**"
    report.say(
        f"Scores are black's and white's discs; of scores and plies {others}. Seconds are the processor's on "
        "one core, with 2 ** 22 entries in the table."
    )


def beside_plain(lab: Lab) -> None:
    """The solver beside a plain alpha-beta, by empty cells."""
    from plyscope_studies.reversi.plain_endgame import both

    report = lab.report
    report.head("Beside a plain alpha-beta")
    rows = []
    for n_empty in EMPTY[: lab.of(len(EMPTY), 1)]:
        lab.tell(f"ends with {n_empty} empty cells")
        solver, plain = both(n_empty, POSITIONS, lab.seed)
        times = [f"{plain.nodes / solver.nodes:.1f}", f"{plain.seconds / solver.seconds:.1f}"]
        both_took = [cell for each in (plain, solver) for cell in (f"{each.nodes:,}", f"{each.seconds:.2f}")]
        rows.append([str(n_empty), *both_took, *times])
    report.table(
        ["empty", "plain: nodes", "seconds", "solver: nodes", "seconds", "times the nodes", "times the time"],
        rows,
    )
    report.say(
        f"{POSITIONS} ends of random games each, whose scores agree. The plain search is compiled too and "
        "has the same rules; it tries plies from a1 to h8, without a table and without kernels for the last "
        "cells."
    )
