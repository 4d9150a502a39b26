"""`plyscope.what_if`: what other weights make of a recorded search, as `plyscope what-if` tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from plyscope.engine.quoting import visible
from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.whatif import answer, sentences
from plyscope.visualizer.analysis.whatif.reweighing import Reweighing
from plyscope.visualizer.store.tree import Tree


@dataclass(frozen=True)
class ReweightedPly:
    """A ply of the root under other weights: it is worth from `low` to `high`, seen from the root player."""

    ply: str | None
    node: Node = field(repr=False)
    low: float
    """-inf where it is not known."""
    high: float
    place: str
    """`first` for what is worth most at least, `could overtake` for what may be worth more, `ruled out`."""


@dataclass(frozen=True)
class WeightRange:
    """The range of one weight, the others as logged: where the choice stands, depends or falls."""

    name: str
    weight: float
    """As logged."""
    state: str
    """What the choice is as logged: `certain`, `depends` (on unsearched plies) or `falls`."""
    stands: tuple[float, float] | None
    """Between these weights the choice certainly stands; None where it does not as logged."""
    holds: tuple[float, float] | None
    """Just beyond these weights it certainly falls; infinite where that never happens."""
    flips_at: float
    """The least change of the weight after which the choice no longer certainly stands."""
    segments: tuple[tuple[float, float, str], ...] = field(repr=False)
    """All weights from -inf to inf: from, to, state."""


class WhatIf:
    """A search under other weights; see `what_if`. `str` of it is what the command prints."""

    def __init__(self, log: Reweighing, weights: Mapping[str, float], name: str) -> None:
        self._log = log
        self._found = log.at(weights)
        self._name = name

    @property
    def weights(self) -> dict[str, float]:
        """Every weight that can be changed, as it is here."""
        return dict(self._found.weights)

    @property
    def logged(self) -> dict[str, float | None]:
        """The weights of the log; None where it does not state one."""
        return {each.name: each.weight for each in self._log.weights}

    @property
    def plies(self) -> tuple[ReweightedPly, ...]:
        """The plies of the root: the first, then the others, those that can reach most first."""
        return tuple(
            ReweightedPly(each.ply, Node(self._log.tree, each.row), each.low, each.high, each.place)
            for each in self._found.plies
        )

    @property
    def first(self) -> ReweightedPly:
        """The ply that is worth most at least."""
        return self.plies[0]

    @property
    def certain(self) -> bool:
        """Whether no other ply can be worth more than the first, whatever was not searched."""
        return self._found.certain

    @property
    def is_tie(self) -> bool:
        """Whether the first is certain, and another ply may be worth exactly as much."""
        return self._found.is_tie

    @property
    def depends_on(self) -> int:
        """Unsearched plies that could still change what the first ply or one that could overtake it is worth.

        0 where the first is certain. The log may not count all: see `depends_on_more`.
        """
        return self._found.unsearched.plies

    @property
    def depends_on_more(self) -> bool:
        """Whether it depends on more than `depends_on`: plies not counted, nodes whose worth is not told."""
        return self._found.unsearched.is_least or self._found.unsearched.unknown > 0

    @property
    def choice(self) -> Node:
        """The ply that the search chose; of a drawn one, the best as logged."""
        return Node(self._log.tree, self._log.rows[self._log.choice])

    @property
    def choice_state(self) -> str:
        """The state of that choice under these weights: `certain`, `depends` or `falls`."""
        return self._found.choice

    def interval(self, node: Node) -> tuple[float, float]:
        """The least and the greatest worth of a node, seen from the root player; NaN for a stub.

        Of several visits of one ply the last one holds what all of them leave open.
        """
        if node._tree is not self._log.tree:
            raise ValueError("the node is of another log")
        low, high = self._found.intervals
        return float(low[node._row]), float(high[node._row])

    @cached_property
    def ranges(self) -> tuple[WeightRange, ...]:
        """The range of each weight, the others as logged; first what flips the choice by the least share.

        They do not depend on the weights asked for, and are computed when first read.
        """
        return tuple(
            WeightRange(
                name=each.weight.name,
                weight=each.weight.weight or 0.0,
                state=each.range.state,
                stands=sentences.change_as_weight(each, each.range.stands),
                holds=sentences.change_as_weight(each, each.range.holds),
                flips_at=each.flips_at,
                segments=tuple(
                    (
                        (each.weight.weight or 0.0) + segment.begin,
                        (each.weight.weight or 0.0) + segment.end,
                        segment.state,
                    )
                    for segment in each.segments
                ),
            )
            for each in self._log.all_ranges
        )

    def search(self, *, progress: bool | None = None) -> Log:
        """Search the position of the log again, with these weights and all else as it was asked for then.

        What cannot be the same, such as a table that the logged search began with, is in the log's
        `notices`. `plyscope.diff(old, new)` then says what the weights changed. Raises OptionError where the
        log is not one of a search by Plyscope's own engine and games; Ctrl+C raises `Interrupted`.
        """
        from plyscope.engine.record.recorded_search import recorded_search
        from plyscope.searching import repeated

        asked = recorded_search(self._log.tree.log.header, sentences.changed_weights(self._log, self._found))
        with StatusLine.of_call(progress) as status:
            return repeated(asked, status)

    def as_json(self) -> dict[str, Any]:
        """The answer of `plyscope what-if --weights … --json`."""
        return {"log": self._name, **answer.reweighted_json(self._log, self._found)}

    def ranges_as_json(self) -> dict[str, Any]:
        """The answer of `plyscope what-if --json` without weights."""
        return {"log": self._name, **answer.ranges_json(self._log)}

    def lines(self) -> list[str]:
        """The lines that the command prints for one set of weights."""
        return sentences.reweighted_lines(self._log, self._found)

    def range_lines(self) -> list[str]:
        """The lines that the command prints without weights."""
        return sentences.range_lines(self._log)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        first = self._found.plies[0]
        state = "certain" if self.certain else f"depends on {sentences.counted_plies(self._found)}"
        return f"<WhatIf {visible(self._name)}: {visible(first.ply or '?')} first, {state}>"


def what_if(
    log: Log | Source,
    weights: Mapping[str, float] | None = None,
    *,
    assume_dropped: bool = True,
    map: Mapping[str, str] | str | None = None,
    progress: bool | None = None,
) -> WhatIf:
    """Weigh the recorded leaves of a log anew and fold them up again, without searching.

    Weights that `weights` does not name stay as logged. Only the rows of the log count, not its windows and
    cuts; what was not searched leaves an end open, so every node has an interval. Horizon, kept plies and
    reductions are those of the log; with `assume_dropped=False` plies that the branching limit or forward
    pruning left out count as unsearched.

    Raises LogError, and OptionError where weights cannot be changed in this log, or not so.

    >>> leaf = '{"ply": "%s", "layer": "min", "outcome": "leaf", "score": %d, "factors": [%d]}'
    >>> below = ", ".join([leaf % ("a", 6, 3), leaf % ("b", 4, -1)])
    >>> root = '"root": {"layer": "max", "children": [%s]}' % below
    >>> log = '{"plyscope": 1, "factors": [{"name": "f", "weight": 2}], %s}' % root
    >>> found = what_if(log, {"f": 1})
    >>> [(each.ply, each.low, each.place) for each in found.plies], found.certain
    ([('b', 5.0, 'first'), ('a', 3.0, 'ruled out')], True)
    >>> found.ranges[0].stands
    (1.5, inf)
    """
    this = opened(log, map, progress)
    with StatusLine.of_call(progress) as status:
        return reweighted(this.name, tree_of(this), weights or {}, status, assume_dropped=assume_dropped)


def reweighted(
    name: str, tree: Tree, weights: Mapping[str, float], status: StatusLine, *, assume_dropped: bool = True
) -> WhatIf:
    """Re-weigh a log, showing what it waits for; raises OptionError."""

    def tell(part: float) -> None:
        if part > 0:
            status.show(f"re-weighing {name}  folding …")
        else:
            status.wait(f"re-weighing {name}  compiling, once on a machine …")

    return WhatIf(Reweighing(tree, assume_dropped=assume_dropped, on_progress=tell), weights, name)
