"""`plyscope.replay`: the search of a log as it ran, event by event, as `plyscope replay` prints it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plyscope.engine.quoting import counted, visible
from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.visualizer.analysis.json_answer import as_json, called
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.nodes.notebook import MOST_ROWS, Block, Displayed, Table
from plyscope.visualizer.analysis.replay import (
    entered,
    left,
    moment,
    n_events,
    next_stop,
    refuse_replay,
    stops_of,
)
from plyscope.visualizer.store.tree import Rows


@dataclass(frozen=True)
class Frame(Displayed):
    """A node that the search is in, and what it knows there at that moment."""

    node: Node = field(metadata=called("id"))
    best: float | None
    """The best of the plies that were left so far, for the node's mover; None before the first."""
    best_child: Node | None = field(metadata=called("best_id"))
    """The visit that gave the best; None where standing pat or an estimate did."""
    alpha: float | None
    """The live window, the best so far in it: infinite where it is open, None where the log states none."""
    beta: float | None


@dataclass(frozen=True)
class Moment(Displayed):
    """One event of a search: `node` is entered or left."""

    event: int
    node: Node = field(metadata=called("id"))
    path: str
    enters: bool
    stack: tuple[Frame, ...]
    """The open nodes, the root first; `node` stands last, also when it is left."""

    def __str__(self) -> str:
        """As the command prints it.

        >>> import plyscope
        >>> tree = '{"plyscope": 1, "root": {"layer": "max", "children": [{"ply": "c6", "score": 3}]}}'
        >>> log = plyscope.open(tree)
        >>> for moment in plyscope.replay(log):
        ...     print(moment)
        0  enter root
        1  enter c6
        2  leave c6  score 3
        3  leave root  best 3 by c6
        """
        words = [f"{self.event}  {'enter' if self.enters else 'leave'} {visible(self.path)}"]
        frame = self.stack[-1]
        if not self.enters and self.node.score is not None:
            words.append(f"score {self.node.score:g}{', cut' if self.node.outcome == 'cutoff' else ''}")
        if frame.alpha is not None and frame.beta is not None and frame.alpha >= frame.beta:
            words.append("window closed")
        elif frame.alpha is not None or frame.beta is not None:
            words.append(f"window {_edge(frame.alpha)} {_edge(frame.beta)}")
        if frame.best is not None:
            by = "" if frame.best_child is None else f" by {visible(frame.best_child.ply or 'a ply')}"
            words.append(f"best {frame.best:g}{by}")
        return "  ".join(words)

    def _blocks(self) -> Iterable[Block]:
        yield str(self)
        rows = [
            (
                each.node.ply or "root",
                each.best,
                each.best_child and each.best_child.ply,
                each.alpha,
                each.beta,
            )
            for each in self.stack
        ]
        yield Table(("open node", "best so far", "by", "alpha", "beta"), rows)

    def as_json(self) -> dict[str, Any]:
        """For machines, as `plyscope replay --json` prints it."""
        found: dict[str, Any] = as_json(self)
        return found


class Replay(Displayed):
    """The events of a log in the order of the search: each node is entered once and left once.

    `len(replay)` is how many there are, `replay[event]` is one of them, `for moment in replay` goes over all.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._tree = tree_of(log)
        self._stops: dict[str, Rows] = {}
        refuse_replay(self._tree.log)

    def __len__(self) -> int:
        return n_events(self._tree)

    def __getitem__(self, event: int) -> Moment:
        """The moment of an event; negative numbers count from the end. Raises IndexError."""
        at = event + len(self) if event < 0 else event
        if not 0 <= at < len(self):
            raise IndexError(f"event {event} is none of the {len(self):,} of this log")
        now = moment(self._tree, at)
        frames = tuple(
            Frame(
                Node(self._tree, each.row),
                _known(each.best),
                None if each.best_row is None else Node(self._tree, each.best_row),
                _known(each.alpha),
                _known(each.beta),
            )
            for each in now.stack
        )
        node = Node(self._tree, now.event.row)
        return Moment(at, node, node.path, now.event.enters, frames)

    def __iter__(self) -> Iterator[Moment]:
        return (self[event] for event in range(len(self)))

    def _blocks(self) -> Iterable[Block]:
        yield f"{self._log.name}: {counted(len(self), 'event')}"
        few = [self[event] for event in range(min(MOST_ROWS, len(self)))]
        rows = [(str(each.event), str(each).partition("  ")[2]) for each in few]
        yield Table(("event", "what happened"), rows, len(self) - len(few))

    def entering(self, node: Node) -> int:
        """The event at which `node` is entered."""
        return entered(self._tree, self._tree.row_of(node.id))

    def leaving(self, node: Node) -> int:
        """The event at which `node` is left."""
        return left(self._tree, self._tree.row_of(node.id))

    def next_stop(self, event: int, stop: str, *, backwards: bool = False) -> int | None:
        """The next event after `event` at which a node is cut (`cut`), or a node's best changes (`best`).

        Any other text is an expression, as `plyscope.query` takes it: the next event at which a node is
        entered for which it is true. None where there is none. Raises QueryError for what is none.
        """
        if stop not in self._stops:
            self._stops[stop] = stops_of(self._tree, stop)
        return next_stop(self._stops[stop], event, backwards=backwards)


def replay(
    log: Log | Source, *, map: Mapping[str, str] | str | None = None, progress: bool | None = None
) -> Replay:
    """The search of a log as it ran; the arguments are as for `plyscope.check`.

    Raises LogError where it cannot be read, and for a log whose rows are not in the order of time: a
    best-first tree, or a search by several threads.
    """
    return Replay(opened(log, map, progress))


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number


def _edge(number: float | None) -> str:
    if number is None:
        return "?"
    return "open" if math.isinf(number) else f"{number:g}"
