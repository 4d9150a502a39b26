"""The Flask application: `create_app` puts the shelf, the API, the page and the guard together."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any, Final

from flask import Flask, Response, abort, current_app, render_template, request
from werkzeug.exceptions import HTTPException, NotFound, RequestEntityTooLarge

from plyscope.version import __version__
from plyscope.visualizer.analysis.nodes.node_json import cut
from plyscope.visualizer.shelf.folders import cache_folder, data_folder, shipped_folder
from plyscope.visualizer.shelf.initial_logs import (
    add_paths,
    follow_paths,
    list_examples,
    listen_for_engines,
)
from plyscope.visualizer.shelf.shelf import Shelf
from plyscope.visualizer.store.whole_file import whole_file
from plyscope.visualizer.web.api.check import checks
from plyscope.visualizer.web.api.diff import diffs
from plyscope.visualizer.web.api.explain import explain
from plyscope.visualizer.web.api.figures import figures
from plyscope.visualizer.web.api.live import live, uploads
from plyscope.visualizer.web.api.logs import logs as listed_logs
from plyscope.visualizer.web.api.nodes import nodes
from plyscope.visualizer.web.api.overview import overviews
from plyscope.visualizer.web.api.plays import plays
from plyscope.visualizer.web.api.query import queries
from plyscope.visualizer.web.api.replay import replays
from plyscope.visualizer.web.api.results import matches, tunings
from plyscope.visualizer.web.api.share import shares
from plyscope.visualizer.web.api.weights import weights
from plyscope.visualizer.web.guard import guard
from plyscope.visualizer.web.json_response import json_response, unless_known
from plyscope.visualizer.web.page.page_files import SHEET, PageFiles, media_type, modules_of_page, page_files

ROUTES: Final = (
    *(listed_logs, nodes, live, uploads, checks, diffs, explain, figures, overviews, queries, replays),
    *(shares, weights, matches, plays, tunings),
)

BODY_LIMIT: Final = 512 * 2**20
"""Bytes of a paste; one that comes in pieces, and any after decompression, may have eight times as many."""

MOST_ERROR_TEXT: Final = 2000


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The viewer as a WSGI application.

    `config` may set `LOGS` (paths of files and folders; without any the bundled examples are listed),
    `MAPPING` (the fields of foreign trees in them, by role), `HOST` (the address it will listen on), `TOKEN`
    (the secret that requests must have; None where only this machine can ask), `FOLLOW` (whether logs are
    shown while they are written), `ENGINES` (a listening socket for engines that write to one),
    `SHOWS_EXAMPLES` (False: none are listed, though there are no logs), `FRAMED` (whether a notebook of this
    machine may show the page in a frame), `DATA_FOLDER`, `CACHE_FOLDER`, `EXAMPLES` and `MAX_CONTENT_LENGTH`
    (bytes). Raises OSError for a path that cannot be listed.
    """
    files = page_files(shipped_folder("static").resolve())
    modules = modules_of_page(shipped_folder("static").resolve())  # for pages other than the first
    app = Flask("plyscope.visualizer", static_folder=None, template_folder=str(shipped_folder("templates")))
    app.config.update(
        LOGS=(),
        MAPPING=None,
        HOST="127.0.0.1",
        TOKEN=None,
        FOLLOW=False,
        ENGINES=None,
        SHOWS_EXAMPLES=True,
        FRAMED=False,
        DATA_FOLDER=data_folder(),
        CACHE_FOLDER=cache_folder(),
        EXAMPLES=shipped_folder("examples"),
        MAX_CONTENT_LENGTH=BODY_LIMIT,
    )
    app.config.update(config or {})
    app.config["TEMPLATES_AUTO_RELOAD"] = True  # as the files of the page are
    app.url_map.merge_slashes = False  # a path has one way to be written
    max_bytes = 8 * int(app.config["MAX_CONTENT_LENGTH"])
    shelf = Shelf(
        Path(app.config["DATA_FOLDER"]),
        Path(app.config["CACHE_FOLDER"]),
        max_bytes=max_bytes,
    )
    logs = [Path(path) for path in app.config["LOGS"]]
    if app.config["FOLLOW"]:
        follow_paths(shelf, logs)
    else:
        add_paths(shelf, logs, app.config["MAPPING"])
    if app.config["ENGINES"] is not None:
        app.extensions["engines"] = listen_for_engines(shelf, app.config["ENGINES"])
    elif not logs and app.config["SHOWS_EXAMPLES"]:
        list_examples(shelf, Path(app.config["EXAMPLES"]))
    app.extensions["shelf"] = shelf
    app.extensions["plays"] = {}
    making = Lock()
    guard(app)
    for routes in ROUTES:
        app.register_blueprint(routes)
    app.register_error_handler(HTTPException, _error_answer)

    @app.get("/")
    def page() -> str:
        now = files.now()
        return render_template(
            "index.html",
            base=f"/static/{now.version}/",
            sheet=SHEET,
            modules=now.first_modules,
            version=__version__,
            body_limit=app.config["MAX_CONTENT_LENGTH"],
            upload_limit=max_bytes,
            testing="testing" in request.args,
        )

    @app.get("/match/<results_id>", defaults={"kind": "match", "title": "Results of a match"})
    @app.get("/play/<results_id>", defaults={"kind": "play", "title": "Play"})
    @app.get("/tuning/<results_id>", defaults={"kind": "tuning", "title": "Trials of a tuning"})
    def results_page(results_id: str, kind: str, title: str) -> str:
        base, testing = f"/modules/{modules.now().version}/", "testing" in request.args
        shown = {"kind": kind, "title": title, "results": results_id}
        return render_template("results.html", base=base, sheet=SHEET, testing=testing, **shown)

    @app.get("/static/<path:filename>", endpoint="static")
    def static_file(filename: str) -> Response:
        return file_of(files, filename)

    @app.get("/modules/<path:filename>")
    def module_file(filename: str) -> Response:
        return file_of(modules, filename)

    @app.get("/vendor/vega.js")
    def vega() -> Response:
        """A module that sets `vegaEmbed` on the window; asked for by the page's first chart."""
        with making:
            script = _charting_library(Path(app.config["CACHE_FOLDER"]) / "vendor")
        return unless_known(Response(script, mimetype="text/javascript"))

    def file_of(files: PageFiles, filename: str) -> Response:
        found = files.find(filename)
        if found is None:
            abort(404, f"the page has no file {filename[:80]!r}")
        content, is_for_good = found
        answer = Response(content, mimetype=media_type(filename))
        if is_for_good:
            answer.headers["Cache-Control"] = "max-age=31536000, immutable"
            return answer
        return unless_known(answer)

    return app


