"""Turning a log to the root player's view, once, on reading.

Numbers are negated, or in a best-first search reflected in the range of its scores; alpha is swapped with
beta, lower bounds with upper ones, wins with losses, in table entries too. A row turns by its player, else by
its layer, else by alternation from its parent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.header import Header
from plyscope.visualizer.formats.seal.many_players import is_of_many, refuse_numbers, refuse_rows, sides
from plyscope.visualizer.formats.seal.values import number
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS, GIVEN, MATRICES, absent_column
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.log import Lists

Array = npt.NDArray[Any]
Columns = dict[str, Array]

VIEWS_DECLARED: Final = ("perspective", "static_perspective")

OF_ROWS: Final = tuple(field for field in FIELDS.values() if field.column in {*COLUMNS, *MATRICES})
RATES: Final = tuple(field.column for field in OF_ROWS if field.view == "rate")
MIRRORED: Final = tuple((field.column, field.mirror) for field in OF_ROWS if field.name < field.mirror)
SCORES: Final = tuple(field.column for field in OF_ROWS if field.view == "score" and "edge" not in field.kind)
STATICS: Final = tuple(field.column for field in OF_ROWS if field.view == "static")
BOUNDS: Final = tuple(field.column for field in OF_ROWS if field.vocabulary is words.BOUND_WORDS)
ENDINGS: Final = tuple(field.column for field in OF_ROWS if field.vocabulary is words.ENDING_WORDS)
"""The columns that turn with the scores, and those that turn with the evaluation."""
TURNING: Final = (
    *SCORES,
    *RATES,
    "alpha",
    "beta",
    *BOUNDS,
    *ENDINGS,
    *(name for pair in MIRRORED for name in pair),
)
"""All columns that turn with the scores."""

MOST_LEVELS_AT_ONCE: Final = 1000
"""Up to this many levels, signs are found level by level; deeper trees are walked row by row."""


def turn(header: Header, columns: Columns, stub_plies: Lists | None) -> tuple[dict[str, Any], str]:
    """Turn the columns of a sealed log, in place, to the root player's view; fill in layers.

    Returns the header's fields afterwards (no perspective declared, the result's score turned) and a sentence
    for the user, empty where nothing was turned. Raises LogError where the root player is needed and unknown.
    """
    root_player = find_root_player(columns, header.root_player)
    _fill_layers(columns, root_player)
    fields = dict(header.fields)
    if isinstance(fields.get("search"), Mapping):
        declared = fields["search"].items()
        fields["search"] = {name: value for name, value in declared if name not in VIEWS_DECLARED}
    if header.view == header.static_view == "root":
        return fields, ""
    if root_player is None and "first" in (header.view, header.static_view):
        message = (
            'found "first", but neither `search.root_player` nor `player` on a node says who is at the root'
        )
        raise LogError(message, path="$.search.perspective")
    parent = columns["parent"]
    movers = mover_signs(columns, root_player)
    many = is_of_many(columns, len(header.players))
    own = _rivals_own(header, columns, root_player, stub_plies) if many else None
    signs = view_signs(header.view, movers, parent, root_player)
    if signs is not None:
        total = _total_of_ends(fields)
        turn_scores(columns, signs if own is None else np.where(own, 1, signs).astype(np.int8), total)
        if own is not None and own.any():
            columns["score"][own] = columns["scores"][own, root_player]
        if signs[0] < 0:
            _turn_result(fields, total)
    signs = view_signs(header.static_view, movers, parent, root_player)
    if signs is not None:
        turn_statics(columns, signs)
        if stub_plies is not None:
            above = view_signs(_view_of_stubs(header), movers, parent, root_player)
            if above is not None:
                of_rows = above[stub_plies.rows]
                stub_plies.numbers[:] = (
                    stub_plies.numbers * np.repeat(of_rows, np.diff(stub_plies.starts)) + 0.0
                )
    whose = header.view if header.view == header.static_view else f"{header.view} and {header.static_view}"
    notice = f"Numbers were written from the view `{whose}` and are shown as the root player sees them."
    takes_turns = not many and bool({header.view, header.static_view} & {"mover", "parent"})
    if takes_turns and _alternate_layers(columns, movers):
        notice += " Where nodes state neither `player` nor `layer`, the players are taken to alternate."
    return fields, notice


def _view_of_stubs(header: Header) -> str:
    """The perspective of a stub's pre-scores, which the player at its parent knows."""
    return header.static_view if header.static_view in ("root", "first") else "parent"


