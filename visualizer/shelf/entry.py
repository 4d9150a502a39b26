"""One log on the shelf: where it came from, how far its reading is, and once read, its tree."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from visualizer.analysis.node import cut
from visualizer.analysis.totals import Totals, totals
from visualizer.shelf.reading import ChildReading
from visualizer.store.tree import Tree

if TYPE_CHECKING:  # whoever never checks a log does not load the rules
    from visualizer.shelf.checking import Check

Source = Literal["file", "folder", "example", "pasted"]
State = Literal["waiting", "reading", "ready", "failed"]

LARGEST_FACT: Final = 2**53
LONGEST_FACT: Final = 300


@dataclass
class Entry:
    """A log that is listed, read or not."""

    id: str
    name: str
    source: Source
    path: Path
    n_bytes: int
    state: State = "waiting"
    error: str = ""
    progress: float = 0.0
    mapping: dict[str, str] | None = None
    tree: Tree | None = None
    totals: Totals | None = None
    child: ChildReading | None = None
    check: Check | None = None
    """The check of `tree`, from its beginning until the tree is let go."""
    stamp: tuple[int, int] = (0, 0)
    """Size and time of the file when its reading began."""
    is_unproven: bool = False
    """A paste that was never read so far; where it cannot be, nothing of it stays."""
    undo_mapping: Callable[[], None] | None = None
    """Set while a large log is read with a new mapping: takes the choice back should that fail."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What the list says of a log that was read once: nodes, depth, limit, game."""
    settled: threading.Event = field(default_factory=threading.Event)
    """Set while no reading is under way."""

    @property
    def deletable(self) -> bool:
        """Whether the stored copy is ours to delete."""
        return self.source == "pasted"

    def has_read(self, tree: Tree) -> None:
        """Keep the tree and what the list says of it."""
        self.forget_check()
        self.tree, self.totals = tree, totals(tree)
        self.state, self.error, self.progress = "ready", "", 1.0
        self.is_unproven, self.undo_mapping = False, None
        self.settled.set()
        header = tree.log.header
        search, result, game = header.get("search"), header.get("result"), header.get("game")
        search = search if isinstance(search, dict) else {}
        result = result if isinstance(result, dict) else {}
        self.facts = {"nodes": self.totals.all.nodes}
        # a search that ran out of time went less deep than it was allowed to
        for name, fact in (
            ("depth", result.get("depth", search.get("depth"))),
            ("limit", search.get("limit")),
        ):
            if isinstance(fact, (int, float)) and abs(fact) < LARGEST_FACT:
                self.facts[name] = fact
        if isinstance(game, str):
            self.facts["game"] = cut(game, LONGEST_FACT)

    def totals_of(self, tree: Tree) -> Totals:
        """The totals of a tree that was read from this entry, which another thread may have let go since."""
        kept, kept_totals = self.tree, self.totals
        return kept_totals if kept is tree and kept_totals is not None else totals(tree)

    def starts_reading(self) -> None:
        """From now until it is read or has failed."""
        self.state, self.error, self.progress = "reading", "", 0.0
        self.settled.clear()

    def has_failed(self, error: str) -> None:
        """Keep why it cannot be read, and the mapping as it was; the next request tries again."""
        self.state, self.error, self.child = "failed", error, None
        undo, self.undo_mapping = self.undo_mapping, None
        if undo is not None:
            undo()
        self.settled.set()

    def forget_tree(self) -> None:
        """Give the memory back; the next request reads the log again."""
        self.forget_check()
        self.tree = self.totals = None
        self.state = "waiting"

    def forget_check(self) -> None:
        """End the check and give its report back."""
        check, self.check = self.check, None
        if check is not None:
            check.end()

    def summary(self) -> dict[str, Any]:
        """What the list of logs shows."""
        answer: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "source": self.source,
            "state": self.state,
            "n_bytes": self.n_bytes,
            "deletable": self.deletable,
            **self.facts,
        }
        if self.source == "pasted":
            with suppress(OSError):
                answer["added"] = round(self.path.stat().st_mtime, 3)
        if self.state == "reading":
            answer["progress"] = round(self.progress, 3)
        if self.error:
            answer["error"] = self.error
        return answer
