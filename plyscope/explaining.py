"""`plyscope.explain`: why this ply and not that one, as `plyscope explain` says it."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

import numpy as np

from plyscope.engine.game import GameError
from plyscope.engine.quoting import visible
from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.explain.answer import Explained
from plyscope.visualizer.analysis.explain.answer import explain as explained
from plyscope.visualizer.analysis.explain.exact_question import OTHER, InexactPly, Worth, worth_of
from plyscope.visualizer.analysis.explain.exact_sentence import exact_sentences
from plyscope.visualizer.analysis.explain.means import PlyMean as Found
from plyscope.visualizer.analysis.explain.named_plies import node_at_path, node_named, rival_named
from plyscope.visualizer.analysis.explain.pair import Named
from plyscope.visualizer.analysis.explain.text import lines_of, parts_of
from plyscope.visualizer.analysis.json_answer import HIDDEN, as_json
from plyscope.visualizer.analysis.nodes.node import Line, Node
from plyscope.visualizer.analysis.nodes.notebook import MOST_ROWS, Block, Displayed, Table, Waterfall
from plyscope.visualizer.store.tree import Tree

Which = Node | SupportsIndex | str | Sequence[str]


@dataclass(frozen=True)
class SearchedPly(Displayed):
    """A ply of an explanation that was searched exactly: full window, one ply less deep than its node."""

    ply: str
    score: float
    """Seen from the root player of the log that is explained, as all its scores are."""
    nodes: int
    depth: int
    log: Log = field(repr=False, metadata=HIDDEN)
    """The whole search; its own scores are seen from whoever moves after the ply."""


@dataclass(frozen=True)
class PlyMean(Displayed):
    """A ply of a best-first tree: its visits, and its mean with the 95 % interval. NaN is unknown."""

    ply: str | None
    visits: float
    mean: float
    interval: tuple[float, float]
    interval_by: str | None
    """`wilson` (wins, draws, losses), `stderr`, `range` (at most, by the declared range); None: unknown."""
    within_noise: bool | None
    """Whether it lies within noise of the mean of the chosen ply; None of that ply, and where unknown."""


@dataclass(frozen=True)
class Explanation(Displayed):
    """The reasons why one ply was better, or worse, than another. All figures are seen from the root player.

    `str` of it is what `plyscope explain` prints.
    """

    chosen: Node | None
    """The visit that counts for the ply; None where the log has none that could be compared."""
    rival: Node | None
    """The same of the other ply, or the stub that stands for it; None where there is no other ply."""
    margin: float | None
    """The score of `chosen` less that of `rival`; None where both are won or lost, or one has no score."""
    margin_is: str
    """How it bounds the lead as the mover sees it: `exact`, `at_least`, `at_most`, `unknown`, `unstated`."""
    split: tuple[tuple[str, float], ...]
    """The margin by factor, and the named rests: `math.fsum` of the amounts is the margin."""
    lines: tuple[Line, ...] = field(repr=False)
    """The nodes from each ply down to where its score comes from."""
    sentences: tuple[str, ...]
    searched: tuple[SearchedPly, ...]
    """With `exact`: those of the two whose exact worth the log does not state, if they can be searched."""
    not_searched: tuple[str, ...]
    """With `exact`: why one of the two could not be searched, a sentence for each."""
    means: tuple[PlyMean, ...]
    """Of a best-first tree: every ply of the node, in the order in which the search chooses; else empty."""
    to_overtake: float | None
    """Of a best-first tree: visits that `rival` needs to have the most, or where the search chooses by the
    mean, visits that it must win to have the better one. None where it has, or no number would do."""
    to_part: float | None
    """Of a best-first tree: further visits that would part two means within noise, if the means stay and the
    visits are shared as until now. None where they are parted, or no number would."""
    _explained: Explained = field(repr=False, compare=False)

    def as_json(self) -> dict[str, Any]:
        """The answer of `plyscope explain --json`."""
        answer = self._explained.as_json()
        answer["sentences"] = list(self.sentences)
        if self.searched or self.not_searched:
            answer["searched"] = as_json(self.searched)
            answer["not_searched"] = list(self.not_searched)
        return answer

    def _blocks(self) -> Iterable[Block]:
        yield from (*self.sentences, *self.not_searched)
        if self.split:
            yield Waterfall(parts_of(self._explained))
        if self.means:
            head = ("ply", "visits", "mean", "95 % interval", "within noise")
            few = self.means[:MOST_ROWS]
            rows = [(m.ply, m.visits, m.mean, m.interval, m.within_noise) for m in few]
            yield Table(head, rows, len(self.means) - len(few))
        for line in self.lines:
            yield f"{line}{f' ({line.note})' if line.note else ''}"

    def __str__(self) -> str:
        lines = lines_of(self._explained)
        more = [*self.sentences[len(self._explained.sentences) :], *self.not_searched]
        return "\n".join([*lines, *([""] if more else []), *map(visible, more)])


def explain(
    log: Log | Source,
    chosen: Which | None = None,
    rival: Which | None = None,
    *,
    exact: bool = False,
    map: Mapping[str, str] | str | None = None,
    progress: bool | None = None,
) -> Explanation:
    """Explain why one ply and not another: by default the ply that was chosen, and the best other.

    `chosen` is a node, an id or a path, as for `Log.node`; `rival` the same, or a ply beside `chosen`, also
    one that was not searched. Where they are no siblings, the plies are compared at which their paths part.
    With `exact`, a ply that has only a bound, or no row at all, is searched now: by our engine with the log's
    own settings, one ply less deep than its node and with a full window, where our engine wrote the log. Its
    clock does not run; Ctrl+C raises KeyboardInterrupt.
    Raises LogError, and LookupError where there is no such node.

    >>> found = explain('''{"plyscope": 1, "root": {"layer": "max", "score": 3, "children": [
    ...     {"ply": "a", "score": 1, "bound": "exact"}, {"ply": "b", "score": 3, "bound": "exact"}]}}''')
    >>> found.margin, found.sentences[0]
    (2.0, 'b is worth +3, a +1: 2 better.')
    """
    tree = tree_of(opened(log, map, progress))
    one = None if chosen is None else _named(tree, chosen)
    if isinstance(rival, str):
        two: Named | None = rival_named(tree, rival, one)
    else:
        two = None if rival is None else _named(tree, rival)
    found = explained(tree, one, two)
    if not exact:
        return _explanation(tree, found)
    with StatusLine.of_call(progress) as status:
        return _explanation(tree, found, [(asked, _searched(asked, status)) for asked in found.inexact_plies])


def _searched(asked: InexactPly, status: StatusLine) -> tuple[Worth, Log] | str:
    """The worth of a ply by an exact search, and that search's log; else the reason why there is none."""
    from plyscope.engine.games import find_as_written
    from plyscope.engine.games.outside import faults_told
    from plyscope.searching import interrupts, log_of, recorded  # the engine, if it is needed

    if asked.question is None:
        return asked.reason
    question = asked.question
    try:
        with interrupts() as is_interrupted, faults_told(question.game):
            recording = recorded(
                find_as_written(question.game), question.position, question.options, status, is_interrupted
            )
            if is_interrupted():
                raise KeyboardInterrupt("the exact search was stopped; nothing of it is kept")
        log = log_of(recording, status)
        return worth_of(question, log), Log(Tree(log), f"{question.game} after {asked.ply}")
    except GameError as error:
        return str(error)


