"""`plyscope.share`: a log as one HTML file that opens without a server."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plyscope.files import mapping_of
from plyscope.log import Log
from plyscope.picturing import Which, row_of
from plyscope.status import StatusLine
from plyscope.viewing import paths_of
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.formats.errors import LogError

if TYPE_CHECKING:
    from plyscope.files import Source
    from plyscope.visualizer.shelf.shelf import Shelf
    from plyscope.visualizer.store.tree import Tree

MOST_NODES: Final = 100_000


@dataclass(frozen=True)
class SharedPage:
    """A log as one HTML file. `says` tells in sentences what is inside: read it before you pass it on."""

    html: bytes = field(repr=False)
    says: tuple[str, ...]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file; raises OSError."""
        Path(path).write_bytes(self.html)


def share(
    log: Log | Source,
    *,
    nodes: int = 20_000,
    node: Which | None = None,
    map: Mapping[str, str] | str | None = None,
    progress: bool | None = None,
) -> SharedPage:
    """Make one HTML file of a log, which opens without a server and without a network.

    It has the most important `nodes`: the lines that decided, those of findings and notes, then the largest
    subtrees; of 1,500 of them the board and what decided their score; why the root chose its ply, the
    findings of the check, the statistics. `node` shares the part of the tree below it. The file is smaller
    than 5 MB: where it would not be, fewer nodes have their board. `log` is a log, its path or its text.

    Raises LogError; LookupError where there is no such node; ValueError where `nodes` is not 1 to 100,000.
    """
    from plyscope.visualizer.web.app import create_app
    from plyscope.visualizer.web.share.answers import contents
    from plyscope.visualizer.web.share.share_job import one_file

    if not 1 <= nodes <= MOST_NODES:
        raise ValueError(f"nodes: found {nodes}, expected 1 to {MOST_NODES:,}")
    if isinstance(node, Node) and isinstance(log, Log):
        row_of(log, node)  # refuses one of another log
    which = f"#{node.id}" if isinstance(node, Node) else node
    mapping = mapping_of(map)
    with tempfile.TemporaryDirectory() as folder, StatusLine.of_call(progress) as status:
        file = paths_of([log], mapping, Path(folder))[0]
        app = create_app({"LOGS": (file,), "MAPPING": mapping})
        shelf: Shelf = app.extensions["shelf"]
        try:
            status.show(f"reading {file.name} …")
            log_id, tree = _read(shelf, file)
            top = None if which is None else row_of(Log(tree, file.name), which)

            def tell(phase: str, part: float) -> None:
                what = "boards and lines" if phase == "gathering" else file.name
                status.show(f"{phase} {what}  {part:.0%}")

            view = None if top is None else {"node": int(tree.log.columns["id"][top])}
            held = contents(app, log_id, nodes=nodes, top=top, view=view, on_progress=tell)
            return SharedPage(one_file(app, held.data), held.said)
        finally:
            shelf.close()


def _read(shelf: Shelf, file: Path) -> tuple[str, Tree]:
    """The one log that was given, read however large it is; raises LogError."""
    from plyscope.visualizer.shelf.shelf import NotReadyError

    entry = shelf.first()
    assert entry is not None
    while True:
        try:
            return entry.id, shelf.open(entry.id)
        except NotReadyError as reason:
            if reason.entry.state == "failed":
                error = LogError(reason.entry.error)
                error.file = str(file)
                raise error from None
            reason.entry.settled.wait()
