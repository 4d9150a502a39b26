"""The randomness quotient: its published table and two charts, and draws against the formula."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from plyscope.counting import RankChances
from plyscope.counting import quotient as chances
from plyscope.visualizer.analysis.quotient import LEAST_EXPECTED, class_ends, standard_errors
from plyscope_studies.lab.lab import Lab

PUBLISHED: Final = {
    2: ".5 .25 .125 .0625 .03125 .015625 .0078125 .00390625",
    7: ".857143 .122449 .017493 .002499 .000357 .000051 .0000073 .0000010",
    8: ".875 .109375 .013672 .001709 .000214 .000027 .0000033",
    9: ".888889 .098765 .010974 .001219 .000135 .000015",
}
"""By quotient, the share of each rank, the best first; in as many decimals as are printed."""
CHARTED: Final = (2, 7)
BARS: Final = 10
DRAWS: Final = 100_000
NEAR: Final = 4.0
"""Standard errors within which a drawn share has to be."""


def run(lab: Lab) -> None:
    """The table, the charts, the draws."""
    found = {q: chances(q, plies=BARS, draws=lab.of(DRAWS, 2000), seed=lab.seed) for q in PUBLISHED}
    lab.report.say(
        "Plies are ranked best first. While a draw of 1 in Q comes up, the next one is taken, never past "
        "the last: rank n is played with probability (Q − 1) / Qⁿ, the last of N with 1 / Qᴺ⁻¹. Q = 2 is "
        "published for demonstration, 7 as realistic, 8 to 9 for strong levels. The tables count ranks from "
        "1, as published; the charts count from 0, the best on the left."
    )
    say_table(lab, found)
    for q in CHARTED:
        lab.report.chart(str(q), f"Q = {q}: how often each rank is played; rings are draws", found[q].svg)
    say_draws(lab, found)


def say_table(lab: Lab, found: dict[int, RankChances]) -> None:
    """The published shares, each with ours below it."""
    lab.report.head("How often each rank is played")
    rows, differ = [], []
    for q, text in PUBLISHED.items():
        published = [Decimal(each) for each in text.split()]
        ours = [
            Decimal(each.probability).quantize(wanted)
            for each, wanted in zip(found[q].ranks, published, strict=False)
        ]
        blank = [""] * (8 - len(published))
        rows.append([f"{q}, published", *(f"{each:f}" for each in published), *blank])
        rows.append([f"{q}, here", *(f"{each:f}" for each in ours), *blank])
        differ += [str(q) for one, other in zip(published, ours, strict=True) if one != other]
    lab.report.table(["Q", *map(str, range(1, 9))], rows)
    lab.report.say(
        "Ours are rounded to the digits that are published: "
        + ("all are the same." if not differ else f"**those of {', '.join(dict.fromkeys(differ))} differ**.")
    )


def say_draws(lab: Lab, found: dict[int, RankChances]) -> None:
    """Drawn shares and how far they are from the formula, the rare ranks taken together."""
    lab.report.head("Draws against the formula")
    rows, far = [], []
    for q, each in found.items():
        counts = each.counts or ()
        n_draws = sum(counts)
        for first, last in class_ends(n_draws, each.ranks):
            drawn = sum(counts[first : last + 1])
            p = each.ranks[first].or_worse if last == len(counts) - 1 else each.ranks[first].probability
            errors = standard_errors(drawn, n_draws, p) or 0.0
            name = str(first + 1) if first == last else f"{first + 1} and on"
            rows.append([str(q), name, f"{p:.6f}", f"{drawn / n_draws:.6f}", f"{errors:+.1f}"])
            if abs(errors) > NEAR:
                far.append(f"Q = {q}, rank {name}")
    lab.report.table(["Q", "rank", "formula", "drawn", "standard errors"], rows)
    tests = [
        [str(q), f"{test.statistic:.2f}", str(test.degrees), f"{test.p:.2f}"]
        for q, each in found.items()
        if (test := each.chi_square) is not None
    ]
    lab.report.table(["Q", "χ²", "degrees of freedom", "p"], tests)
    n_draws = sum(found[CHARTED[0]].counts or ())
    within = "All shares are" if not far else f"**Not all shares are ({', '.join(far)})**"
    lab.report.say(
        f"{n_draws:,} draws each, among {BARS} plies, as searches draw. Ranks with fewer than "
        f"{LEAST_EXPECTED:g} expected draws are taken together. {within} within {NEAR:g} standard errors "
        "√(p(1 − p)/n). `plyscope quotient Q --draws N --seed S` prints the same for any Q."
    )