def _named(tree: Tree, which: Which) -> Named:
    if isinstance(which, Node):
        if which._tree is not tree:
            raise ValueError("the node is one of another log")
        return Named(which.row)
    if isinstance(which, str):
        return node_named(tree, which)
    if isinstance(which, Sequence):
        if wrong := [step for step in which if not isinstance(step, str)]:
            raise TypeError(f"a path is a list of plies, which are texts; found {wrong[0]!r}")
        return node_at_path(tree, which, tree.main_root)
    if isinstance(which, bool):
        raise TypeError(f"a node is named by its id or its path, not by {which}")
    return node_named(tree, f"#{operator.index(which)}")


def _explanation(
    tree: Tree, found: Explained, tried: Sequence[tuple[InexactPly, tuple[Worth, Log] | str]] = ()
) -> Explanation:
    done = [(asked, each) for asked, each in tried if not isinstance(each, str)]
    worths = {asked.which: worth for asked, (worth, _) in done}
    more = [
        said
        for asked, (worth, _) in done
        if found.pair is not None
        for said in exact_sentences(
            tree, found.pair, found.sides, asked, worth, worths.get(OTHER[asked.which])
        )
    ]
    return Explanation(
        chosen=None if found.chosen is None else Node(tree, found.chosen),
        rival=None if found.rival is None else Node(tree, found.rival),
        margin=found.margin,
        margin_is=found.margin_is,
        split=tuple((part.name, part.amount) for part in found.split),
        lines=tuple(
            Line(tree, np.array(side.rows, np.int64), Node(tree, side.line.leaf), side.line.note)
            for side in found.sides
        ),
        sentences=tuple(map(str, (*found.sentences, *more))),
        searched=tuple(
            SearchedPly(asked.ply or "", worth.score, worth.nodes, worth.depth, log)
            for asked, (worth, log) in done
        ),
        not_searched=tuple(
            f"{asked.ply or 'The ply'} cannot be searched exactly: {each}."
            for asked, each in tried
            if isinstance(each, str)
        ),
        means=() if found.means is None else tuple(_mean(tree, each) for each in found.means.plies),
        to_overtake=None if found.means is None else found.means.to_overtake,
        to_part=None if found.means is None else found.means.to_part,
        _explained=found,
    )


def _mean(tree: Tree, ply: Found) -> PlyMean:
    estimate = ply.estimate
    return PlyMean(
        tree.ply(ply.row), estimate.visits, estimate.mean, estimate.interval, estimate.by, ply.is_within
    )
