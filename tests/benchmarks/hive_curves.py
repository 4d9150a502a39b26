"""Hive's branching factor and the speed of its move generation, ply by ply over random games.

    python -m tests.benchmarks.hive_curves [FOLDER]

prints a table with every tenth ply, and writes into FOLDER, where one is given, `hive-curves.csv` with every
ply and `hive-curves.svg`: means, and a band of one standard deviation to each side. A game is 100 plies drawn
evenly from the legal ones, or fewer if it ends. Speed is positions whose legal plies are generated in a
second of the processor, each position a hundred times by one compiled loop.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine import jit
from plyscope.engine.game import ONGOING
from plyscope.engine.games.hive import GAME

TYPES: Final = ("Base", "Base+MLP")
N_GAMES: Final = 200
LONGEST: Final = 100
REPEATS: Final = 100
LEAST_GAMES: Final = N_GAMES // 10
"""Plies that fewer games got to are left out."""

COLOURS: Final = {"Base": "#cc6a0a", "Base+MLP": "#3d7fcb"}
"""Legible on white and on black, as is the grey of words and axes."""
GREY: Final = "#7d8590"
WIDTH, HEIGHT, MARGIN, GAP = 760, 250, 60, 30
PANEL = HEIGHT + 60

PANELS: Final = (
    ("plies", "legal plies of a position", tuple(range(0, 500, 25)), False),
    (
        "M positions/s",
        "million positions generated a second (logarithmic)",
        (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200),
        True,
    ),
)
"""Figure, title, the ticks to take from, and whether their axis is logarithmic."""

Floats = npt.NDArray[np.float64]


@jit.kernel
def generated(game: Any, state: Any, plies: Any, times: int) -> int:
    """Generate the plies so many times; how many there are."""
    n = 0
    for _ in range(times):
        n = game.generate(state, plies)
    return n


@jit.kernel
def played(game: Any, state: Any, ply: int) -> int:
    """Play `ply`; the status after it."""
    game.apply(state, ply)
    return int(game.status(state))


@dataclass(frozen=True)
class Curve:
    """One figure of one game type: its mean and deviation for each ply, from the first."""

    figure: str
    game_type: str
    mean: Floats
    deviation: Floats


def random_games(game_type: str, seed: int) -> tuple[Floats, Floats]:
    """Plies of each position, and million positions a second, by game and ply; nan where a game was over."""
    token, generate, play = jit.bind(GAME), jit.compiled(generated), jit.compiled(played)
    draw = np.random.default_rng(seed)
    plies = np.zeros(GAME.max_plies, np.int32)
    widths, speeds = np.full((N_GAMES, LONGEST), np.nan), np.full((N_GAMES, LONGEST), np.nan)
    start = GAME.read_position(game_type)
    generate(token, start.copy(), plies, 1)
    for number in range(N_GAMES):
        state = start.copy()
        for ply in range(LONGEST):
            began = time.process_time()
            n = generate(token, state, plies, REPEATS)
            speeds[number, ply] = REPEATS / (time.process_time() - began) / 1e6
            widths[number, ply] = n
            if play(token, state, int(draw.choice(plies[:n]))) != ONGOING:
                break
    return widths, speeds


def curves() -> Iterator[Curve]:
    for seed, game_type in enumerate(TYPES):
        for figure, table in zip(("plies", "M positions/s"), random_games(game_type, seed), strict=True):
            n_plies = int((np.sum(~np.isnan(table), axis=0) >= LEAST_GAMES).sum())
            reached = table[:, :n_plies]
            yield Curve(figure, game_type, np.nanmean(reached, axis=0), np.nanstd(reached, axis=0))


# What is made of them -------------------------------------------------------------------------------------


def table_of(found: list[Curve]) -> list[list[str]]:
    """A heading, and a row for every ply."""
    heading = ["ply"]
    for curve in found:
        name = f"{curve.game_type} {curve.figure}"
        heading += [f"{name} mean", f"{name} deviation"]
    rows = [heading]
    for ply in range(max(len(curve.mean) for curve in found)):
        row = [str(ply + 1)]
        for curve in found:
            known = ply < len(curve.mean)
            row += [f"{each[ply]:.4g}" if known else "" for each in (curve.mean, curve.deviation)]
        rows.append(row)
    return rows


def points(xs: Floats, ys: Floats) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))


def panel(
    label: str, shown: list[Curve], ticks: Sequence[float], logarithmic: bool, top: int
) -> Iterator[str]:
    """One figure of all game types: bands, lines, two axes; ticks as far as the bands go."""
    lowest = min(float((curve.mean - curve.deviation).min()) for curve in shown)
    highest = max(float((curve.mean + curve.deviation).max()) for curve in shown)
    ticks = [tick for tick, above in zip(ticks, [*ticks[1:], np.inf], strict=True) if above > lowest]
    ticks = [tick for tick, below in zip(ticks, [-np.inf, *ticks], strict=False) if below < highest]
    scale = np.log if logarithmic else np.asarray
    least, most = scale(np.array(ticks))[[0, -1]]
    bottom, right = top + HEIGHT, WIDTH - MARGIN

    def at(ply: Floats, value: Floats) -> tuple[Floats, Floats]:
        shares = (scale(np.clip(value, ticks[0], ticks[-1])) - least) / (most - least)
        return MARGIN + (right - MARGIN) * ply / LONGEST, bottom - (HEIGHT - GAP) * shares

    _, ys = at(np.array([0.0]), np.array(ticks))
    for tick, y in zip(ticks, ys, strict=True):
        yield f'<path d="M{MARGIN} {y:.1f}H{right}" stroke="{GREY}" opacity=".3"/>'
        yield f'<text x="{MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>'
    for curve in shown:
        ply, colour = np.arange(1.0, len(curve.mean) + 1), COLOURS[curve.game_type]
        high = at(ply, curve.mean + curve.deviation)
        low = at(ply[::-1], (curve.mean - curve.deviation)[::-1])
        yield f'<polygon points="{points(*high)} {points(*low)}" fill="{colour}" opacity=".2"/>'
        line = points(*at(ply, curve.mean))
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
    yield f'<path d="M{MARGIN} {top + GAP}V{bottom}H{right}" fill="none" stroke="{GREY}"/>'
    yield f'<text x="{MARGIN}" y="{top + GAP - 12}" font-weight="bold">{label}</text>'
    for number in range(0, LONGEST + 1, 20):
        x = MARGIN + (right - MARGIN) * number / LONGEST
        yield f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{number}</text>'
    yield f'<text x="{(MARGIN + right) / 2}" y="{bottom + 34}" text-anchor="middle">ply of the game</text>'


def picture(found: list[Curve]) -> str:
    """Both figures one over the other, as SVG, legible on white and on black."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {2 * PANEL + 30}" '
        f'font-family="sans-serif" font-size="12" fill="{GREY}">'
    ]
    for i, (game_type, colour) in enumerate(COLOURS.items()):
        x = MARGIN + 100 * i
        parts.append(f'<path d="M{x} 12h20" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{x + 26}" y="16" fill="{colour}">{game_type}</text>')
    said = f"line: mean of {N_GAMES} random games; band: a standard deviation to each side"
    parts.append(f'<text x="{WIDTH - MARGIN}" y="16" text-anchor="end">{said}</text>')
    for row, (figure, label, ticks, logarithmic) in enumerate(PANELS):
        shown = [curve for curve in found if curve.figure == figure]
        parts += panel(label, shown, ticks, logarithmic, 30 + row * PANEL)
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    found = sorted(curves(), key=lambda curve: curve.figure)
    rows = table_of(found)
    print(f"mean ± deviation over {N_GAMES} random games of each type")
    print("  ply " + "".join(f"{curve.game_type + ' ' + curve.figure:>26}" for curve in found))
    for row in rows[1:2] + rows[10::10]:
        pairs = zip(row[1::2], row[2::2], strict=True)
        cells = [f"{mean} ± {spread}" if mean else "" for mean, spread in pairs]
        print(f"  {row[0]:>3} " + "".join(f"{cell:>26}" for cell in cells))
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "hive-curves.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        (folder / "hive-curves.svg").write_text(picture(found), encoding="utf-8")


if __name__ == "__main__":
    main()
