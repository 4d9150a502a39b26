"""The charting library of the page: Vega, Vega-Lite and their embedder as one script.

The package `vl-convert-python` makes it; nothing is fetched from another host.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Final

from flask import Blueprint, Response, current_app

from plyscope.visualizer.shelf.pastes import written_whole
from plyscope.visualizer.web.json_response import unless_known

vendor = Blueprint("vendor", __name__, url_prefix="/vendor")

_making: Final = Lock()


@vendor.get("/vega.js")
def vega() -> Response:
    """A module that sets `vegaEmbed` on the window; asked for by the page's first chart."""
    with _making:
        script = _script(Path(current_app.config["CACHE_FOLDER"]) / "vendor")
    return unless_known(Response(script, mimetype="text/javascript"))


@lru_cache(maxsize=1)
def _script(folder: Path) -> bytes:
    """The script, from the cache where it is there: making it takes a second."""
    path = folder / f"vega-{version('vl-convert-python')}.js"
    with suppress(OSError):
        return path.read_bytes()
    from vl_convert import javascript_bundle

    script = javascript_bundle().encode()  # type: ignore[call-arg]  # its stub has no default
    with suppress(OSError):  # where nothing can be kept it is made again
        folder.mkdir(parents=True, exist_ok=True)
        written_whole(path, script)
    return script
