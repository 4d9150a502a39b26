"""The overview in the API: a log by pixels in either form, the places of nodes in it, and marks along it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from flask import abort, request

from plyscope.visualizer.analysis.nodes.node_json import cut
from plyscope.visualizer.analysis.overview.levels import level_marks, level_picture, level_places
from plyscope.visualizer.analysis.overview.measure import measure_of
from plyscope.visualizer.analysis.overview.picture import MOST_BANDS, MOST_WIDTH, Mark, Overview, marks_of
from plyscope.visualizer.analysis.overview.picture import overview as drawn
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api.check import ask_check
from plyscope.visualizer.web.api.query import queries_of_app, query_error_response
from plyscope.visualizer.web.api.request_arguments import number_argument, row_of
from plyscope.visualizer.web.api.routes import Body, Routes, ids, text

overviews = Routes("overview", __name__, url_prefix="/api/logs/<log_id>/overview")

USUAL_WIDTH: Final = 1000
USUAL_BANDS: Final = 24
MOST_KEPT: Final = 16
LONGEST_PLY: Final = 60
FORMS: Final = ("icicle", "levels")
OWN_COLOURS: Final = ("layer", "score", "outcome")

_kept: Final[Kept[Overview]] = Kept(MOST_KEPT)
"""The parts that were asked for last: colours change more often than parts."""


@overviews.get("")
def of_log(tree: Tree, colour: str = text("layer")) -> Body:
    """A part of the tree: the runs of pixels of each band, and the nodes in them with what colours them."""
    found = _overview(tree)
    shown, places = np.unique(found.largest, return_inverse=True)
    n_absent = int(len(shown) > 0 and shown[0] < 0)
    places = places.reshape(found.largest.shape) - n_absent
    rows = shown[n_absent:]
    return {
        "first": found.first,
        "last": found.last,
        "nodes": tree.n_logged,
        "form": _form(),
        "length": found.length,
        "unit": measure_of(tree).unit if _form() == "icicle" else "nodes",
        "top": found.top,
        "per_band": found.per_band,
        "bottom": found.bottom,
        "width": found.largest.shape[1],
        "bands": [_runs(*each) for each in zip(places, found.counts, strict=True)],
        "ids": tree.log.columns["id"][rows].tolist(),
        "plies": _plies(tree, rows),
        **_colours(tree, rows, colour),
    }


@overviews.get("/places")
def of_nodes(tree: Tree, ids: list[int] = ids()) -> Body:
    """The places of nodes: where each begins along the whole, where it ends, and its level."""
    rows = np.array([row_of(tree, node_id) for node_id in ids], np.int64)
    length = _length(tree)
    stand: list[npt.NDArray[Any]]
    if _form() == "levels":
        at, n_in, levels = level_places(tree, rows, _bands())
        stand = [at * length / n_in, (at + 1) * length / n_in, levels]
    else:
        before, columns = measure_of(tree).before, tree.log.columns
        stand = [before[rows], before[columns["end"][rows]], columns["level"][rows]]
    begins, ends, levels_of = (each.tolist() for each in stand)
    places = {
        node_id: [begin, end, level]
        for node_id, begin, end, level in zip(ids, begins, ends, levels_of, strict=True)
    }
    return {"nodes": tree.n_logged, "length": length, "places": places}


@overviews.get("/marks")
def along(tree: Tree, entry: Entry, of: str = text("hits"), q: str = text()) -> Body:
    """The marks along a part: hits of `q`, or findings of the check by severity, by pixel."""
    form, width, bands, first, last = _part(tree)
    if of == "hits":
        with query_error_response():
            rows = queries_of_app().hits(tree, q)[0]
        if form == "levels":
            lanes = {"hits": level_marks(tree, rows, width, bands, first, last)}
        else:
            lanes = {"hits": marks_of(tree, rows, width, first, last)}
    elif of == "findings":
        part = {"form": form, "width": width, "bands": bands, "first": first, "last": last}
        found = ask_check(entry, tree, {"ask": "overview", **part})
        lanes = {severity: [Mark(*mark) for mark in marks] for severity, marks in found["lanes"].items()}
    else:
        abort(400, f"`of` must be hits or findings, not {of[:40]!r}")
    id_of = tree.log.columns["id"]
    told = {name: [[x, n_rows, int(id_of[row])] for x, n_rows, row in marks] for name, marks in lanes.items()}
    return {"lanes": told}


def _form() -> str:
    """The form that the request asks for; aborts with 400 for any other word."""
    form = request.args.get("form", "icicle")
    if form not in FORMS:
        abort(400, f"`form` must be {' or '.join(FORMS)}, not {form[:40]!r}")
    return form


def _bands() -> int:
    bands: int = number_argument("bands", USUAL_BANDS, least=1, most=MOST_BANDS)
    return bands


def _length(tree: Tree) -> int:
    """The whole width, in the units of the form."""
    return measure_of(tree).length if _form() == "icicle" else tree.n_logged


def _part(tree: Tree) -> tuple[str, int, int, int, int]:
    """Form, width, bands, begin and end of the part that the request asks for; aborts with 400 for none."""
    width = number_argument("width", USUAL_WIDTH, least=1, most=MOST_WIDTH)
    length, unit = _length(tree), measure_of(tree).unit if _form() == "icicle" else "nodes"
    first, last = number_argument("first", 0), number_argument("last", length, most=length)
    if first >= last:
        abort(400, f"there are {length:,} {unit}, and none from {first:,} to {last:,}")
    return _form(), width, _bands(), first, last


def _overview(tree: Tree) -> Overview:
    """The part that the request asks for, which is kept."""
    part = _part(tree)
    draw = level_picture if part[0] == "levels" else drawn
    return _kept.of(tree, part, make=lambda: draw(tree, *part[1:]))


def _runs(places: npt.NDArray[np.int64], counts: npt.NDArray[np.int32]) -> list[int]:
    """Pixels, place of the node (-1 for none) and nodes there, of each run of equal pixels; one flat list."""
    changes = np.flatnonzero((places[1:] != places[:-1]) | (counts[1:] != counts[:-1])) + 1
    begins = np.concatenate([[0], changes])
    sizes = np.diff(np.concatenate([begins, [len(places)]]))
    flat: list[int] = np.stack([sizes, places[begins], counts[begins]], axis=1).ravel().tolist()
    return flat


def _colours(tree: Tree, rows: npt.NDArray[np.int32], colour: str) -> Body:
    """The values that colour the nodes at `rows`: layers, outcomes or scores, else a value with its scale."""
    columns = tree.log.columns
    if colour not in OWN_COLOURS:
        with query_error_response():
            scale = queries_of_app().colouring(tree, colour)
            values = scale.values(rows.astype(np.int64))
        from plyscope.visualizer.analysis.query.value_colours import short

        places = [scale.place(value) for value in values] if scale.kind == "category" else None
        told: dict[str, Any] = {"scale": scale.as_json(), "values": [short(value) for value in values]}
        return told | ({} if places is None else {"places": places})
    if colour == "layer":
        return {"layers": _words(words.LAYERS, columns["layer"][rows])}
    if colour == "outcome":
        return {"outcomes": _words(words.OUTCOMES, columns["outcome"][rows])}
    told = {
        "scores": _numbers(columns["score"][rows]),
        "bounds": _words(words.BOUNDS, columns["bound"][rows]),
    }
    means = tree.log.column("mean")
    return told if means is None else told | {"means": _numbers(means[rows])}


def _plies(tree: Tree, rows: npt.NDArray[np.int32]) -> list[str | None]:
    """The plies that led to `rows`, each text read once."""
    codes, places = np.unique(tree.log.columns["ply"][rows], return_inverse=True)
    texts = [tree.log.text(code) for code in codes.tolist()]
    told = [None if text is None else cut(text, LONGEST_PLY) for text in texts]
    return [told[place] for place in places.tolist()]


def _words(vocabulary: tuple[str, ...], codes: npt.NDArray[Any]) -> list[str]:
    return [vocabulary[code] for code in codes.tolist()]


def _numbers(values: npt.NDArray[Any]) -> list[float | str | None]:
    """Numbers for JSON; None where unstated."""
    return [
        value if abs(value) < np.inf else None if value != value else "inf" if value > 0 else "-inf"
        for value in values.tolist()
    ]