def _rivals_own(header: Header, columns: Columns, root_player: int | None, stub_plies: Lists | None) -> Array:
    """The rows of more than two players with a rival's own score; LogError where one cannot be turned."""
    turned = sides(columns, header.view, root_player)
    others = tuple(name for name in TURNING if name != "score")
    refuse_numbers(columns, turned.uncertain, "perspective", header.view, ("score", *others))
    refuse_numbers(columns, turned.own, "perspective", header.view, others)
    of_statics = sides(columns, header.static_view, root_player)
    rows = of_statics.own | of_statics.uncertain
    declared = "static_perspective" if header.static_view != header.view else "perspective"
    refuse_numbers(columns, rows, declared, header.static_view, STATICS)
    if stub_plies is not None:
        with_numbers = np.zeros(len(rows), dtype=bool)
        of_each = np.repeat(stub_plies.rows, np.diff(stub_plies.starts))
        with_numbers[of_each[~np.isnan(stub_plies.numbers)]] = True
        of_stubs = sides(columns, _view_of_stubs(header), root_player)
        with_numbers &= of_stubs.own | of_stubs.uncertain
        refuse_rows(columns, with_numbers, declared, header.static_view, "pre_scores")
    result = header.fields.get("result")
    if turned.own[0] and isinstance(result, Mapping) and result.get("score") is not None:
        message = (
            f"found \"{header.view}\", by which the result's score is a rival's, expected the root player's"
        )
        raise LogError(f'{message}: write "root"', path="$.search.perspective")
    return turned.own


def find_root_player(columns: Columns, declared: int | None = None) -> int | None:
    """The index of the root player: as declared, else the mover at a root, else at a max layer."""
    player = columns.get("player")
    if declared is not None or player is None:
        return declared
    for at_root in (columns["parent"] < 0, columns["layer"] == words.MAX):
        known = np.flatnonzero((player >= 0) & at_root)
        if len(known):
            return int(player[known[0]])
    return None


def _fill_layers(columns: Columns, root_player: int | None) -> None:
    """Fill in layers from players, where only players are stated and there are two."""
    player = columns.get("player")
    if player is None or root_player is None or int(player.max()) > 1:
        return
    unstated = (columns["layer"] == 0) & (player >= 0) & (columns["outcome"] < words.FIRST_STUB)
    columns["layer"][unstated] = np.where(player[unstated] == root_player, words.MAX, words.MIN)


def _alternate_layers(columns: Columns, movers: npt.NDArray[np.int8]) -> bool:
    """Fill in the layers by which numbers were turned, where unstated; returns whether there were any."""
    unstated = (columns["layer"] == 0) & (columns["outcome"] < words.FIRST_STUB)
    if "player" in columns:
        unstated &= columns["player"] < 0
    columns["layer"][unstated] = np.where(movers[unstated] > 0, words.MAX, words.MIN)
    return bool(unstated.any())


def _total_of_ends(fields: Mapping[str, Any]) -> float:
    """The sum of a number and its reflection: the sum of a best-first search's range, else 0."""
    search = fields.get("search")
    if not isinstance(search, Mapping) or search.get("order") != "best_first" or search.get("range") is None:
        return 0.0
    total = sum(number(end) or 0.0 for end in search["range"])
    return total if np.isfinite(total) else 0.0


def _turn_result(fields: dict[str, Any], total: float) -> None:
    result = fields.get("result")
    score = number(result["score"]) if isinstance(result, Mapping) and "score" in result else None
    if score is not None:
        fields["result"] = {**fields["result"], "score": total - score}
        bound = fields["result"].get("bound")
        if bound in ("lower", "upper"):
            fields["result"]["bound"] = "upper" if bound == "lower" else "lower"


