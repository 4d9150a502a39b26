"""The chances of ranks under a randomness quotient, a test of drawn counts against them; as lines and as SVG.

Knows no log: `analysis/statistics/quotient.py` sets these probabilities beside the plies of a root.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from plyscope.engine.quotient import rank_probability, tail_probability
from plyscope.visualizer.analysis.picture.style import FONTS, LIGHT, Palette

OWN_PLIES: Final = 30
"""The plies of one player in a game, for which the expected number of each rank is computed."""
LEAST_EXPECTED: Final = 5.0
"""Draws expected in each class of the χ² test; ranks with fewer are taken together."""


@dataclass(frozen=True)
class RankChance:
    """One rank, 0 for the best ply: its probability, and its expected number in a game."""

    rank: int
    probability: float
    or_worse: float
    """Probability of this rank or a worse one."""
    per_game: float
    """Expected times in a game of 30 own plies."""


@dataclass(frozen=True)
class ChiSquare:
    """Pearson's χ² of drawn counts against their probabilities."""

    statistic: float
    degrees: int
    p: float
    """Probability of a χ² at least as great where the draws follow the formula."""
    pooled_from: int
    """The first of the last ranks that are taken together, as each class needs 5 expected draws."""


def rank_chances(quotient: int, n_plies: int) -> tuple[RankChance, ...]:
    """The chances of all ranks of `n_plies` plies.

    >>> [(each.probability, each.or_worse, each.per_game) for each in rank_chances(2, 3)]
    [(0.5, 1.0, 15.0), (0.25, 0.5, 7.5), (0.25, 0.25, 7.5)]
    """
    chances = []
    for rank in range(n_plies):
        probability = rank_probability(rank, quotient, n_plies)
        chances.append(
            RankChance(rank, probability, tail_probability(rank, quotient), OWN_PLIES * probability)
        )
    return tuple(chances)


def class_ends(n_draws: int, chances: Sequence[RankChance]) -> list[tuple[int, int]]:
    """The first and last rank of each class of ranks that expects 5 draws: single ranks, then all others.

    >>> class_ends(100, rank_chances(3, 6))
    [(0, 0), (1, 1), (2, 5)]
    """
    last = len(chances) - 1
    while last > 0 and n_draws * chances[last].or_worse < LEAST_EXPECTED:
        last -= 1
    # The class of the last ranks holds all from `last` on; the ones before each need enough draws too.
    while last > 0 and n_draws * chances[last - 1].probability < LEAST_EXPECTED:
        last -= 1
    return [*((rank, rank) for rank in range(last)), (last, len(chances) - 1)]


