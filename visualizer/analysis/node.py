"""One node as plain JSON: every field that its row states, by the names of the log format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.mate import Proof
from plyscope.visualizer.analysis.proof import proof_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

MOST_VALUES: Final = 200
"""Plies of a stub, and factors, contributions and scores of a node, that one answer lists."""

MOST_TIED: Final = 50
"""Siblings of one score whose proofs are compared."""

_CODES: Final = {
    "layer": words.LAYERS,
    "outcome": words.OUTCOMES,
    "bound": words.BOUNDS,
    "purpose": words.PURPOSES,
    "cut_by": words.CUT_BY,
    "ending": words.ENDINGS,
}
_NUMBERS: Final = ("depth", "reduction", "extension", "seconds", "visits", "prior", "mean")
_WHOLE: Final = ("moves", "count")
_FLAGS: Final = ("quiescence", "in_check")
_TEXTS: Final = ("ply", "why")
_LONG_TEXTS: Final = ("position", "board")


def number(value: float) -> float | str:
    """A float as JSON can say it; a whole one stays a float.

    >>> number(float("-inf")), number(2.5)
    ('-inf', 2.5)
    """
    if np.isfinite(value):
        return float(value)
    return "nan" if np.isnan(value) else "inf" if value > 0 else "-inf"


def plain(value: Any) -> Any:
    """A value read from a log's header, with floats that JSON lacks as strings."""
    if isinstance(value, float):
        return number(value)
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


def key_text(log: Log, row: int) -> str | None:
    """The position key of `row` as the log wrote it."""
    keys = log.column("key")
    if keys is None or not log.columns["given"][row] & GIVEN["key"]:
        return None
    key = int(keys[row])
    if log.key_form == "hex":
        return f"{key:016x}"
    return log.texts[key] if log.key_form == "text" else str(key)


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
    for name in (*_TEXTS, *(_LONG_TEXTS if long_texts else ())):
        column = columns.get(name)
        if column is not None and column[row] >= 0:
            node[name] = cut(log.texts[int(column[row])], text_limit)
    for name, table in _CODES.items():
        column = columns.get(name)
        if column is not None and column[row]:
            node[name] = table[int(column[row])]
    player = columns.get("player")
    if player is not None and player[row] >= 0:
        node["player"] = cut(log.players[int(player[row])], text_limit)
    given = int(columns["given"][row])
    for name, bit in GIVEN.items():
        if given & bit and name != "key":
            node[name] = number(float(columns[name][row]))
    proof = proof_of(log, row)
    if proof is not None:
        node["proof"] = proof.as_json()
    for name in _NUMBERS:
        column = columns.get(name)
        if column is not None and not np.isnan(column[row]):
            node[name] = number(float(column[row]))
    for name in _WHOLE:
        column = columns.get(name)
        if column is not None and column[row] >= 0:
            node[name] = int(column[row])
    for name in _FLAGS:
        column = columns.get(name)
        if column is not None and column[row] >= 0:
            node[name] = bool(column[row])
    for name in ("factors", "contributions", "scores"):
        matrix = columns.get(name)
        if matrix is not None and not np.isnan(matrix[row]).all():
            node[name] = _numbers(matrix[row, :most_values])
    key = key_text(log, row)
    if key is not None:
        node["key"] = cut(key, text_limit)
    entry = _table_entry(tree, row, text_limit)
    if entry:
        node["tt"] = entry
    if parent < 0:
        iteration = log.roots[node["index"]].iteration
        if iteration is not None:
            node["iteration"] = iteration
    if log.stub_plies is not None:
        _add_stub_plies(node, log, row, min(text_limit, 300), most_values)
    node["n_children"] = tree.n_children(row)
    if node["n_children"]:
        node["below"] = _below(tree, row)
    return node


def _table_entry(tree: Tree, row: int, text_limit: int) -> dict[str, Any]:
    columns = tree.log.columns
    use = columns.get("tt_use")
    if use is None or not use[row]:
        return {}
    entry: dict[str, Any] = {"use": words.TT_USES[int(use[row])]}
    read: dict[str, Callable[[Any], Any]] = {
        "depth": lambda value: None if np.isnan(value) else number(value),
        "bound": lambda value: words.BOUNDS[int(value)] or None,
        "score": lambda value: None if np.isnan(value) else number(value),
        "ply": lambda value: cut(tree.log.texts[int(value)], text_limit) if value >= 0 else None,
        "from": lambda value: int(columns["id"][value]) if value >= 0 else None,
    }
    for name, convert in read.items():
        column = columns.get(f"tt_{name}")
        value = None if column is None else convert(column[row])
        if value is not None:
            entry[name] = value
    return entry


def _numbers(values: npt.NDArray[np.float64]) -> list[float | str | None]:
    if np.isfinite(values).all():
        return values.tolist()  # type: ignore[no-any-return]
    return [None if value != value else number(value) for value in values.tolist()]


def _add_stub_plies(node: dict[str, Any], log: Log, row: int, text_limit: int, most_values: int) -> None:
    assert log.stub_plies is not None
    plies, pre_scores = log.stub_plies.of(row)
    if not len(plies):
        return
    if plies[0] >= 0:  # else only their pre-scores are known
        node["plies"] = [cut(log.texts[index], text_limit) for index in plies[:most_values].tolist()]
    if not np.isnan(pre_scores).all():
        node["pre_scores"] = _numbers(pre_scores[:most_values])
    if len(plies) > most_values:
        node["more_plies"] = len(plies) - most_values


def _below(tree: Tree, row: int) -> dict[str, Any]:
    """What a folded node says of its subtree; best and worst for the side of its layer, where known.

    A child's bound is said too. Of children with one score the bound that reaches furthest counts: the
    greatest of an exact 5 and one of at least 5 is at least 5.
    """
    columns = tree.log.columns
    below: dict[str, Any] = {"nodes": tree.n_nodes(row) - 1, "height": tree.height(row)}
    children = tree.children(row)
    children = children[~np.isnan(columns["score"][children])]
    if len(children):
        scores = columns["score"][children]
        ends = ("worst", "best") if columns["layer"][row] != words.MIN else ("best", "worst")
        for end, score, furthest in zip(
            ends, (scores.min(), scores.max()), (words.UPPER, words.LOWER), strict=True
        ):
            bounds = columns["bound"][children[scores == score]]
            open_to_the_other = ~np.isin(bounds, (furthest, words.EXACT, 0))
            bound = furthest if (bounds == furthest).any() else bounds[0] if open_to_the_other.all() else 0
            below[end] = number(float(score))
            if bound:
                below[f"{end}_bound"] = words.BOUNDS[int(bound)]
            if (proof := _strongest_proof(tree.log, children[scores == score])) is not None:
                below[f"{end}_proof"] = proof.as_json()
    return below


def _strongest_proof(log: Log, rows: npt.NDArray[np.int64]) -> Proof | None:
    """What proves most of a win or loss that several siblings claim; None where it is none."""
    proofs = [proof for row in rows[:MOST_TIED].tolist() if (proof := proof_of(log, row)) is not None]
    by_strength = ("none", "weaker", "proven")
    return max(
        proofs,
        key=lambda proof: (by_strength.index(proof.verdict), abs(proof.score or 0.0), not proof.repetition),
        default=None,
    )