def _error_answer(error: HTTPException) -> Response:
    """The one shape of every error: `{"error": text, "status": code}`."""
    if isinstance(error.response, Response):
        return error.response
    if isinstance(error, NotFound) and error.description == NotFound.description:
        error.description = f"there is nothing at {request.path[:80]!r}; docs/api.md lists what the API has"
    if isinstance(error, RequestEntityTooLarge) and error.description == RequestEntityTooLarge.description:
        limit = current_app.config["MAX_CONTENT_LENGTH"]
        error.description = f"more than {limit:,} bytes; put the log into a file and `plyscope view` it"
    text = cut(error.description or error.name, MOST_ERROR_TEXT)
    answer = json_response({"error": text, "status": error.code}, error.code or 500)
    for name, value in error.get_headers():
        if name.lower() != "content-type":  # which methods there are, how to show the token
            answer.headers.add(name, value)
    return answer


@lru_cache(maxsize=1)
def _charting_library(folder: Path) -> bytes:
    """Vega, Vega-Lite and their embedder as one script, from the cache where it is there.

    The package `vl-convert-python` makes it, which takes a second; nothing is fetched from another host.
    """
    path = folder / f"vega-{version('vl-convert-python')}.js"
    with suppress(OSError):
        return path.read_bytes()
    from vl_convert import javascript_bundle

    script = javascript_bundle().encode()  # type: ignore[call-arg]  # its stub has no default
    with suppress(OSError):  # where nothing can be kept it is made again
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.write(script)
    return script
