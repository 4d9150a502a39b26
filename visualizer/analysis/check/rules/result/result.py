"""Rule `result`: the result of the run agrees with its tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from plyscope.visualizer.analysis.check.facts.children import MOST_NAMED, some
from plyscope.visualizer.analysis.check.facts.judged import Mask, Rows
from plyscope.visualizer.analysis.check.rule import Figures, Rule, Severity
from plyscope.visualizer.analysis.check.rules.result.result_claim import (
    CHOOSING,
    Root,
    candidate_roots,
)
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import CUT, alpha_of, beta_of, taken_of
from plyscope.visualizer.analysis.columns.sight import TT_NARROW, Array, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import pieces
from plyscope.visualizer.store.positions import respelled

_NOUNS = {
    "nodes": "nodes",
    "leaves": "leaves",
    "prune_events": "prune events",
    "pruned": "pruned plies",
    "limited": "plies dropped by the limit",
    "tt_hits": "table hits",
}


def _wrong_totals(sight: Sight, result: Mapping[str, Any]) -> Iterator[Figures]:
    """Return the figures of each total that the result states otherwise than the rows."""
    counted = _counted_totals(sight)
    for name, noun in _NOUNS.items():
        stated = result.get(name)
        if _is_number(stated) and name in counted and stated != counted[name]:
            message = f"The result counts {stated:,} {noun}, but the rows hold {counted[name]:,}."
            yield Figures(counted[name], stated, message)


def _counted_totals(sight: Sight) -> dict[str, int]:
    """Return the totals that follow from the rows; none if rows were not recorded or not left.

    Stubs and table entries are counted only where the log writes them at all.
    """
    outcome = sight.outcome

    def n_of(code: int) -> int:
        return int(np.count_nonzero(outcome == code))

    if n_of(words.UNLOGGED) or n_of(words.OPEN):
        return {}
    totals = {"nodes": int(np.count_nonzero(outcome < words.FIRST_STUB))}
    if not n_of(0):
        totals["leaves"] = n_of(words.LEAF) + n_of(words.TERMINAL)
    for name, code in (("pruned", words.PRUNED), ("limited", words.LIMITED)):
        n_stubs = n_of(code)
        if not n_stubs:
            continue
        if name == "pruned":
            totals["prune_events"] = n_stubs
        if len(sight.count):
            n_plies = _sum_of(sight.count, outcome == code)
            if n_plies is not None:
                totals[name] = n_plies
    if len(sight.tt_use):
        totals["tt_hits"] = sum(int(np.count_nonzero(sight.tt_use == use)) for use in (CUT, TT_NARROW))
    return totals


def _sum_of(counts: Array, where: Array) -> int | None:
    """Return the sum of the counts of some rows, None if one of them is not stated."""
    total = 0
    for rows in pieces(len(counts)):
        piece = counts[rows] * where[rows]  # an index by a mask takes four times as long
        if piece.min() < 0:
            return None
        total += int(piece.sum(dtype=np.int64))
    return total


class Fault(NamedTuple):
    """One contradiction between the result and the tree, at a row."""

    row: int
    figures: Figures
    severity: Severity = "wrong"


def faults(sight: Sight) -> Iterator[Fault]:
    """Every contradiction, the root's own first: of the roots that it may come from, the one that agrees."""
    result = sight.log.header.get("result")
    if not isinstance(result, Mapping):
        return
    rows = candidate_roots(sight, result)
    for figures in _wrong_totals(sight, result):
        # Engines count otherwise than rows: table hits not at all, re-searches once.
        yield Fault(rows[0] if rows else 0, figures, "odd")
    found = [list(_faults_of(sight, Root(sight, row), result)) for row in rows]
    if found and all(found):
        yield from found[0]


def _faults_of(sight: Sight, root: Root, result: Mapping[str, Any]) -> Iterator[Fault]:
    """The contradictions between the result and a root that it may come from."""
    ply = result.get("ply")
    if not root.is_finished and not (isinstance(ply, str) and root.has_finished(ply)):
        if (
            not isinstance(ply, str) or sight.outcome[root.row] != words.STOPPED
        ):  # else `stopped-used` says it
            outcome = words.OUTCOMES[sight.outcome[root.row]]
            message = f"The result comes from a tree that was not finished: its root is {outcome}."
            yield Fault(root.row, Figures("finished", outcome, message))
        return
    yield from _root_faults(sight, root, result)
    if isinstance(ply, str) and root.is_expanded:
        ply = respelled(sight.log, root.row, ply)
        yield from _ply_faults(sight, root, result, ply)
        yield from _line_faults(sight, root, result, ply)


def _root_faults(sight: Sight, root: Root, result: Mapping[str, Any]) -> Iterator[Fault]:
    score, ply = result.get("score"), result.get("ply")
    bound = int(sight.bound[root.row])
    is_bound = root.is_finished and root.is_minimax and bound in (words.LOWER, words.UPPER)
    if is_bound and not root.is_closed() and not root.is_at_its_end():
        name, named = words.BOUNDS[bound], result.get("bound")
        if named in ("lower", "upper"):
            if named != name:
                message = f"The result is called a bound, {named}, but its root has the other one: {name}."
                yield Fault(root.row, Figures(name, named, message))
        elif _is_number(score):
            message = f"The score of the root that the result comes from is no exact one but a bound: {name}."
            yield Fault(root.row, Figures("exact", name, message))
        elif isinstance(ply, str) and sight.layer[root.row] in CHOOSING and not root.is_decisive():
            message = f"The root that the result comes from failed low ({name}), which finds no ply."
            yield Fault(root.row, Figures("exact", name, message))
    if sight.rank == 0 and root.can_compare and _is_number(score) and not root.is_score(score):
        found, expected = float(score), root.score
        whose = "its root's" if root.is_finished else "the best that was finished below its root"
        stated, returned = apart(found, expected)
        message = f"The result's score is {stated}, but {whose} is {returned}."
        yield Fault(root.row, Figures(expected, found, message))


