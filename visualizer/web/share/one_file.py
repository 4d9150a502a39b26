"""The page as one HTML file: all modules as one inline script, the style sheet, and the answers packed.

Under `file://` a browser loads no module by its address and answers no request. One inline module runs, and
unpacks its data itself. A policy names the script by its digest, so that nothing else runs.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from typing import Any, Final

import orjson
from flask import Flask, render_template

from plyscope.version import __version__
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.shelf.folders import shipped_folder
from plyscope.visualizer.web.json_response import OPTIONS
from plyscope.visualizer.web.page.one_script import whole_script
from plyscope.visualizer.web.page.page_files import SCRIPT, SHEET, modules_of_page

MOST_BYTES: Final = 5_000_000
_ENDS: Final = re.compile(r"<(?=/script|/style|!--)", re.IGNORECASE)


def one_file(app: Flask, data: dict[str, Any]) -> bytes:
    """The page that answers from `data`; with fewer details where it would be larger than 5 MB."""
    files = modules_of_page(shipped_folder("static").resolve()).now().content
    script = _ENDS.sub(r"<\\", whole_script(files, SCRIPT))
    style = files[SHEET].decode()
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    while True:
        packed = gzip.compress(orjson.dumps(data, default=as_json, option=OPTIONS), 9, mtime=0)
        shared = {
            "policy": policy,
            "script": script,
            "style": style,
            "data": base64.b64encode(packed).decode(),
        }
        with app.app_context():
            page = render_template("index.html", shared=shared, version=__version__).encode()
        details = data["details"]
        if len(page) <= MOST_BYTES or not details:
            return page
        data = {**data, "details": dict(list(details.items())[: len(details) // 2])}


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
