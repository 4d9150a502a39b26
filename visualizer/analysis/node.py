"""One node as plain JSON: every field that its row states, by the names of the log format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.mate import Proof
from plyscope.visualizer.analysis.proof import proof_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.fields import OWN, Field, Kind, entry_of
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

MOST_VALUES: Final = 200
"""Plies of a stub, and factors, contributions and scores of a node, that one answer lists."""

MOST_TIED: Final = 50
"""Siblings of one score whose proofs are compared."""


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
    limits = _Limits(text_limit, most_values)
    parent = int(columns["parent"][row])
    node: dict[str, Any] = {
        "id": int(columns["id"][row]),
        "parent": int(columns["id"][parent]) if parent >= 0 else None,
        "level": int(columns["level"][row]),
        "index": tree.index_among_siblings(row),
    }
    for field in OWN if long_texts else _SHORT:
        read = _READ.get(field.kind)
        value = None if read is None else read(tree, row, field, limits)
        if value is not None:
            node[field.name] = value
    proof = proof_of(log, row)
    if proof is not None:
        node["proof"] = proof.as_json()
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


@dataclass(frozen=True)
class _Limits:
    """At how many characters a text is cut, and at how many values a list."""

    text: int
    values: int


def _number(tree: Tree, row: int, field: Field, limits: _Limits) -> float | str | None:
    column = tree.log.columns.get(field.column)
    if column is None:
        return None
    is_stated = tree.log.columns["given"][row] & field.bit if field.bit else not np.isnan(column[row])
    return number(float(column[row])) if is_stated else None


def _whole(tree: Tree, row: int, field: Field, limits: _Limits) -> int | None:
    column = tree.log.columns.get(field.column)
    return None if column is None or column[row] < 0 else int(column[row])


def _flag(tree: Tree, row: int, field: Field, limits: _Limits) -> bool | None:
    column = tree.log.columns.get(field.column)
    return None if column is None or column[row] < 0 else bool(column[row])


def _word(tree: Tree, row: int, field: Field, limits: _Limits) -> str | None:
    column = tree.log.columns.get(field.column)
    assert field.vocabulary is not None
    return None if column is None else field.vocabulary.words[int(column[row])] or None


def _text(tree: Tree, row: int, field: Field, limits: _Limits) -> str | None:
    column = tree.log.columns.get(field.column)
    return None if column is None or column[row] < 0 else cut(tree.log.texts[int(column[row])], limits.text)


def _player(tree: Tree, row: int, field: Field, limits: _Limits) -> str | None:
    column = tree.log.columns.get(field.column)
    return None if column is None or column[row] < 0 else cut(tree.log.players[int(column[row])], limits.text)


def _key(tree: Tree, row: int, field: Field, limits: _Limits) -> str | None:
    key = key_text(tree.log, row)
    return None if key is None else cut(key, limits.text)


def _list(tree: Tree, row: int, field: Field, limits: _Limits) -> list[float | str | None] | None:
    matrix = tree.log.columns.get(field.column)
    if matrix is None or np.isnan(matrix[row]).all():
        return None
    return _numbers(matrix[row, : limits.values])


def _source(tree: Tree, row: int, field: Field, limits: _Limits) -> int | None:
    column = tree.log.columns.get(field.column)
    return None if column is None or column[row] < 0 else int(tree.log.columns["id"][column[row]])


def _entry(tree: Tree, row: int, field: Field, limits: _Limits) -> dict[str, Any] | None:
    stated = {
        each.inner_name: value
        for each in entry_of(field.name)
        if (value := _READ_IN_ENTRY[each.kind](tree, row, each, limits)) is not None
    }
    return stated or None


_READ: Final[dict[Kind, Callable[[Tree, int, Field, _Limits], Any]]] = {
    "score": _number,
    "low edge": _number,
    "high edge": _number,
    "amount": _number,
    "whole": _whole,
    "flag": _flag,
    "word": _word,
    "text": _text,
    "long text": _text,
    "player": _player,
    "key": _key,
    "numbers": _list,
    "named numbers": _list,
    "entry": _entry,
}
"""What a row states of a field, None where it states nothing. Ids and plies of stubs are told apart."""

_READ_IN_ENTRY: Final = _READ | {"id": _source}
_SHORT: Final = tuple(field for field in OWN if field.kind != "long text")


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
