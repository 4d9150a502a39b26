"""What no rule looked at in a log, in the order of what would matter most: what "clean" does not say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from plyscope.visualizer.analysis.check.facts.reasons import lines_alone
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store import words

Of = Literal["both", "windows", "best-first"]


@dataclass(frozen=True)
class NotJudged:
    """A matter that no rule judged, and why."""

    what: str
    why: str

    def __str__(self) -> str:
        """Return both in words.

        >>> str(NotJudged("who wins", "no `ending`"))
        'who wins, since no `ending`'
        """
        return f"{self.what}, since {self.why}"


@dataclass(frozen=True)
class _Matter:
    """Something that is taken to be right when nothing is found; one of its rules suffices to judge it."""

    what: str
    rules: tuple[str, ...]
    """None of them where the field alone decides."""
    lacks: str
    """The field whose absence is the reason, if the log does not state it; "" if the rules say why."""
    of: Of = "both"
    matters: Callable[[Sight], bool] = lambda sight: True


def _has_entries(sight: Sight) -> bool:
    return len(sight.tt_use) > 0 or bool((sight.outcome == words.TT).any())


def _has_no_layers(sight: Sight) -> bool:
    return not bool(((sight.layer == words.MAX) | (sight.layer == words.MIN)).any())


WORTHS: Final = ("terminal", "ending-mean", "proof", "replay")
MATTERS: Final = (
    _Matter("scores", ("value", "maxn", "chance"), "score", "windows"),
    _Matter("the means of visits", ("mean", "visits"), "mean", "best-first"),
    _Matter("whether the best child counts", (), "layer", "windows", _has_no_layers),
    _Matter("who wins", WORTHS, "ending", matters=lambda sight: len(sight.ending) == 0),
    _Matter("what a win or a draw is worth", WORTHS, "", matters=lambda sight: len(sight.ending) > 0),
    _Matter("legality", ("replay",), "game"),
    _Matter("whose turn it is", ("layer", "replay"), "player"),
    _Matter("whether plies are taken back", ("path-key", "replay"), "key", "windows"),
    _Matter("evaluations", ("static-sum", "leaf", "key-static"), "static", "windows"),
    _Matter("plies left out", ("moves", "replay"), "moves", "windows"),
    _Matter("windows and cuts", ("window", "cut"), "alpha", "windows"),
    _Matter("what the table returned", ("tt-source", "tt-bound", "tt-depth"), "tt", "windows", _has_entries),
    _Matter("how plies were chosen", ("choice", "descent"), "visits", "best-first"),
    _Matter("what the run chose", ("result",), "result"),
)


def not_judged(
    sight: Sight, checked: Collection[str], reasons: Iterable[tuple[str, str]], states: Callable[[str], bool]
) -> tuple[NotJudged, ...]:
    """Return the matters that none of the rules `checked` judged.

    `reasons` are rules that were not asked and why; `states(field)` is whether the log states a field.
    """
    why_not: dict[str, str] = {}
    for rule, why in reasons:
        why_not.setdefault(rule, why)
    alone = lines_alone(sight)
    other: Of = "windows" if sight.best_first else "best-first"
    return tuple(
        NotJudged(matter.what, _reason(matter, why_not, states, alone))
        for matter in MATTERS
        if matter.of != other and matter.matters(sight) and not set(matter.rules) & set(checked)
    )


def _reason(
    matter: _Matter, why_not: dict[str, str], states: Callable[[str], bool], alone: str | None
) -> str:
    if alone is not None and alone in map(why_not.get, matter.rules):
        return alone
    if matter.lacks and not (matter.rules and states(matter.lacks)):
        return f"no `{matter.lacks}`"
    why = next((why_not[rule] for rule in matter.rules if rule in why_not), "no node can be judged")
    why = why.partition(";")[0]  # what might be meant instead is said in full with the rule
    return f"no {why.removeprefix('needs ').replace('|', '` or `')}" if why.startswith("needs ") else why
