"""Figures in the API: statistics, a node through the iterations, chances of ranks, textbook pictures."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

from flask import Response, abort

from plyscope.visualizer.analysis.columns import kernel_call
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api import routes
from plyscope.visualizer.web.api.request_arguments import MOST_IDS, boards_of, row_of
from plyscope.visualizer.web.api.routes import Body, number

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.statistics.figures import Statistics

figures = routes.Routes("figures", __name__, url_prefix="/api/logs/<log_id>")

MOST_LISTED: Final = 200
MOST_KEPT: Final = 2
"""Logs whose figures are kept: two, since two may be compared."""
MIMETYPES: Final = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
SCALE: Final = 2.0
"""Pixels of a PNG for each of the SVG."""

_kept: Final[Kept[Statistics]] = Kept(MOST_KEPT)
_counting: Final = threading.Lock()


@figures.get("/statistics")
def all_figures(tree: Tree, entry: Entry) -> Body:
    """Every figure of a log; lists end after 200 entries."""
    return _kept.of(tree, make=lambda: _count(tree, entry)).as_json(MOST_LISTED)


@figures.get("/statistics/iterations")
def through_iterations(
    tree: Tree,
    node: int | None = routes.node(),
    offset: int = number(),
    limit: int = number(MOST_LISTED, most=MOST_LISTED),
) -> Body:
    """A node, found by its path of plies, in the trees of the log; one page of them."""
    from plyscope.visualizer.analysis.statistics.iterations import node_iterations

    row = tree.main_root if node is None else node
    items = node_iterations(tree, row, offset, limit)
    body = {"node": int(tree.log.columns["id"][row]), "total": len(tree.log.roots), "offset": offset}
    return {**body, "items": items}


def _count(tree: Tree, entry: Entry) -> Statistics:
    """The figures of a tree, counted one at a time."""
    from plyscope.visualizer.analysis.statistics.run import counted_in
    from plyscope.visualizer.analysis.warm_up import compile_beside, compile_elsewhere

    with _counting:
        totals = entry.totals_of(tree)
        found = counted_in(tree, totals, on_compiling=lambda: compile_elsewhere("statistics"))
        if kernel_call.missed:
            compile_beside("statistics")
        return found


@figures.get("/quotient")
def ranks(tree: Tree, q: int | None = number(None)) -> Any:
    """The ranks that a log's randomness quotient, or `q` in its place, may play at its root; or why none."""
    from plyscope.visualizer.analysis.statistics.quotient import quotient_of

    found = quotient_of(tree, None if q is None else max(1, q))
    if found is None or isinstance(found, str):
        return {"quotient": None, "says": found or "the log has no randomness quotient"}
    return found


@figures.get("/picture.<any(svg, png, pdf):form>")
def picture(
    form: str,
    tree: Tree,
    entry: Entry,
    node: int | None = routes.node(),
    highlight: list[str] = routes.listed(),
    levels: int | None = number(None),
    children: int | None = number(None, least=1),
    windows: int = number(most=1),
    factors: int = number(most=1),
    dark: int = number(most=1),
    board: int = number(most=1),
) -> Response:
    """The picture of the tree below `node`, as `plyscope picture` draws it (see docs/api.md)."""
    from plyscope.visualizer.analysis.picture.selection import USUAL_CHILDREN, PictureError
    from plyscope.visualizer.analysis.picture.tree_picture import bytes_of, draw

    if len(highlight) > MOST_IDS:
        abort(400, f"at most {MOST_IDS} highlighted nodes in one picture, not {len(highlight)}")
    try:
        marked = [row_of(tree, int(text)) for text in highlight]
    except ValueError:
        abort(400, "highlight must be ids, whole numbers separated by commas")
    top = tree.main_root if node is None else node
    try:
        drawn = draw(
            tree,
            entry.name,
            top,
            levels=levels,
            children=USUAL_CHILDREN if children is None else children,
            windows=windows == 1,
            factors=factors == 1,
            highlight=marked,
            dark=dark == 1,
            board=boards_of(tree).drawing(top) if board else None,
        )
        body = bytes_of(drawn.svg, f".{form}", SCALE)
    except PictureError as error:
        abort(400, str(error))
    response = Response(body, mimetype=MIMETYPES[form])
    response.headers["Content-Disposition"] = f'inline; filename="figure.{form}"'
    return response
