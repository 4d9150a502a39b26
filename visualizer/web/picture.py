"""The nouns of pictures in the API: the tree below a node as textbooks draw it."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, request

from plyscope.visualizer.web.request_arguments import MOST_IDS, entry_of, number_argument, row_of, tree_of

pictures = Blueprint("pictures", __name__, url_prefix="/api/logs/<log_id>/picture.<any(svg, png, pdf):form>")

MIMETYPES: Final = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
SCALE: Final = 2.0
"""Pixels of a PNG for each of the SVG."""


@pictures.get("")
def picture(log_id: str, form: str) -> Response:
    """The picture of the tree below `node`, as `plyscope picture` draws it (see docs/api.md)."""
    from plyscope.visualizer.analysis.picture.picture_file import bytes_of
    from plyscope.visualizer.analysis.picture.selection import USUAL_CHILDREN, PictureError
    from plyscope.visualizer.analysis.picture.tree_picture import draw

    tree = tree_of(log_id)
    top = row_of(tree, number_argument("node", 0)) if "node" in request.args else tree.main_root
    marked = [row_of(tree, asked) for asked in _highlighted()]
    try:
        drawn = draw(
            tree,
            entry_of(log_id).name,
            top,
            levels=number_argument("levels", 0) if "levels" in request.args else None,
            children=number_argument("children", USUAL_CHILDREN, least=1),
            windows=_asked_flag("windows"),
            factors=_asked_flag("factors"),
            highlight=marked,
            dark=_asked_flag("dark"),
        )
        body = bytes_of(drawn.svg, f".{form}", SCALE)
    except PictureError as error:
        abort(400, str(error))
    response = Response(body, mimetype=MIMETYPES[form])
    response.headers["Content-Disposition"] = f'inline; filename="figure.{form}"'
    return response


def _highlighted() -> list[int]:
    texts = [text for text in request.args.get("highlight", "").split(",") if text]
    if len(texts) > MOST_IDS:
        abort(400, f"at most {MOST_IDS} highlighted nodes in one picture, not {len(texts)}")
    try:
        return [int(text) for text in texts]
    except ValueError:
        abort(400, "highlight must be ids, whole numbers separated by commas")


def _asked_flag(name: str) -> bool:
    return number_argument(name, 0, most=1) == 1
