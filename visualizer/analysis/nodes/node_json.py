"""One node as plain JSON: every field that its row states, by the names of the log format."""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.nodes.best_children import KEPT_FROM, scores_taken
from plyscope.visualizer.analysis.nodes.best_first import is_best_first, visited_json
from plyscope.visualizer.analysis.nodes.field_values import extras_of, value_of
from plyscope.visualizer.analysis.nodes.mate import Proof
from plyscope.visualizer.analysis.nodes.proof import bound_of, proof_of
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.store import words
from plyscope.visualizer.store.fields import OWN
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

MOST_VALUES: Final = 200
"""Plies of a stub, and factors, contributions and scores of a node, that one answer lists."""

LONGEST_IN_LIST: Final = 300
"""Characters of a ply of a stub."""

LARGEST_OF_PAGES: Final = 2**53 - 1
"""JavaScript reads whole numbers beyond it as floats, which have fewer digits."""

MOST_TIED: Final = 50
"""Siblings of one score whose proofs are compared."""

Extremes = tuple[tuple[float, int, npt.NDArray[np.int64]], ...]
MOST_KEPT: Final = 32
_kept: Final[WeakKeyDictionary[Tree, dict[int, Extremes]]] = WeakKeyDictionary()


def number(value: float) -> float | str:
    """A float as JSON can say it; a whole one stays a float.

    >>> number(float("-inf")), number(2.5)
    ('-inf', 2.5)
    """
    if np.isfinite(value):
        return float(value)
    return "nan" if np.isnan(value) else "inf" if value > 0 else "-inf"


def plain(value: Any) -> Any:
    """An unknown value, with floats that JSON lacks and whole numbers that JavaScript rounds as strings.

    >>> plain([2**53 - 1, 2**64, float("inf")])
    [9007199254740991, '18446744073709551616', 'inf']
    """
    if isinstance(value, float):
        return number(value)
    if isinstance(value, int) and abs(value) > LARGEST_OF_PAGES:
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def cut(text: str, limit: int) -> str:
    """`text`, at most `limit` characters, ending in an ellipsis where it was cut.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"


def cut_start(text: str, limit: int) -> str:
    """The end of a text that is longer than `limit`, after `…`.

    >>> cut_start("c6 > d6 > e6", 8)
    '…d6 > e6'
    """
    return text if len(text) <= limit else "…" + text[len(text) - limit + 1 :]


def node_json(
    tree: Tree,
    row: int,
    *,
    text_limit: int = 300,
    long_texts: bool = False,
    most_values: int = MOST_VALUES,
) -> dict[str, Any]:
    """The node at `row` with its place in the tree and all that its row states.

    Texts are cut at `text_limit`, lists at `most_values`; `long_texts` adds the position and the board.
    """
    log = tree.log
    columns = log.columns
    parent = int(columns["parent"][row])
    node: dict[str, Any] = {
        "id": int(columns["id"][row]),
        "parent": int(columns["id"][parent]) if parent >= 0 else None,
        "level": int(columns["level"][row]),
        "index": tree.index_among_siblings(row),
    }
    if node["id"] != row:
        node["row"] = row
    for field in _ALL if long_texts else _SHORT:
        value = value_of(log, row, field, most_values)
        if value is not None:
            node[field.name] = _bounded(value, text_limit)
    if parent < 0 and row in tree.attempts:
        node["attempt"] = tree.attempts[row]
    if parent < 0 and (bound := bound_of(log, row)):
        node["bound"] = words.BOUNDS[bound]
    if is_best_first(log) and not {"visits", "mean"}.isdisjoint(columns):
        node["visited"] = visited_json(tree, row)
    proof = proof_of(log, row)
    if proof is not None:
        node["proof"] = proof.as_json()
    if log.stub_plies is not None and "plies" in node:
        n_more = len(log.stub_plies.of(row)[0]) - most_values
        node |= {"more_plies": n_more} if n_more > 0 else {}
    node["n_children"] = tree.n_children(row)
    if node["n_children"]:
        node["below"] = _below(tree, row)
    return node


_ALL: Final = tuple(field for field in OWN if field.name != "id")
_SHORT: Final = tuple(field for field in _ALL if field.kind != "long text")


def others_json(log: Log, row: int, most: int, text_limit: int) -> dict[str, Any]:
    """`others`: the first `most` fields of the row that the format does not know, as texts; `more_others`.

    A text is as it is, anything else as JSON; names and texts are cut at `text_limit` characters.
    """
    fields = extras_of(log, row)
    if not fields:
        return {}
    shown = {}
    for name in list(fields)[:most]:
        value = fields[name]
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        text = value if isinstance(value, str) else json_bytes(value).decode()
        shown[cut(name, text_limit)] = cut(text, text_limit)
    n_more = len(fields) - len(shown)
    return {"others": shown} | ({"more_others": n_more} if n_more else {})


def _bounded(value: Any, text_limit: int) -> Any:
    """A field's value as JSON can say it, its texts cut."""
    match value:
        case float():
            return number(value)
        case str():
            return cut(value, text_limit)
        case list():
            return [_bounded(each, min(text_limit, LONGEST_IN_LIST)) for each in value]
        case dict():
            return {name: _bounded(each, text_limit) for name, each in value.items()}
    return value


