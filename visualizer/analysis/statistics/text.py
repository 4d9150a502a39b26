"""Statistics as lines for a terminal: tables with a head, and at the end the figures that are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from plyscope.engine.quoting import counted, told_apart, visible
from plyscope.visualizer.analysis.nodes.digits import digits_for, short, short_apart
from plyscope.visualizer.analysis.statistics.figures import (
    ApartAt,
    PrunedAt,
    RankBar,
    SpentAt,
    Statistics,
)

FEW: Final = 10
"""Root plies, iterations and move numbers that a terminal shows; `--json` has all."""
FIRST_LEVELS, LAST_LEVELS = 50, 10
"""Levels that a terminal shows of a deeper tree; `--json` has all."""
MOST_TEXT: Final = 24
NO_PLY: Final = "(no ply)"
MOST_PATH: Final = 40
SIGNS: Final = {"exact": "", "lower": "≥ ", "upper": "≤ ", "": "? "}
MEANINGLESS: Final = (
    "windows, cuts, smaller limits and the order of plies have no meaning in a best-first tree"
)
FIGURES: Final = {
    "tree": "the tree that was searched",
    "limits": "smaller branching limits",
    "quotient": "randomness quotient",
    "levels.siblings": "branching with stubs",
    "order": "order of plies",
    "order.cuts": "cuts",
    "order.best": "better plies",
    "pruned": "where it pruned most",
    "apart": "pre_score and score apart",
    "counters": "techniques",
    "where.seconds": "seconds of root plies",
}
"""The names in the tables of figures that a log may lack; others are shown under their own name."""
VERDICTS: Final = {"kept": "kept", "changed": "changed", "unknown": "cannot be known"}


def lines(figures: Statistics) -> Iterator[str]:
    """Every table of one log; each begins with an empty line."""
    for part in (
        _OF_VISITS
        if figures.visited is not None
        else (
            _levels,
            _pruned,
            _apart,
            _order,
            _counters,
            _where,
            _limits,
            _iterations,
            _quotient,
            _missing,
        )
    ):
        table = list(part(figures))
        if table:
            yield ""
            yield from table


def _visited(figures: Statistics) -> Iterator[str]:
    """The visits of a best-first tree by level, and how concentrated they are."""
    visited = figures.visited
    assert visited is not None
    playouts = "an unknown number of" if visited.playouts is None else _visits(visited.playouts)
    yield (
        f"{playouts} play-outs; {counted(visited.nodes, 'visited node')} with a row, "
        f"down to level {visited.deepest:,}"
    )
    if visited.first_share is not None and visited.effective_plies is not None:
        yield (
            f"at the root {visited.first_share:.1%} of the visits went to one ply: as concentrated as "
            f"{visited.effective_plies:,.1f} plies with equal shares"
        )
    yield ""
    yield f"{'level':>5} {'visited':>12} {'visits':>14} {'expanded':>12} {'branching':>10}"
    left_out = _levels_left_out(len(visited.levels))
    for at in visited.levels:
        if at.level in left_out:
            if at.level == left_out.start:
                yield f"{'…':>5}  levels {left_out.start:,} to {left_out.stop - 1:,}: --json has them"
            continue
        ratio = _ratio(at.branching)
        yield f"{at.level:>5} {at.nodes:>12,} {_visits(at.visits):>14} {at.expanded:>12,} {ratio:>10}"
    yield "(visits with those of stubs; branching: visited children with a row, a node that has any)"


def _where_visited(figures: Statistics) -> Iterator[str]:
    plies = sorted(figures.where.root_plies, key=lambda each: -(each.playouts or 0.0))
    total = sum(each.playouts or 0.0 for each in plies)
    if not total:
        return
    yield f"{'root ply':<{MOST_TEXT}} {'visits':>12} {'share':>7} {'nodes':>12}"
    names = told_apart([each.ply or NO_PLY for each in plies[:FEW]], MOST_TEXT)
    for name, each in zip(names, plies, strict=False):
        share = (each.playouts or 0.0) / total
        yield f"{name:<{MOST_TEXT}} {_visits(each.playouts):>12} {share:>7.1%} {each.nodes:>12,}"
    if len(plies) > FEW:
        rest = sum(each.playouts or 0.0 for each in plies[FEW:])
        yield f"{f'… {len(plies) - FEW:,} more':<{MOST_TEXT}} {_visits(rest):>12} {rest / total:>7.1%}"


def _snapshots(figures: Statistics) -> Iterator[str]:
    """The table of snapshots: the leading ply after so many play-outs."""
    found = () if figures.visited is None else figures.visited.snapshots
    if len(found) < 2:
        return
    yield f"{'play-outs':>12} {'led':<{MOST_TEXT}} {'visits':>12} {'mean':>9}"
    for each in found[-2 * FEW :]:
        mean = "–" if each.mean is None else short(each.mean)
        led = f"{_ply(each.ply):<{MOST_TEXT}} {_visits(each.visits):>12} {mean:>9}"
        yield f"{_visits(each.playouts):>12} {led}"


def side_by_side(one: Statistics, other: Statistics) -> Iterator[str]:
    """The main figures of two logs in two columns, and the difference of the second in per cent."""
    yield f"{'':<34} {'first':>14} {'second':>14} {'change':>9}"
    for label, first, second in _pairs(one, other):
        change = f"{(second - first) / first:+.1%}" if first and second is not None else ""
        yield f"{label:<34} {_figure(first):>14} {_figure(second):>14} {change:>9}".rstrip()


def _pairs(one: Statistics, other: Statistics) -> Iterator[tuple[str, float | None, float | None]]:
    for label, name in (
        ("nodes", "nodes"),
        ("leaves", "leaves"),
        ("cuts", "cuts"),
        ("pruned plies", "pruned"),
        ("limited plies", "limited"),
    ):
        stated = [
            None if getattr(each, f"uncounted_{name}", 0) else getattr(each, name) for each in (one, other)
        ]
        yield label, stated[0], stated[1]
    if one.order is not None and other.order is not None:
        yield "cuts at the first ply", one.order.first_share, other.order.first_share
        yield "nodes in plies before the cut", one.order.cost, other.order.cost
    uniform = [each.iterations[-1].uniform_branching if each.iterations else None for each in (one, other)]
    yield "uniform branching, last tree", uniform[0], uniform[1]
    tried = {each.name: each for each in other.counters}
    for pair in one.counters:
        twin = tried.get(pair.name)
        if twin is not None and (pair.tried or twin.tried):
            yield pair.name, pair.tried, twin.tried
    n_levels = max(len(one.levels), len(other.levels))
    left_out = _levels_left_out(n_levels)
    for level in range(n_levels):
        if level in left_out and level > left_out.start:
            continue
        meant = left_out if level in left_out else range(level, level + 1)
        counts = [sum(at.nodes for at in each.levels[meant.start : meant.stop]) for each in (one, other)]
        name = f"levels {meant.start:,} to {meant.stop - 1:,}" if len(meant) > 1 else f"level {level}"
        yield f"nodes at {name}", counts[0], counts[1]


def _levels_left_out(n_levels: int) -> range:
    """The levels in the middle of a deep tree, which one line sums up; two or more, or none."""
    last = n_levels - LAST_LEVELS
    return range(FIRST_LEVELS, last) if last > FIRST_LEVELS + 1 else range(0)


def _figure(number: float | None) -> str:
    if number is None:
        return "–"
    return f"{number:,}" if isinstance(number, int) else f"{number:,.3f}"


def _visits(number: float | None) -> str:
    """Visits are a whole number but where a log weighs them."""
    return f"{number:,.0f}" if number is not None and number.is_integer() else _figure(number)


def _levels(figures: Statistics) -> Iterator[str]:
    has_visits = any(each.visits is not None for each in figures.levels)
    is_untold = any(lack.figure == "order.cuts" for lack in figures.missing)
    left_out = _levels_left_out(len(figures.levels))
    names = ("level", "nodes", "leaves", "cuts", "pruned", "limited", "branching", "+ stubs", "next/this")
    rows: list[tuple[str, ...]] = [(*names, "visits") if has_visits else names]
    for at in figures.levels:
        if at.level in left_out:
            if at.level == left_out.start:
                meant = figures.levels[left_out.start : left_out.stop]
                sums = (sum(getattr(each, name) for each in meant) for name in ("nodes", "leaves"))
                rows.append(("…", *(f"{each:,}" for each in sums)))
            continue
        cells = (
            *(f"{number:,}" for number in (at.level, at.nodes, at.leaves)),
            "?" if is_untold else f"{at.cuts:,}",
            *at.dropped(),
            *map(_ratio, (at.branching, at.branching_with_stubs, at.effective_branching)),
        )
        rows.append((*cells, _visits(at.visits)) if has_visits else cells)
    widths = [max(len(row[place]) for row in rows if place < len(row)) for place in range(len(rows[0]))]
    for row in rows:
        line = " ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=False))
        if row[0] == "…":
            line += f"  at levels {left_out.start:,} to {left_out.stop - 1:,}, which --json has one by one"
        yield line


def _ratio(number: float | None) -> str:
    return "–" if number is None else f"{number:,.2f}"


def _pruned(figures: Statistics) -> Iterator[str]:
    most = figures.extremes.pruned[:FEW]
    if most:
        yield "where it pruned most: nodes at which the most plies were pruned"
        yield f"  {'pruned':>12} {'level':>6}  node"
        for each in most:
            yield f"  {each.pruned:>12,} {each.level:>6}  {_node(each)}"


def _apart(figures: Statistics) -> Iterator[str]:
    most = figures.extremes.apart[:FEW]
    if most:
        asked = figures.extremes.apart_asked
        yield f"pre_score and score farthest apart, of {counted(asked, 'node')} whose difference is known"
        yield f"  {'apart':>9} {'pre_score':>9} {'score':>9}  node"
        digits = digits_for(value for each in most for value in (each.apart, each.pre_score, each.score))
        for each in most:
            sign = "≥ " if each.bound in ("lower", "upper") else ""
            score = f"{SIGNS[each.bound]}{digits.signed(each.score)}"
            apart, node = f"{sign}{digits.plain(each.apart)}", _node(each)
            yield f"  {apart:>9} {digits.signed(each.pre_score):>9} {score:>9}  {node}"
    if figures.extremes.ended:
        yield f"  left out of these: {counted(figures.extremes.ended, 'node')} of won, lost or finished games"


def _node(each: PrunedAt | ApartAt | SpentAt) -> str:
    """Id and path; the iteration where its tree is not the main one."""
    text = visible(each.path)
    path = text if len(text) <= MOST_PATH else f"…{text[1 - MOST_PATH :]}"
    return f"#{each.id} {path}" + ("" if each.iteration is None else f", iteration {each.iteration}")


def _order(figures: Statistics) -> Iterator[str]:
    order = figures.order
    if order is None:
        return
    if order.cuts:
        kinds = [
            f"{count:,} {name}"
            for count, name in (
                (order.by_child, "by a child"),
                (order.by_stand_pat, "by standing pat"),
                (order.by_null, "by a null move"),
                (order.by_estimate, "by an estimate"),
                (order.by_unknown, "not said by what"),
            )
            if count
        ]
        yield f"order of plies: {counted(order.cuts, 'cut')}, {', '.join(kinds)}"
        yield from _histogram("cut by ply", order.at_ply, order.at_later_ply, 1, order.at_unknown_ply)
        share = order.cost / figures.nodes if figures.nodes else 0.0
        yield f"  {order.cost:,} nodes ({share:.1%}) in plies before the one that cut"
        if figures.extremes.spent:
            yield f"  {'spent before':>12} {'cut at':>8}  node"
        for each in figures.extremes.spent[:FEW]:
            place = "?" if each.cut_at is None else str(each.cut_at)
            yield f"  {each.spent:>12,} {f'ply {place}':>8}  {_node(each)}"
    ranked = sum(order.best_rank) + order.best_rank_later
    if ranked:
        yield f"plies of better pre_score than the best ply, at {counted(ranked, 'node')} with an exact score"
        yield from _histogram("better plies", order.best_rank, order.best_rank_later, 0, 0)


def _histogram(label: str, counts: Sequence[int], later: int, first: int, unknown: int) -> Iterator[str]:
    total = sum(counts) + later
    shown = counts[:FEW]
    rest = sum(counts[FEW:]) + later
    yield f"  {label:>12} {'nodes':>12} {'share':>7}"
    for number, count in enumerate(shown, first):
        yield f"  {number:>12} {count:>12,} {count / total if total else 0:>7.1%}"
    if rest:
        yield f"  {'more':>12} {rest:>12,} {rest / total:>7.1%}"
    if unknown:
        yield f"  {'not known':>12} {unknown:>12,}"


def _counters(figures: Statistics) -> Iterator[str]:
    found = [each for each in figures.counters if each.tried]
    table = figures.table
    if found:
        yield f"{'technique':<18} {'tried':>12} {'succeeded':>12} {'share':>7} {'nodes':>12}  success: they …"
        for each in found:
            share = "–" if each.succeeded is None else f"{each.succeeded / each.tried:.1%}"
            yield (
                f"{each.name:<18} {each.tried:>12,} {_figure(each.succeeded):>12} {share:>7}"
                f" {_figure(each.nodes):>12}  {each.succeeded_is}"
            )
    if table is not None:
        yield (
            f"transposition table: {counted(table.found, 'node')} with an entry: {table.cut:,} cut, "
            f"{table.narrow:,} narrowed, {table.order:,} ordered"
        )


def _where(figures: Statistics) -> Iterator[str]:
    plies = figures.where.root_plies
    if plies:
        has_seconds = any(each.seconds is not None for each in plies)
        has_playouts = any(each.playouts is not None for each in plies)
        yield (
            f"{'root ply':<{MOST_TEXT}} {'visits':>7} {'nodes':>12} {'share':>7}"
            + (f" {'seconds':>9}" if has_seconds else "")
            + (f" {'play-outs':>12}" if has_playouts else "")
        )
        names = told_apart([each.ply or NO_PLY for each in plies[:FEW]], MOST_TEXT)
        for name, each in zip(names, plies, strict=False):
            yield (
                f"{name:<{MOST_TEXT}} {each.visits:>7,} {each.nodes:>12,} {each.share:>7.1%}"
                + (f" {_figure(each.seconds):>9}" if has_seconds else "")
                + (f" {_visits(each.playouts):>12}" if has_playouts else "")
            )
        if len(plies) > FEW:
            rest = sum(each.nodes for each in plies[FEW:])
            yield f"{f'… {len(plies) - FEW:,} more':<{MOST_TEXT}} {'':>7} {rest:>12,}"
    if len(figures.where.purposes) > 1:
        yield f"{'purpose':<{MOST_TEXT}} {'visits':>12} {'nodes below':>12}"
        for purpose in figures.where.purposes:
            name = purpose.purpose or "not stated"
            yield f"{name:<{MOST_TEXT}} {purpose.visits:>12,} {purpose.nodes:>12,}"
    if figures.where.quiescence:
        share = figures.where.quiescence / figures.where.nodes
        yield f"in quiescence: {figures.where.quiescence:,} nodes ({share:.1%})"


def _ply(ply: str | None) -> str:
    return told_apart([ply or NO_PLY], MOST_TEXT)[0]


def _limits(figures: Statistics) -> Iterator[str]:
    limits = figures.limits
    if limits is None or not limits.each:
        return
    of = "no limit today" if limits.today is None else f"today {limits.today}"
    yield f"smaller branching limits ({of}): is {_ply(limits.ply)} still chosen?"
    yield f"  {'limit':>5}  {'decision':<16} {'nodes below what it drops':>26}"
    for each in limits.each:
        saved = f"{each.saved:,}"
        if each.saved_at_most > each.saved:
            saved += f" to {each.saved_at_most:,}"
        yield f"  {each.limit:>5}  {VERDICTS[each.decision]:<16} {saved:>26}"
    if limits.left_out:
        yield f"  {limits.left_out:,} limits between these were not tried"
    if limits.rests_on:
        yield f"  taken to do the same there: {', '.join(limits.rests_on)}"


def _iterations(figures: Statistics) -> Iterator[str]:
    trees = figures.iterations
    if len(trees) < 2:
        return
    yield f"{'iteration':>9} {'nodes':>12} {'growth':>7} {'uniform':>8} {'score':>14}  pv"
    if len(trees) > 2 * FEW:
        yield f"  the first {len(trees) - 2 * FEW:,} are left out; --json has all"
    for each in trees[-2 * FEW :]:
        name = "" if each.iteration is None else str(each.iteration)
        if each.attempt > 1:
            name += f"#{each.attempt}"
        score = "–" if each.score is None else f"{SIGNS[each.bound]}{short(each.score)}"
        pv = " ".join(_ply(ply) for ply in each.pv[:FEW])
        yield (
            f"{name:>9} {each.nodes:>12,} {_ratio(each.growth):>7} {_ratio(each.uniform_branching):>8}"
            f" {score:>14}  {pv}"
        )


def _quotient(figures: Statistics) -> Iterator[str]:
    quotient = figures.quotient
    if quotient is None:
        return
    drawn = "" if quotient.rank is None else f", drawn rank {quotient.rank}"
    yield f"randomness quotient {quotient.quotient} over {quotient.n_plies:,} plies{drawn}"
    yield f"  {'rank':>5} {'probability':>12} {'costs':>22}  ply"
    for bar in quotient.bars[:FEW]:
        ply = "" if bar.ply is None else _ply(bar.ply)
        yield f"  {bar.rank:>5} {bar.probability:>12.4%} {_cost(bar):>22}  {ply}".rstrip()
    if len(quotient.bars) > FEW or quotient.rest:
        rest = sum(bar.probability for bar in quotient.bars[FEW:]) + quotient.rest
        yield f"  {'more':>5} {rest:>12.4%}"
    exact = quotient.loss_low == quotient.loss_high
    most = "" if quotient.loss_high is None else f", at most {short(quotient.loss_high)}"
    yield f"  expected loss: {'' if exact else 'at least '}{short(quotient.loss_low)}{'' if exact else most}"


def _cost(bar: RankBar) -> str:
    if bar.exact:
        return short(bar.cost_low or 0.0)
    if bar.cost_high is not None:
        return " to ".join(short_apart(bar.cost_low or 0.0, bar.cost_high))
    return f"at least {short(bar.cost_low)}" if bar.cost_low else "unknown"


def _missing(figures: Statistics) -> Iterator[str]:
    if figures.missing:
        yield "what the figures above leave out, and why:"
    for lack in figures.missing:
        yield f"  {FIGURES.get(lack.figure, lack.figure)} – {lack.says}"


_OF_VISITS: Final = (_visited, _where_visited, _snapshots, lambda figures: [MEANINGLESS])
"""The tables of a best-first tree: of alpha-beta nothing has a meaning there."""