def mover_signs(columns: Columns, root_player: int | None) -> npt.NDArray[np.int8]:
    """1 on rows where the root player moves, -1 where another does.

    A row without player and layer has the opposite sign of its parent (a root 1); a chance node, a stub, and
    a probe without a ply, which searches its parent's own position, have the sign of their parent.

    >>> mover_signs({"parent": np.array([-1, 0]), "layer": np.array([1, 0])}, None).tolist()
    [1, -1]
    """
    layer, parent = columns["layer"], columns["parent"]
    signs = np.zeros(len(layer), dtype=np.int8)
    signs[layer == words.MAX] = 1
    signs[(layer == words.MIN) | (layer == words.LAYERS.index("other"))] = -1
    player = columns.get("player")
    if player is not None and root_player is not None:
        signs[player >= 0] = np.where(player[player >= 0] == root_player, 1, -1)
    same = layer == words.LAYERS.index("chance")
    if "outcome" in columns:
        same |= columns["outcome"] >= words.FIRST_STUB
    if "purpose" in columns and "ply" in columns:
        same |= (columns["purpose"] == words.PROBE) & (columns["ply"] < 0)
    unknown = np.flatnonzero(signs == 0)
    level = columns.get("level")
    if level is None or int(level.max()) > MOST_LEVELS_AT_ONCE:
        for row in unknown.tolist():
            above = parent[row]
            signs[row] = 1 if above < 0 else signs[above] if same[row] else -signs[above]
        return signs
    by_level = unknown[np.argsort(level[unknown].astype(np.int16), kind="stable")]
    edges = np.searchsorted(level[by_level], np.arange(int(level.max()) + 2))
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        rows = by_level[first:last]  # one level: the signs of the parents are known
        above = parent[rows]
        signs[rows] = np.where(above < 0, 1, np.where(same[rows], signs[above], -signs[above]))
    return signs


def view_signs(
    view: str, movers: npt.NDArray[np.int8], parent: Array, root_player: int | None
) -> npt.NDArray[np.int8] | None:
    """By row, the sign for numbers written from `view`; None where there is nothing to turn."""
    if view == "mover":
        return movers
    if view == "parent":
        signs: npt.NDArray[np.int8] = np.where(parent < 0, movers, movers[parent])
        return signs
    if view == "first" and root_player not in (0, None):
        return np.full(len(parent), -1, dtype=np.int8)
    return None


def turn_scores(columns: Columns, signs: npt.NDArray[np.int8], total: float = 0.0) -> None:
    """Turn scores, windows, bounds and endings of the rows whose sign is -1, in place.

    A score and its reflection add up to `total`.
    """
    turned = signs < 0
    for name in (*SCORES, *RATES):
        if name in columns:
            _reflect(columns[name], turned, total)
    for name, mirror in MIRRORED:
        _exchange(columns, name, mirror, turned)
    _turn_windows(columns, turned)
    for names, one, other in ((BOUNDS, words.LOWER, words.UPPER), (ENDINGS, words.WIN, words.LOSS)):
        for name in names:
            if name in columns:
                _swap(columns[name], turned, one, other)


def turn_statics(columns: Columns, signs: npt.NDArray[np.int8]) -> None:
    """Turn static, pre_score, stand_pat, factors and contributions of the rows whose sign is -1, in place."""
    turned = signs < 0
    for name in STATICS:
        if name in columns:
            _reflect(columns[name], turned, 0.0)


def _reflect(column: Array, turned: Array, total: float) -> None:
    """Subtract the numbers of some rows from `total`, in place."""
    np.subtract(total, column, out=column, where=turned if column.ndim == 1 else turned[:, None])


def _turn_windows(columns: Columns, turned: Array) -> None:
    """Replace alpha by -beta and beta by -alpha, and swap which of them is stated."""
    absent = np.full(len(turned), np.nan)
    alpha, beta = columns.get("alpha", absent), columns.get("beta", absent)
    if alpha is absent and beta is absent:
        return
    columns["alpha"] = np.where(turned, 0.0 - beta, alpha)
    columns["beta"] = np.where(turned, 0.0 - alpha, beta)
    given = columns["given"]
    low, high = GIVEN["alpha"], GIVEN["beta"]
    stated = np.bitwise_and.reduce(given)
    if stated & low and stated & high:
        return  # every row states both
    swapped = given & ~np.uint16(low | high)
    swapped |= np.where(given & low, high, 0).astype(np.uint16)
    swapped |= np.where(given & high, low, 0).astype(np.uint16)
    given[turned] = swapped[turned]
    for name, bit in (("alpha", low), ("beta", high)):
        if not (given & bit).any():
            del columns[name]


def _exchange(columns: Columns, one: str, other: str, turned: Array) -> None:
    """Exchange two columns in some rows; if a log has only one of them, the other is added."""
    if one not in columns and other not in columns:
        return
    for name in (one, other):
        columns.setdefault(name, absent_column(name, len(turned)))
    columns[one][turned], columns[other][turned] = columns[other][turned], columns[one][turned].copy()


def _swap(codes: Array, turned: Array, one: int, other: int) -> None:
    was_one, was_other = turned & (codes == one), turned & (codes == other)
    codes[was_one] = other
    codes[was_other] = one
