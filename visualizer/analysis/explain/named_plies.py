"""The plies that people name: a path or an id for one, a ply beside it for the other."""

from __future__ import annotations

from collections.abc import Sequence

from plyscope.engine.quoting import quoted
from plyscope.visualizer.analysis.explain.pair import Named
from plyscope.visualizer.analysis.nodes.ply_path import row_at, steps_of
from plyscope.visualizer.store.positions import respelled
from plyscope.visualizer.store.tree import Tree


def node_named(tree: Tree, text: str) -> Named:
    """The node that a text names: `#5` by its id, else a path from the main root, else a number as an id.

    If a ply was visited more than once, it is any of its visits. Raises LookupError.
    """
    text = text.strip()
    if text.startswith("#") and text[1:].isdecimal():
        return _with_id(tree, int(text[1:]))
    try:
        return node_at_path(tree, steps_of(text), tree.main_root)
    except LookupError:
        if text.isdecimal():
            return _with_id(tree, int(text))
        raise


def rival_named(tree: Tree, text: str, chosen: Named | None) -> Named:
    """The ply `text` beside `chosen` (at the main root without one), or the node that a path or an id names.

    Raises LookupError where there is neither.
    """
    row = tree.main_root if chosen is None else chosen.row
    parent = int(tree.log.columns["parent"][row])
    parent = row if parent < 0 else parent
    text = text.strip()
    try:
        return node_at_path(tree, [text], parent)
    except LookupError as error:
        try:
            return node_named(tree, text)
        except LookupError:
            raise LookupError(str(error)) from None


def node_at_path(tree: Tree, steps: Sequence[str], start: int) -> Named:
    """The node at the end of a path: any visit of its last ply, or the stub that stands for it."""
    if not steps:
        return Named(start)
    above = row_at(tree, steps[:-1], start)
    if visits := tree.visits(above, steps[-1]):
        return Named(visits[-1])
    if (stub := stub_with(tree, above, steps[-1])) is not None:
        return Named(stub, steps[-1])
    return Named(row_at(tree, steps, start))


def stub_with(tree: Tree, parent: int, ply: str) -> int | None:
    """The stub below `parent` that lists `ply`."""
    log = tree.log
    if log.stub_plies is None:
        return None
    for child in tree.children(parent).tolist():
        if tree.is_stub[child]:
            texts = log.stub_plies.of(child)[0].tolist()
            names = [log.texts[text] for text in texts if text >= 0]
            if ply in names or ply in (respelled(log, parent, name) for name in names):
                return int(child)
    return None


def _with_id(tree: Tree, number: int) -> Named:
    try:
        return Named(tree.row_of(number))
    except (KeyError, OverflowError):
        raise LookupError(f"no node has the id {quoted(str(number))} in this log") from None