def _ply_faults(sight: Sight, root: Root, result: Mapping[str, Any], ply: str) -> Iterator[Fault]:
    visits = root.visits(root.row, ply)
    if not visits:
        if not root.may_hold(root.row):
            plies = root.plies(root.row)
            named = ply if ply == ply.strip() else f'"{ply}"'
            message = f"The result's ply is {named}, but the plies searched at its root are {some(plies)}."
            yield Fault(root.row, Figures(plies[:MOST_NAMED], ply, message))
        return
    claim = root.claim(visits)
    low, high = claim.low, claim.high
    if sight.rank == 0:
        score = root.score
    else:
        stated = result.get("score")
        score = float(stated) if _is_number(stated) else low
    if not root.can_compare or np.isnan(score):
        return
    involved = tuple(visits)
    if claim.contradicts:
        pass  # `research-disagrees` and `table-disagrees` speak of these visits
    elif not claim.is_known:
        if not any(root.is_same(taken_of(sight, row), score) for row in visits):
            found = float(taken_of(sight, visits[-1]))
            returned, stated = apart(found, score)
            message = f"The result's ply {ply} returned {returned}, but the score is {stated}."
            yield Fault(visits[-1], Figures(score, found, message, involved))
        return
    elif not root.proves(root.row, low, high, score, exactly=sight.rank > 0):
        least, most, stated = apart(low, high, score)
        message = (
            f"The result's ply {ply} is worth between {least} and {most} by its own visits, "
            f"which does not prove the score {stated}."
        )
        yield Fault(visits[-1], Figures(score, [_json(low), _json(high)], message, involved))
        return
    rank = result.get("rank")
    if isinstance(rank, int) and not isinstance(rank, bool):
        better, equal = root.rivals(ply, score)
        if not better <= rank <= better + equal:
            message = f"The result's rank is {rank}, but {better} plies are exact and better than {ply}."
            yield Fault(visits[-1], Figures([better, better + equal], rank, message, involved))


def _is_at_an_edge(sight: Sight, root: Root, visits: Sequence[int], score: float) -> bool:
    """Whether a visit without a stated bound has the score, and has it at an edge of its window."""
    return any(
        sight.bound[visit] == 0
        and root.is_same(taken_of(sight, visit), score)
        and float(sight.score[visit]) in (alpha_of(sight, visit), beta_of(sight, visit))
        for visit in visits
    )


def _line_faults(sight: Sight, root: Root, result: Mapping[str, Any], ply: str) -> Iterator[Fault]:
    line = result.get("pv")
    if not isinstance(line, list) or not line or not all(isinstance(each, str) for each in line):
        return
    if respelled(sight.log, root.row, line[0]) != ply:
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
            low, high, is_known, contradicts = root.claim(visits)
            if not is_known and not any(root.is_same(taken_of(sight, visit), score) for visit in visits):
                low = high = float(taken_of(sight, visits[-1]))
                is_known = not np.isnan(low)
            if _is_at_an_edge(sight, root, visits, score):
                is_known = False  # an exact score may lie there, too: the bound follows from the window
            if is_known and not contradicts and not root.proves(row, low, high, score, exactly=False):
                least, most, stated = apart(low, high, score)
                message = (
                    f"Ply {place + 1} of the principal variation, {each}, is worth {least} to {most}, "
                    f"but the score of the line is {stated}."
                )
                yield Fault(visits[-1], Figures(score, [_json(low), _json(high)], message, tuple(visits)))
                return
        same = [visit for visit in visits if np.isnan(score) or root.is_same(taken_of(sight, visit), score)]
        row = (same or visits)[-1]
        if place == 0:
            score = float(sight.score[row]) if root.can_compare else np.nan
        else:
            score += float(sight.score[row] - taken_of(sight, row))  # from here on seen without its move
        if not root.goes_on(row):
            return


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _json(number: float) -> float | str:
    return float(number) if np.isfinite(number) else str(float(number))


def find(sight: Sight, work: Work) -> Rows:
    """The rows at which the result and its tree contradict."""
    return np.array(sorted({fault.row for fault in faults(sight)}), np.int64)


def _has_judged(sight: Sight, work: Work) -> bool:
    result = sight.log.result
    says_what = not result.keys().isdisjoint(("ply", "score", "pv", "rank"))
    is_chosen = says_what and len(candidate_roots(sight, result)) > 0
    return is_chosen or not result.keys().isdisjoint(_counted_totals(sight))


def is_odd(sight: Sight, rows: Rows) -> Mask:
    """Roots at which only totals differ."""
    return ~np.isin(rows, [fault.row for fault in faults(sight) if fault.severity == "wrong"])


def _figures(sight: Sight, row: int) -> Figures:
    found = sorted(
        (fault for fault in faults(sight) if fault.row == row), key=lambda fault: fault.severity == "odd"
    )
    first = found[0].figures
    message = " ".join(fault.figures.message for fault in found)
    return Figures(first.expected, first.found, message, first.involved)


RULE = Rule("result", "wrong", ("result",), _figures, has_judged=_has_judged, find=find, is_odd=is_odd)
