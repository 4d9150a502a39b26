"""What the viewer answers: each request to a list of logs."""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tests.equality.log_text import digest
from tests.equality.masks import masked

LONGEST: Final = 60_000
"""Characters of an answer that are shown; a digest stands for the rest."""
PATIENCE: Final = 240


def answer_requests(folder: Path, asked: Mapping[str, Any]) -> str:
    """Send each of `requests` to a viewer of the folder's files.

    A request is a method, a path in which `{0}` stands for the first log, and what its body is, if any. The
    method WAIT is GET, again and again until what was asked for is done; of START, a POST, nothing is told,
    since some work may be done by then.
    """
    from plyscope.visualizer.web.app import create_app

    paths, said = sorted(folder.iterdir()), []
    with tempfile.TemporaryDirectory() as kept:
        folders = {"DATA_FOLDER": Path(kept) / "data", "CACHE_FOLDER": Path(kept) / "cache"}
        app = create_app({"LOGS": paths, **folders})
        try:
            web = app.test_client()
            ids = {each["name"]: each["id"] for each in web.get("/api/logs").json["logs"]}
            names = [ids[path.name] for path in paths]
            masks = {name: f"LOG{place}" for place, name in enumerate(names)}
            for method, path, *body in asked["requests"]:
                target = path.format(*names)
                if method == "START":
                    web.post(target)
                else:
                    said.append(f"== {method} {path}\n{_answer(web, method, target, body, masks)}")
        finally:
            app.extensions["shelf"].close()
    return "".join(said)


def _answer(web: Any, method: str, path: str, body: list[Any], masks: Mapping[str, str]) -> str:
    deadline = time.monotonic() + PATIENCE
    given = {"data": body[0], "content_type": "application/json"} if body else {}
    while True:
        answer = web.open(path, method="GET" if method == "WAIT" else method, **given)
        is_done = not re.search(rb'"state": ?"(reading|running|waiting)"', answer.data[:400])
        if method != "WAIT" or is_done or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    kind = answer.content_type.partition(";")[0] if answer.content_type else ""
    return f"{answer.status_code} {kind}\n{_shown(answer.data, kind, masks)}\n"


def _shown(data: bytes, kind: str, masks: Mapping[str, str]) -> str:
    if kind == "application/json":
        text = json.dumps(json.loads(data), indent=1, ensure_ascii=False)
    elif kind.startswith("text/") or kind.endswith("svg+xml"):
        text = data.decode("utf-8", "backslashreplace")
    else:
        return f"{len(data):,} bytes" + ("" if kind.endswith("parquet") else f", {digest(data)}")
    text = masked(text, masks)
    return (
        text
        if len(text) <= LONGEST
        else f"{text[:LONGEST]}\n… {len(text):,} characters, {digest(text.encode())}"
    )
