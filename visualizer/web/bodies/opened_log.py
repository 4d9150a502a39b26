"""The facts about a log that the page needs before it asks for nodes."""

from __future__ import annotations

import dataclasses
import shlex
from typing import Any, Final

from plyscope.engine.record.logged_game import game_notice
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.nodes.colour_scale import mean_scale, score_scale
from plyscope.visualizer.analysis.nodes.deciding_line import principal_variation
from plyscope.visualizer.analysis.nodes.node_json import MOST_VALUES, cut, number
from plyscope.visualizer.analysis.statistics.totals import Totals
from plyscope.visualizer.analysis.statistics.visited import snapshots_of
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.formats.header import declared_root_player
from plyscope.visualizer.formats.seal.perspective import find_root_player
from plyscope.visualizer.shelf.notes import notes_in
from plyscope.visualizer.store.log import Factor, Log
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.bodies.node_pages import DETAILS_TEXT, LIST_TEXT, bounded

MOST_LEVELS: Final = 200
MOST_ROOTS: Final = 500
MOST_PV: Final = 1_000
MOST_NOTICES: Final = 50
MEANING_TEXT: Final = 1_000


def opened_log(summary: dict[str, Any], tree: Tree, counts: Totals, boards: Boards) -> dict[str, Any]:
    """The facts about a log that the page needs before it asks for nodes."""
    log = tree.log
    ids = log.columns["id"]
    header = dict(log.header)
    whole_variation = principal_variation(tree)
    variation = whole_variation[:MOST_PV]
    of_game = game_notice(header, f"plyscope view {shlex.quote(summary['name'])}")
    notices = [*([] if of_game is None else [of_game]), *log.notices]
    answer: dict[str, Any] = {
        "log": summary,
        "players": [cut(player, LIST_TEXT) for player in log.players[:MOST_VALUES]],
        "factors": [_factor(factor) for factor in log.factors[:MOST_VALUES]],
        "contribution_names": [cut(name, LIST_TEXT) for name in log.contribution_names[:MOST_VALUES]],
        "totals": as_json(counts, MOST_LEVELS),
        "roots": [
            {"id": int(ids[root.row])} | ({} if root.iteration is None else {"iteration": root.iteration})
            for root in log.roots[:MOST_ROOTS]
        ],
        "root": int(ids[tree.main_root]),
        "pv": [int(ids[row]) for row in variation],
        "pv_plies": [None if ply is None else cut(ply, LIST_TEXT) for ply in map(tree.ply, variation)],
        **({"more_pv": n_more} if (n_more := len(whole_variation) - len(variation)) else {}),
        "notices": [cut(notice, 1000) for notice in notices[:MOST_NOTICES]],
        "mapping": dict(log.mapping),
        "fields": [cut(name, LIST_TEXT) for name in log.fields[:500]],
        "pre_scored": "pre_score" in log.columns,
        "drawable": boards.are_drawn,
        "playable": boards.is_game_known,
    }
    for known in ("game", "position", "search", "result"):
        if known in header:
            answer[known] = _known(header.pop(known))
    if (player := _root_player(log)) is not None:
        answer["root_player"] = cut(log.players[player], LIST_TEXT)
    for used in ("plyscope", "players"):
        header.pop(used, None)
    if boards.are_stated:
        header.pop("board", None)  # the page draws it
    if notes_in(header.get("notes")):
        header.pop("notes")  # the page shows them on their nodes
    header |= {"factors": more} if (more := _unknown_of_factors(header.pop("factors", None))) else {}
    answer["header"] = bounded(header)
    if len(log.roots) > 1 and len(snapshots := snapshots_of(tree)) > 1:
        answer["snapshots"] = snapshots
    if (scale := score_scale(tree)) is not None:
        answer["colour"] = scale
    if (means := mean_scale(tree)) is not None:
        answer["means"] = means
    return answer


def _factor(factor: Factor) -> dict[str, Any]:
    """A factor as the page lists it."""
    told: dict[str, Any] = {"name": cut(factor.name, LIST_TEXT)}
    if factor.weight is not None:
        told["weight"] = number(factor.weight)
    if factor.meaning:
        told["meaning"] = cut(factor.meaning, MEANING_TEXT)
    return told


def _unknown_of_factors(factors: Any) -> list[dict[str, Any]]:
    """The factors of a header that say more than the format knows: each with its name and that."""
    known = {field.name for field in dataclasses.fields(Factor)}
    written = [factor for factor in factors or () if isinstance(factor, dict) and not known >= factor.keys()]
    return [
        {name: value for name, value in factor.items() if name == "name" or name not in known}
        for factor in written
    ]


def _root_player(log: Log) -> int | None:
    """The player whose view the numbers are seen from; None if the log does not say."""
    declared = declared_root_player(log.search, log.players)
    player = log.column("player")
    if declared is None and player is not None:
        at_root = next((int(player[root.row]) for root in log.roots if player[root.row] >= 0), None)
        if at_root is not None:  # as `find_root_player` has it, without a pass over all rows
            return at_root
    return find_root_player(dict(log.columns), declared)


def _known(value: Any) -> Any:
    """A field of the header that the page knows, its lists and texts cut where they are too long to send."""
    if isinstance(value, dict):
        lists = {
            key: [cut(each, LIST_TEXT) if isinstance(each, str) else each for each in item[:MOST_VALUES]]
            for key, item in value.items()
            if isinstance(item, list)
        }
        return bounded({**value, **lists})
    if isinstance(value, str):
        return cut(value, DETAILS_TEXT)
    return bounded({"": value})[""]
