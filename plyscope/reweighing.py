"""`plyscope.what_if`: what other weights make of a recorded search, as `plyscope what-if` tells it."""

from __future__ import annotations

from collections.abc import Mapping

from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.whatif import answer
from plyscope.visualizer.analysis.whatif.reweighing import Reweighing
from plyscope.visualizer.store.tree import Tree


class WhatIf(answer.WhatIf):
    """A search under other weights; see `what_if`. `str` of it is what the command prints."""

    def search(self, *, progress: bool | None = None) -> Log:
        """Search the position of the log again, with these weights and all else as it was asked for then.

        What cannot be the same, such as a table that the logged search began with, is in the log's
        `notices`. `plyscope.diff(old, new)` then says what the weights changed. Raises OptionError where the
        log is not one of a search by Plyscope's own engine and games; Ctrl+C raises `Interrupted`.
        """
        from plyscope.engine.record.recorded_search import recorded_search
        from plyscope.searching import repeated

        asked = recorded_search(self.log.tree.log.header, dict(self.changed))
        with StatusLine.of_call(progress) as status:
            return repeated(asked, status)


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

    return WhatIf.of(Reweighing(tree, assume_dropped=assume_dropped, on_progress=tell), weights, name)
