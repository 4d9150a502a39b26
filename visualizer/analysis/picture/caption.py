"""The caption of a picture: the log, the node, the parts left out, and a legend of the signs that occur."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from plyscope.visualizer.analysis.nodes.ply_path import path_to
from plyscope.visualizer.analysis.picture.labels import Face
from plyscope.visualizer.analysis.picture.selection import Choice
from plyscope.visualizer.analysis.picture.style import seen
from plyscope.visualizer.store.tree import Tree

LONGEST_PATH: Final = 120
"""Characters of a path; a longer one loses its beginning."""
LONGEST_NAME: Final = 80
SHAPES: Final = (
    ("max", "Pointing up", "max"),
    ("min", "pointing down", "min"),
    ("chance", "round", "chance"),
    ("other", "six corners", "a third player"),
)
"""Shapes of nodes, how they look, and who moves there."""


@dataclass(frozen=True)
class Caption:
    """`head` names the log and the node; `lines` are about parts left out, `signs` is the legend."""

    head: str
    lines: tuple[str, ...]
    signs: str


def caption(
    tree: Tree,
    name: str,
    choice: Choice,
    faces: Sequence[Face],
    *,
    line: str,
    windows: bool,
    factors: bool,
    highlighted: bool,
) -> Caption:
    """The caption of a picture. `line` describes the heavy line; empty where there is none."""
    top = choice.items[0].row
    lines = [_left_out(tree, choice)]
    if windows and not ({"alpha", "beta"} & set(tree.log.columns)):
        lines.append("The log states no windows.")
    if factors and not ({"factors", "contributions"} & set(tree.log.columns)):
        lines.append("The log states no factors.")
    elif factors and not any(face.factors for face in faces):
        lines.append("No leaf with factors is drawn.")
    if without := sum(face.shape != "none" and not face.value for face in faces):
        nodes = "node states" if without == 1 else "nodes state"
        lines.append(f"{without:,} {nodes} no score.")
    return Caption(
        _head(tree, name, top), tuple(lines), " ".join(_signs(choice, faces, line, windows, highlighted))
    )


def _head(tree: Tree, name: str, top: int) -> str:
    shown = seen(name)
    shown = shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"
    parts = [shown]
    roots = tree.log.roots
    if len(roots) > 1:
        root = tree.root_of(top)
        number = next(at for at, each in enumerate(roots, 1) if each.row == root)
        iteration = roots[number - 1].iteration
        said = "" if iteration is None else f" (iteration {iteration})"
        parts.append(f"tree {number:,} of {len(roots):,}{said}")
    if tree.log.columns["parent"][top] >= 0:
        path = seen(path_to(tree, top))
        parts.append(path if len(path) <= LONGEST_PATH else "… " + path[-LONGEST_PATH:])
    return " · ".join(parts)


def _left_out(tree: Tree, choice: Choice) -> str:
    items = choice.items
    rows = [each.row for each in items if not each.hidden]
    drawn = sum(not tree.is_stub[row] for row in rows)
    total = tree.n_nodes(items[0].row)
    if drawn == total and not any(each.hidden for each in items):
        return "The only node." if total == 1 else f"All {total:,} nodes."
    parts = []
    if any(each.folded for each in items):
        parts.append(f"{choice.levels} level{'' if choice.levels == 1 else 's'} below the top")
    if any(each.hidden for each in items):
        parts.append(f"the best {choice.children} of a node’s children, in the order searched")
    return f"{drawn:,} of {total:,} nodes{': ' if parts else ''}{'; '.join(parts)}."


def _signs(choice: Choice, faces: Sequence[Face], line: str, windows: bool, highlighted: bool) -> list[str]:
    said = []
    shapes = {face.shape for face in faces}
    shown = [f"{looks}: {who}" for shape, looks, who in SHAPES if shape in shapes]
    if shown:
        said.append(f"{'; '.join(shown)}.")
    if line:
        said.append(f"Heavy: {line}.")
    if any(face.edge == "crossed" for face in faces):
        said.append("Crossed: cut off by alpha-beta.")
    if highlighted:
        said.append("Yellow: highlighted.")
    if any(face.below for face in faces):
        said.append("Triangles under nodes: folded, with the number of nodes below.")
    if windows and any(each.startswith("[") for face in faces for each in face.lines):
        said.append("[α, β]: the window on entry.")
    if any(face.value.endswith("?") for face in faces):
        said.append("?: among the plies searched, not proven.")
    if any("†" in face.value for face in faces):
        said.append("†: but for repetition.")
    return said