def chi_square(counts: Sequence[int], chances: Sequence[RankChance]) -> ChiSquare | None:
    """Compare drawn counts by rank with the chances; None where fewer than two classes expect 5 draws.

    >>> test = chi_square([48, 26, 26], rank_chances(2, 3))
    >>> round(test.statistic, 2), test.degrees, round(test.p, 4)
    (0.16, 2, 0.9231)
    """
    n_draws = sum(counts)
    last = class_ends(n_draws, chances)[-1][0]
    if last == 0:
        return None
    expected = [n_draws * each.probability for each in chances[:last]] + [n_draws * chances[last].or_worse]
    observed = [*counts[:last], sum(counts[last:])]
    statistic = math.fsum((seen - mean) ** 2 / mean for seen, mean in zip(observed, expected, strict=True))
    return ChiSquare(statistic, last, chi_square_tail(statistic, last), last)


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return P(χ² ≥ statistic), by the finite series for whole degrees (Abramowitz, Stegun 26.4.4-5).

    >>> round(chi_square_tail(3.841, 1), 3), round(chi_square_tail(5.991, 2), 3)
    (0.05, 0.05)
    """
    if statistic <= 0:
        return 1.0
    half = statistic / 2
    total = math.erfc(math.sqrt(half)) if degrees % 2 else 0.0
    exponent = 0.5 if degrees % 2 else 0.0
    while exponent < degrees / 2:
        total += math.exp(exponent * math.log(half) - half - math.lgamma(exponent + 1))
        exponent += 1
    return min(1.0, total)


BAR: Final = 24
"""The length of a bar for 1, in characters."""
EIGHTHS: Final = " ▏▎▍▌▋▊▉"
HEIGHT, BAND, LEFT, TOP, BOTTOM = 220.0, 44.0, 56.0, 40.0, 44.0
"""Sizes in the SVG, in pixels: the height of 1, the width of a rank, and the margins."""


def probability_text(probability: float) -> str:
    """A probability with eight decimals; a tiny one with three digits.

    >>> probability_text(6 / 49), probability_text(7**-10)
    ('0.12244898', '3.54e-09')
    """
    return f"{probability:.8f}" if probability >= 1e-6 or probability == 0 else f"{probability:.2e}"


def lines_of(
    quotient: int,
    chances: Sequence[RankChance],
    counts: Sequence[int] | None = None,
    seed: int | None = None,
    test: ChiSquare | None = None,
) -> Iterator[str]:
    """A heading, a line for each rank with its bar, and with `counts` a line for χ²."""
    yield f"Q = {quotient}, {len(chances)} {'ply' if len(chances) == 1 else 'plies'}; rank 0 is the best"
    in_game = f"in {OWN_PLIES} plies"
    drawn = "" if counts is None else f"  {'drawn':>10}  {'off by':>8}"
    yield f"{'rank':>4}  {'this rank':>11}  {'or worse':>11}  {in_game:>11}{drawn}"
    n_draws = sum(counts or ())
    for each in chances:
        line = (
            f"{each.rank:>4}  {probability_text(each.probability):>11}  {probability_text(each.or_worse):>11}"
            f"  {each.per_game:>11.4g}"
        )
        if counts is not None:
            few = n_draws * each.probability < LEAST_EXPECTED
            errors = None if few else standard_errors(counts[each.rank], n_draws, each.probability)
            off = "few" if few else "–" if errors is None else f"{errors:+.1f} se"
            line += f"  {counts[each.rank] / n_draws:>10.6f}  {off:>8}"
        yield f"{line}  {_bar(each.probability)}".rstrip()
    if counts is None:
        return
    yield f"{n_draws:,} draws, seed {seed}; off by: in standard errors √(p(1 − p)/n); few: under 5 expected"
    first, last = class_ends(n_draws, chances)[-1]
    if 0 < first < last:
        n_late, p = sum(counts[first:]), chances[first].or_worse
        errors = standard_errors(n_late, n_draws, p)
        off = "" if errors is None else f": {errors:+.1f} se"
        yield f"ranks {first} and on: {n_late / n_draws:.6f} drawn, {probability_text(p)} expected{off}"
    if test is None:
        yield "χ² not given: fewer than two ranks have 5 expected draws; take more draws"
    else:
        pooled = f", ranks {test.pooled_from} and on together" if test.pooled_from < len(chances) - 1 else ""
        yield f"χ² = {test.statistic:.2f} on {test.degrees} degrees of freedom{pooled}: p = {test.p:.3g}"


def standard_errors(count: int, n_draws: int, probability: float) -> float | None:
    """The distance of a drawn frequency from its probability, in standard errors; None if the error is 0."""
    error = math.sqrt(probability * (1 - probability) / n_draws)
    return (count / n_draws - probability) / error if error > 0 else None


def svg_of(
    quotient: int,
    chances: Sequence[RankChance],
    counts: Sequence[int] | None = None,
    palette: Palette = LIGHT,
) -> str:
    """The chances as bars, the best rank on the left; drawn frequencies as rings over them."""
    wide, high = LEFT + BAND * len(chances) + 24, TOP + HEIGHT + BOTTOM
    wide = max(wide, 320.0)
    base = TOP + HEIGHT
    title = f"Randomness quotient Q = {quotient}: how often each rank is played"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" '
        f'viewBox="0 0 {wide:g} {high:g}" role="img" font-family="{FONTS}" font-size="12" '
        f'fill="{palette.ink}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" fill="{palette.paper}"/>',
        _text(f"Q = {quotient}", LEFT, 22, palette.ink, anchor="start", extra=' font-weight="600"'),
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = base - HEIGHT * tick
        parts.append(
            f'<path d="M{LEFT:g} {y:g}H{wide - 24:g}" stroke="{palette.fold}" fill="none"/>'
            + _text(f"{tick:g}", LEFT - 8, y + 4, palette.dim, anchor="end")
        )
    for each in chances:
        x, tall = LEFT + BAND * each.rank, HEIGHT * each.probability
        parts.append(
            f'<rect class="rank" x="{x + 6:g}" y="{base - tall:.3f}" width="{BAND - 12:g}" '
            f'height="{tall:.3f}" fill="{palette.strokes["max"]}">'
            f"<title>rank {each.rank}: {probability_text(each.probability)}</title></rect>"
        )
        parts.append(_text(_short(each.probability), x + BAND / 2, base - tall - 10, palette.ink, size=10))
        parts.append(_text(str(each.rank), x + BAND / 2, base + 16, palette.dim))
        if counts is not None:
            share = counts[each.rank] / sum(counts)
            parts.append(
                f'<circle class="drawn" cx="{x + BAND / 2:g}" cy="{base - HEIGHT * share:.3f}" r="4" '
                f'fill="{palette.paper}" stroke="{palette.strokes["min"]}" stroke-width="2">'
                f"<title>rank {each.rank}: {counts[each.rank]:,} of {sum(counts):,} draws</title></circle>"
            )
    axis = "rank of the ply, 0 is the best"
    axis += "" if counts is None else f"; rings: {sum(counts):,} draws"
    parts.append(_text(axis, LEFT, base + 34, palette.dim, anchor="start"))
    return "\n".join([*parts, "</svg>", ""])


def _text(
    words: str, x: float, y: float, fill: str, *, anchor: str = "middle", size: int = 12, extra: str = ""
) -> str:
    return (
        f'<text x="{x:g}" y="{y:.3f}" text-anchor="{anchor}" fill="{fill}" font-size="{size}"{extra}>'
        f"{escape(words)}</text>"
    )


def _short(probability: float) -> str:
    return f"{probability:.3f}" if probability >= 0.0005 else f"{probability:.0e}"


def _bar(probability: float) -> str:
    eighths = round(probability * BAR * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()
