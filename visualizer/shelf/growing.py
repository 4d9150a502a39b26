"""A log that grows while it is followed: lines that an engine writes, or a search of ours."""

from __future__ import annotations

from typing import Protocol

from plyscope.visualizer.store.tree import Tree


class Growing(Protocol):
    """A log that grows: lines that are taken, or a search of ours."""

    @property
    def n_searched(self) -> int:
        """Nodes so far, or what else `counts` names."""

    counts: str
    """What `n_searched` is of, one of them: `node`, `play-out`."""

    is_compiling: bool
    """Whether what searches has to be compiled first."""

    @property
    def n_lines(self) -> int:
        """Another number once there is more to seal."""

    @property
    def n_waiting(self) -> int:
        """Nodes whose parent has not come."""

    @property
    def is_whole(self) -> bool:
        """Whether the last snapshot is all there is, if nothing more comes."""

    @property
    def has_ended(self) -> bool:
        """Whether nothing more comes."""

    @property
    def last_node(self) -> int | None:
        """The id of the last node, as a page names it."""

    def shown_id(self, name: int | str) -> int | None:
        """The id by which a page names this node; None if there is none."""

    def snapshot(self, *, is_final: bool = False) -> Tree | None:
        """The tree of what there is, None where there is no node."""