def _below(tree: Tree, row: int) -> dict[str, Any]:
    """Return the summary of a folded subtree; best and worst for the side of its layer, where known.

    They are what the node took for its children (`counted_as`); null moves and probes are none of its plies.
    The bound of that child is given too; among children with the same score, the bound that reaches furthest:
    the greatest of an exact 5 and one of at least 5 is at least 5.
    """
    columns = tree.log.columns
    below: dict[str, Any] = {
        "nodes": tree.n_nodes(row) - 1,
        "height": tree.height(row),
        "end": int(columns["end"][row]),
    }
    ends = ("worst", "best") if columns["layer"][row] != words.MIN else ("best", "worst")
    for end, (score, bound, tied) in zip(ends, _extremes_kept(tree, row), strict=False):
        below[end] = number(score)
        if bound:
            below[f"{end}_bound"] = words.BOUNDS[bound]
        if (proof := _strongest_proof(tree.log, tied)) is not None:
            below[f"{end}_proof"] = proof.as_json()
    return below


def _extremes_kept(tree: Tree, row: int) -> Extremes:
    """The same as `_extremes`, kept of wide nodes, which every page of their children brings."""
    if tree.n_children(row) < KEPT_FROM:
        return _extremes(tree, row)
    kept = _kept.setdefault(tree, {})
    found = kept.get(row)
    if found is None:
        while len(kept) >= MOST_KEPT:
            kept.pop(next(iter(kept)), None)
        found = kept[row] = _extremes(tree, row)
    return found


def _extremes(tree: Tree, row: int) -> Extremes:
    """The least and the greatest score of the children, its bound, and the first of those that have it."""
    columns = tree.log.columns
    children = tree.children(row)
    taken = scores_taken(tree.log, children)
    counts = ~np.isnan(taken)
    if "purpose" in columns:
        purposes = columns["purpose"][children]
        counts &= (purposes != words.NULL) & (purposes != words.PROBE)
    children, scores = children[counts], taken[counts]
    if not len(children):
        return ()
    found = []
    for score, furthest in ((scores.min(), words.UPPER), (scores.max(), words.LOWER)):
        tied = children[scores == score]
        bounds = columns["bound"][tied]
        opposite = words.UPPER if furthest == words.LOWER else words.LOWER
        bound = 0
        if (bounds == furthest).any():
            bound = furthest
        elif (bounds == opposite).all():
            bound = opposite
        found.append((float(score), bound, tied[:MOST_TIED]))
    return tuple(found)


def _strongest_proof(log: Log, rows: npt.NDArray[np.int64]) -> Proof | None:
    """Return the strongest proof of a win or loss that several siblings claim; None if it is none."""
    proofs = [proof for row in rows.tolist() if (proof := proof_of(log, row)) is not None]
    by_strength = ("none", "weaker", "proven")
    return max(
        proofs,
        key=lambda proof: (by_strength.index(proof.verdict), abs(proof.score or 0.0), not proof.repetition),
        default=None,
    )
