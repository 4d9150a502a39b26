"""`plyscope.diff`: two searches of one position compared, as `plyscope diff` does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.diff import answer, comparison, sentences, text
from plyscope.visualizer.analysis.diff.answer import Parting
from plyscope.visualizer.analysis.diff.compared_trees import Sides
from plyscope.visualizer.analysis.diff.comparison import Change, Comparison, compare
from plyscope.visualizer.analysis.diff.divergence import Divergence
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.nodes.notebook import MOST_ROWS, Block, Displayed, Table
from plyscope.visualizer.store.tree import Tree

FEW = 20
"""Changes that `str` shows."""


class Diff(Sequence[Change], Displayed):
    """The changes that `plyscope.diff` found: a sequence in the order of the search.

    Changes are made when they are looked at. `str(diff)` is what the command prints.
    """

    def __init__(self, compared: Comparison, trees: tuple[Tree, Tree]) -> None:
        self._compared = compared
        self._trees = trees

    @property
    def choice_changed(self) -> bool | None:
        """True where another ply was chosen; None where one of the logs does not tell the choice."""
        return self._compared.choice_changed

    @property
    def old_choice(self) -> str | None:
        """The ply that the old search chose."""
        choice = self._compared.choices[0]
        return None if choice is None else choice.ply

    @property
    def new_choice(self) -> str | None:
        """The ply that the new search chose."""
        choice = self._compared.choices[1]
        return None if choice is None else choice.ply

    @property
    def counts(self) -> dict[str, int]:
        """`old_nodes`, `new_nodes`, `in_both`, `same`, and how many changes of each kind there are."""
        return dict(self._compared.counts)

    @cached_property
    def first(self) -> Parting | None:
        """The first difference of the two trees; None where there is none, or rows have no order of time."""
        return Parting.of(self._compared.first, self._compared.sides)

    @cached_property
    def order(self) -> Parting | None:
        """The first difference of the whole runs, all trees; raises LogError where rows have no order."""
        return Parting.of(*self._order)

    @property
    def options(self) -> dict[str, tuple[Any, Any]]:
        """Options and weights that differ by the logs' headers: the old and the new value."""
        return {each.name: (each.old, each.new) for each in self._compared.options}

    @property
    def sentences(self) -> tuple[str, ...]:
        """The summary of the comparison, in sentences."""
        return tuple(sentences.plain_text(sentence) for sentence in sentences.sentences(self._compared))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on how the logs were compared, such as that numbers were turned."""
        return self._compared.sides.notes

    def differs(self, on: str = "any") -> bool:
        """Whether the `choice`, the root's `score`, the number of `nodes`, or `any` of all differs.

        Raises ValueError for another word.
        """
        if on not in answer.FAIL_ON:
            raise ValueError(f"`on` is one of {', '.join(answer.FAIL_ON)}, not {on!r}")
        return answer.fails(self._compared, on)

    def of_kind(self, *kinds: str) -> list[Change]:
        """All changes of these kinds; raises LogError for what is no kind."""
        return self._compared.changes(0, len(self), kinds)

    def as_json(self, offset: int = 0, limit: int = FEW, kinds: Sequence[str] = ()) -> dict[str, Any]:
        """The answer of `plyscope diff --json`, with one page of the changes."""
        return answer.diff_json(self._compared, offset, limit, kinds)

    def __len__(self) -> int:
        return self._compared.n_changes()

    @overload
    def __getitem__(self, index: int) -> Change: ...
    @overload
    def __getitem__(self, index: slice) -> list[Change]: ...
    def __getitem__(self, index: int | slice) -> Change | list[Change]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"change {index} of {len(self)}")
        return self._compared.changes(place, 1)[0]

    def __iter__(self) -> Iterator[Change]:
        return iter(self._compared.changes(0, len(self)))

    def _blocks(self) -> Iterable[Block]:
        yield from self.sentences
        yield from self.notes
        few = self._compared.changes(0, MOST_ROWS)
        rows = [(each.kind.replace("_", " "), each.path, each.old_claim, each.new_claim) for each in few]
        if rows:
            yield Table(("change", "node", "old", "new"), rows, len(self) - len(few))

    def __repr__(self) -> str:
        choice = {None: "choice unknown", False: "same choice", True: "another choice"}[self.choice_changed]
        return f"<Diff: {choice}, {len(self):,} change{'' if len(self) == 1 else 's'}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, limit: int = FEW, kinds: Sequence[str] = ()) -> list[str]:
        """The lines that `plyscope diff` prints, with the first `limit` changes."""
        return list(text.lines(self._compared, limit, kinds))

    def order_lines(self) -> list[str]:
        """The lines that `plyscope diff --order` prints; raises LogError where rows have no order."""
        return text.order_lines(*self._order)

    def order_json(self) -> dict[str, Any]:
        """The answer of `plyscope diff --order --json`."""
        return {"order": answer.parting_json(self.order)}

    @cached_property
    def _order(self) -> tuple[Divergence | None, Sides]:
        return comparison.parting_of_runs(*self._trees)


def diff(
    old: Log | Source,
    new: Log | Source,
    root_old: Node | int | None = None,
    root_new: Node | int | None = None,
    *,
    progress: bool | None = None,
) -> Diff:
    """Compare two searches of one position, or two trees of one log.

    Logs are open, or whatever `plyscope.open` opens. Their main roots are compared, or the roots that are
    named: by a node, or by the number of an iteration, of which the last root counts. Raises LogError where
    the logs are of different games or positions, or have no such root.

    >>> text = '{"plyscope": 1, "root": {"children": [{"ply": "a", "score": %d, "bound": "exact"}]}}'
    >>> found = diff(text % 3, text % 5)
    >>> [(change.kind, change.path, change.delta) for change in found]
    [('score', 'a', 2.0)]
    """
    logs = [opened(each, None, progress) for each in (old, new)]
    trees = tree_of(logs[0]), tree_of(logs[1])
    rows = [_row(tree, root) for tree, root in zip(trees, (root_old, root_new), strict=True)]
    names = logs[0].name, logs[1].name
    with StatusLine.of_call(progress) as status:

        def tell(part: float) -> None:
            status.wait("comparing  compiling, once on a machine …")

        compared = compare(*trees, names=names, roots=(rows[0], rows[1]), on_progress=tell)
    return Diff(compared, trees)


def _row(tree: Tree, root: Node | int | None) -> int | None:
    if root is None:
        return None
    if isinstance(root, Node):
        if root not in (Node(tree, each.row) for each in tree.log.roots):
            raise ValueError(f"{root!r} is no root of this log")
        return root.row
    return comparison.root_of_iteration(tree, root)
