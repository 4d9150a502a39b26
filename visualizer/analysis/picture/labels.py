"""The texts of a picture: value, ply and small lines of each thing drawn; and the looks of its edge."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from plyscope.visualizer.analysis.nodes.digits import LONGEST, MINUS, digits_for
from plyscope.visualizer.analysis.nodes.field_values import contributions_at, value_of
from plyscope.visualizer.analysis.nodes.mate import mate_of, short_mate
from plyscope.visualizer.analysis.nodes.proof import bound_of, proof_of
from plyscope.visualizer.analysis.picture.selection import Chosen
from plyscope.visualizer.analysis.picture.style import seen
from plyscope.visualizer.store import words
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.tree import Tree

Shape = Literal["max", "min", "chance", "other", "plain", "none"]
Edge = Literal["plain", "crossed", "dashed", "dotted"]

SHAPES: Final[tuple[Shape, ...]] = ("plain", "max", "min", "chance", "other")
"""By the code of the layer."""
PURPOSES: Final = {
    words.SCOUT: "scout",
    words.RESEARCH: "re-search",
    words.NULL: "null move",
    words.PROBE: "probe",
}
ENDS: Final = {
    words.TERMINAL: "game over",
    words.TT: "table",
    words.STOPPED: "stopped",
    words.OPEN: "not left",
}
MOST_FACTORS: Final = 4
MOST_PLIES: Final = 3
"""A stub of at most this many plies names them on its edge."""


@dataclass(frozen=True)
class Face:
    """The texts and the looks of one drawn item; texts have visible characters only and are not cut."""

    shape: Shape
    """`none` for stubs and for hidden children: text without a box."""
    value: str
    ply: str
    lines: tuple[str, ...] = ()
    factors: tuple[tuple[str, str], ...] = ()
    below: str = ""
    """The summary of its folded subtree; empty where nothing is folded."""
    edge: Edge = "plain"
    is_aside: bool = False
    """A null move or a probe, which its parent does not count."""
    title: str = ""


def faces(tree: Tree, items: Sequence[Chosen], *, windows: bool = False, factors: bool = False) -> list[Face]:
    """The face of each item. `windows` adds alpha and beta, `factors` the contributions of leaves."""
    values = _values(tree, items)
    is_parent = {each.parent for each in items}
    found = []
    for at, item in enumerate(items):
        if item.hidden:
            title = f"{item.hidden:,} more below this node, not drawn"
            found.append(Face("none", f"+ {item.hidden:,}", "", ("more",), edge="dashed", title=title))
        elif tree.is_stub[item.row]:
            found.append(_stub(tree, item.row))
        else:
            ends = at not in is_parent and not item.folded
            found.append(_node(tree, item, values[at], windows=windows, factors=factors and ends))
    return found


def _node(tree: Tree, item: Chosen, value: str, *, windows: bool, factors: bool) -> Face:
    log, row = tree.log, item.row
    columns = log.columns
    outcome = int(columns["outcome"][row])
    layer = int(columns["layer"][row])
    purpose = int(columns["purpose"][row]) if "purpose" in columns else 0
    lines = [PURPOSES[purpose]] if purpose in PURPOSES else []
    if outcome in ENDS:
        lines.append(ENDS[outcome])
    if outcome == words.CUTOFF and not _has_pruned_stub(tree, row):
        lines.append("cut off")
    counted_as = value_of(log, row, FIELDS["counted_as"])
    if counted_as is not None:
        lines.append(f"counted as {figure(counted_as, 2)}")
    visits = value_of(log, row, FIELDS["visits"])
    if visits is not None:
        of = "mean of " if value and value_of(log, row, FIELDS["score"]) is None else ""
        lines.append(f"{of}{figure(visits, 1)} {'visit' if visits == 1 else 'visits'}")
    if windows:
        lines += _window(tree, row)
    ply = seen(tree.ply(row) or "")
    path = [ply] if ply else []
    prior = value_of(log, row, FIELDS["prior"]) if _is_of_chance(tree, row) else None
    if prior is not None:
        ply = f"{ply} ({figure(prior, 3)})".lstrip()
    return Face(
        SHAPES[layer],
        value,
        ply,
        tuple(lines),
        _factors(tree, row) if factors else (),
        _below(tree, row) if item.folded else "",
        "dotted" if purpose in (words.NULL, words.PROBE) else "plain",
        purpose in (words.NULL, words.PROBE),
        ", ".join([*path, *_said(tree, row, value), *lines, f"#{int(columns['id'][row])}"]),
    )


def _is_of_chance(tree: Tree, row: int) -> bool:
    parent = int(tree.log.columns["parent"][row])
    return parent >= 0 and bool(tree.log.columns["layer"][parent] == words.CHANCE)


def _said(tree: Tree, row: int, value: str) -> list[str]:
    """Layer, value and outcome as words, for the title of a node."""
    columns = tree.log.columns
    outcome = words.OUTCOMES[int(columns["outcome"][row])]
    said = (words.LAYERS[int(columns["layer"][row])], value, words.OUTCOME_WORDS.said.get(outcome, ""))
    return [each for each in said if each]


def _stub(tree: Tree, row: int) -> Face:
    log = tree.log
    outcome = int(log.columns["outcome"][row])
    count = value_of(log, row, FIELDS["count"])
    plies = value_of(log, row, FIELDS["plies"], MOST_PLIES + 1) or []
    named = ", ".join(map(seen, plies)) if len(plies) <= MOST_PLIES else ""
    number = "some" if count is None else f"{count:,}"
    said = words.OUTCOME_WORDS.said[words.OUTCOMES[outcome]]
    return Face(
        "none",
        number,
        named,
        (words.OUTCOMES[outcome],),
        edge="crossed" if outcome == words.PRUNED else "dashed",
        title=f"{number} {said}",
    )


def _has_pruned_stub(tree: Tree, row: int) -> bool:
    children = tree.children(row)
    return bool((tree.log.columns["outcome"][children[tree.is_stub[children]]] == words.PRUNED).any())


def _window(tree: Tree, row: int) -> list[str]:
    alpha, beta = (value_of(tree.log, row, FIELDS[name]) for name in ("alpha", "beta"))
    if alpha is None and beta is None:
        return []
    edges = ["?" if edge is None else figure(edge, 2) for edge in (alpha, beta)]
    if edges[0] == edges[1] and alpha != beta:
        edges = figures([alpha, beta], 2)
    return [f"[{edges[0]}, {edges[1]}]"]


def _factors(tree: Tree, row: int) -> tuple[tuple[str, str], ...]:
    """The largest contributions, and the number of others that are not 0."""
    stated = {name: amount for name, amount in contributions_at(tree.log, row).items() if amount}
    known = {name: amount for name, amount in stated.items() if amount == amount}
    by_size = sorted(known, key=lambda name: (-abs(known[name]), name))
    few = by_size if len(by_size) <= MOST_FACTORS + 1 else by_size[:MOST_FACTORS]
    digits = usual_digits(known[name] for name in few)
    shown = [(seen(name), figure(known[name], digits)) for name in few]
    if len(few) < len(by_size):
        shown.append(
            (
                f"+ {len(by_size) - len(few)} more",
                figure(math.fsum(known[name] for name in by_size[len(few) :]), digits),
            )
        )
    return tuple(shown)


def _below(tree: Tree, row: int) -> str:
    n_nodes = tree.n_nodes(row) - 1
    return f"{n_nodes:,}" if n_nodes else "no nodes"


def _values(tree: Tree, items: Sequence[Chosen]) -> list[str]:
    """The score of each node with its bound, else its mean; empty where there is neither."""
    log = tree.log
    families: dict[int, list[int]] = {}
    numbers: dict[int, float] = {}
    for at, item in enumerate(items):
        if item.hidden or tree.is_stub[item.row]:
            continue
        number = value_of(log, item.row, FIELDS["score"])
        if number is None:
            number = value_of(log, item.row, FIELDS["mean"])
        if number is not None:
            numbers[at] = number
            families.setdefault(item.parent, []).append(at)
    digits = usual_digits(numbers.values())
    texts = [""] * len(items)
    mate = mate_of(log)
    for family in families.values():
        for at, text in zip(family, figures([numbers[at] for at in family], digits), strict=True):
            row = items[at].row
            is_score = value_of(log, row, FIELDS["score"]) is not None
            bound = bound_of(log, row) if is_score else 0
            won = (
                ""
                if mate is None or not is_score
                else short_mate(mate, numbers[at], bound, proof_of(log, row))
            )
            texts[at] = won or SIGNS.get(bound, "") + text
    return texts


MOST_DIGITS: Final = 12
SIGNS: Final = {words.LOWER: "≥ ", words.UPPER: "≤ "}
MANTISSA: Final = 2
"""Least digits behind the point of a mantissa."""
SMALLEST: Final = 1e-3
"""Below it figures are written with an exponent."""


def figure(value: float, digits: int) -> str:
    """A figure with at most `digits` decimals, or decimals of its mantissa.

    >>> figure(3.0, 2), figure(-2.75, 1), figure(-1204.5, 2), figure(1.25e12, 2), figure(-math.inf, 2)
    ('3', '−2.8', '−1,204.5', '1.25e12', '−∞')
    """
    if value != value:
        return "NaN"
    size = abs(value)
    if size == math.inf:
        text = "∞"
    elif size >= LONGEST or 0 < size < SMALLEST:
        mantissa, _, exponent = f"{size:.{max(digits, MANTISSA)}e}".partition("e")
        text = f"{_trimmed(mantissa)}e{int(exponent)}".replace("-", MINUS)
    else:
        text = _trimmed(f"{size:,.{digits}f}")
    return (MINUS if value < 0 and text != "0" else "") + text


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def usual_digits(values: Iterable[float]) -> int:
    """The digits that show the scores of a picture: none for whole numbers, else up to two."""
    return digits_for(values).decimals


def figures(values: Iterable[float], digits: int) -> list[str]:
    """The figures of siblings, with as many more digits as it takes that no two that differ read the same.

    >>> figures([1.0001, 1.0002, 3.0], 2), figures([0.1 + 0.2, 0.3], 2)
    (['1.0001', '1.0002', '3'], ['0.30000000000000004', '0.3'])
    """
    listed = list(values)
    n_distinct = len({value for value in listed if value == value})
    for enough in range(digits, MOST_DIGITS + 1):
        texts = [figure(value, enough) for value in listed]
        if len({text for text in texts if text != "NaN"}) == n_distinct:
            return texts
    return [repr(value).replace("-", MINUS).removesuffix(".0") for value in listed]
