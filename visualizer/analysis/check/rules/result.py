"""result: what the run says in the end is what its tree shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard

import numpy as np
import numpy.typing as npt

from visualizer.analysis.check.passes.machine import Work
from visualizer.analysis.check.rule import Figures, Rule
from visualizer.analysis.check.seen.children import MOST_NAMED, some
from visualizer.analysis.check.seen.claimed import Root, root_of_result
from visualizer.analysis.check.seen.sight import Sight
from visualizer.analysis.check.seen.totals import wrong_totals
from visualizer.store import words


class Fault(NamedTuple):
    """One contradiction between the result and the tree, at a row."""

    row: int
    figures: Figures


def faults(sight: Sight) -> Iterator[Fault]:
    """Every contradiction, the root's own first."""
    result = sight.log.header.get("result")
    if not isinstance(result, Mapping):
        return
    number = root_of_result(sight)
    for expected, stated, message in wrong_totals(sight, result):
        yield Fault(0 if number is None else number, Figures(expected, stated, message))
    if number is None:
        return
    root = Root(sight, number)
    yield from _root_faults(sight, root, result)
    ply = result.get("ply")
    if isinstance(ply, str) and root.is_expanded:
        yield from _ply_faults(sight, root, result, ply)
        yield from _line_faults(sight, root, result, ply)


def _root_faults(sight: Sight, root: Root, result: Mapping[str, Any]) -> Iterator[Fault]:
    if not root.is_finished:
        outcome = words.OUTCOMES[sight.outcome[root.row]]
        message = f"The result comes from a tree that was not finished: its root is {outcome}."
        yield Fault(root.row, Figures("finished", outcome, message))
        return
    bound = int(sight.bound[root.row])
    if bound in (words.LOWER, words.UPPER) and not root.is_closed():
        name = words.BOUNDS[bound]
        message = f"The score of the root that the result comes from is no exact one but a bound: {name}."
        yield Fault(root.row, Figures("exact", name, message))
    score = result.get("score")
    if sight.rank == 0 and root.can_compare and _is_number(score) and not root.is_score(score):
        found, expected = float(score), root.score
        message = f"The result's score is {found:g}, but its root's is {expected:g}."
        yield Fault(root.row, Figures(expected, found, message))


def _ply_faults(sight: Sight, root: Root, result: Mapping[str, Any], ply: str) -> Iterator[Fault]:
    visits = root.visits(root.row, ply)
    if not visits:
        if not root.may_hold(root.row):
            plies = root.plies(root.row)
            message = f"The result's ply is {ply}, but the plies searched at its root are {some(plies)}."
            yield Fault(root.row, Figures(plies[:MOST_NAMED], ply, message))
        return
    low, high, is_known = root.claim(visits)
    if sight.rank == 0:
        score = root.score
    else:
        stated = result.get("score")
        score = float(stated) if _is_number(stated) else low
    if not root.can_compare or np.isnan(score):
        return
    involved = tuple(visits)
    if not is_known:
        if not any(root.is_same(float(sight.score[row]), score) for row in visits):
            found = float(sight.score[visits[-1]])
            message = f"The result's ply {ply} returned {found:g}, but the score is {score:g}."
            yield Fault(visits[-1], Figures(score, found, message, involved))
        return
    if not root.proves(root.row, low, high, score, exactly=sight.rank > 0):
        message = (
            f"The result's ply {ply} is worth between {low:g} and {high:g} by its own visits, "
            f"which does not prove the score {score:g}."
        )
        yield Fault(visits[-1], Figures(score, [_json(low), _json(high)], message, involved))
        return
    rank = result.get("rank")
    if isinstance(rank, int) and not isinstance(rank, bool):
        better, equal = root.rivals(ply, score)
        if not better <= rank <= better + equal:
            message = f"The result's rank is {rank}, but {better} plies are exact and better than {ply}."
            yield Fault(visits[-1], Figures([better, better + equal], rank, message, involved))


def _line_faults(sight: Sight, root: Root, result: Mapping[str, Any], ply: str) -> Iterator[Fault]:
    line = result.get("pv")
    if not isinstance(line, list) or not line or not all(isinstance(each, str) for each in line):
        return
    if line[0] != ply:
        message = f"The principal variation begins with {line[0]}, but the result's ply is {ply}."
        yield Fault(root.row, Figures(ply, line[0], message))
        return
    row = root.row
    score = np.nan
    for place, each in enumerate(line):
        visits = root.visits(row, each)
        if not visits:
            if not root.may_hold(row):
                plies = root.plies(row)
                message = (
                    f"Ply {place + 1} of the principal variation is {each}, but the plies searched there are "
                    f"{some(plies)}."
                )
                yield Fault(row, Figures(plies[:MOST_NAMED], each, message))
            return
        if place > 0 and not np.isnan(score) and len(root.passes) == 1:
            low, high, is_known = root.claim(visits)
            if not is_known and not any(root.is_same(float(sight.score[visit]), score) for visit in visits):
                low = high = float(sight.score[visits[-1]])
                is_known = not np.isnan(low)
            if is_known and not root.proves(row, low, high, score, exactly=False):
                message = (
                    f"Ply {place + 1} of the principal variation, {each}, is worth {low:g} to {high:g}, "
                    f"but the score of the line is {score:g}."
                )
                yield Fault(visits[-1], Figures(score, [_json(low), _json(high)], message, tuple(visits)))
                return
        same = [
            visit for visit in visits if np.isnan(score) or root.is_same(float(sight.score[visit]), score)
        ]
        row = (same or visits)[-1]
        if place == 0:
            score = float(sight.score[row]) if root.can_compare else np.nan
        if not root.goes_on(row):
            return


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _json(number: float) -> float | str:
    return float(number) if np.isfinite(number) else str(float(number))


def find(sight: Sight, work: Work) -> npt.NDArray[np.int64]:
    """The rows at which the result and its tree contradict."""
    return np.array(sorted({fault.row for fault in faults(sight)}), np.int64)


def figures(sight: Sight, row: int) -> Figures:
    """The first contradiction at the row; others there stand behind it in the same sentence."""
    found = [fault.figures for fault in faults(sight) if fault.row == row]
    first = found[0]
    message = " ".join(each.message for each in found)
    return Figures(first.expected, first.found, message, first.involved)


RULE = Rule(
    name="result",
    severity="wrong",
    reason="the result is what its root proves: score, ply, rank, principal variation and totals",
    meaning=(
        "The run reported something else than its tree shows. Usually the root keeps a ply whose score "
        "is only equal by a bound (`>=` where `>` belongs), the result of an unfinished or earlier "
        "iteration is mixed with this one's, an aspiration window failed and was not searched again, or "
        "the principal variation was overwritten by a later node. Look at where the root takes a new "
        "best ply, and at what is kept when time runs out."
    ),
    needs=("result",),
    example={
        "plyscope": 1,
        "search": {"fail": "soft"},
        "result": {"ply": "d3", "score": 4},
        "root": {
            "layer": "max",
            "score": 4,
            "bound": "exact",
            "alpha": None,
            "beta": None,
            "children": [
                {"ply": "c6", "layer": "min", "score": 4, "bound": "exact", "alpha": None, "beta": None},
                {"ply": "d3", "layer": "min", "score": 4, "bound": "upper", "alpha": 4, "beta": None},
                {"ply": "e6", "layer": "min", "score": 1, "bound": "upper", "alpha": 4, "beta": None},
            ],
        },
    },
    find=find,
    figures=figures,
)
