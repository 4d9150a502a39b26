"""What the viewer answers: each request to a list of logs, and to a file that grows in pieces."""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.equality.log_text import digest
from tests.equality.masks import masked

LONGEST: Final = 60_000
"""Characters of an answer that are shown; a digest stands for the rest."""
PATIENCE: Final = 240
SECONDS_STILL: Final = 1.0
TIMES_STILL: Final = 4
"""So long, and so many times, nothing must change for a snapshot to be the last."""


def answer_requests(folder: Path, asked: Mapping[str, Any]) -> str:
    """Send each of `requests` to a viewer of the folder's files.

    A request is a method, a path in which `{0}` stands for the first log, and what its body is, if any. The
    method WAIT is GET, again and again until what was asked for is done; of START, a POST, nothing is told,
    since some work may be done by then.
    """
    with _viewer(folder, {}) as (web, names):
        said = []
        for method, path, *body in asked["requests"]:
            target = path.format(*names)
            if method == "START":
                web.post(target)
            else:
                said.append(f"== {method} {path}\n{_answer(web, method, target, body, _masks(names))}")
        return "".join(said)


def follow(folder: Path, asked: Mapping[str, Any]) -> str:
    """Show what a viewer shows while the folder's one file grows: `pieces` are where it is cut, in bytes."""
    (path,) = folder.iterdir()
    data = path.read_bytes()
    said = []
    with tempfile.TemporaryDirectory() as beside:
        grown = Path(beside) / path.name[5:]
        grown.write_bytes(b"")
        with _viewer(Path(beside), {"FOLLOW": True}) as (web, names):
            log, begin = f"/api/logs/{names[0]}", 0
            for place in [*asked["pieces"], len(data)]:
                with grown.open("ab") as file:
                    file.write(data[begin:place])
                begin = place
                state = _still(web, log)
                said.append(
                    f"== the first {place} bytes\n{masked(json.dumps(state, indent=1), _masks(names))}\n"
                )
                said += [
                    f"-- {request}\n{_answer(web, 'GET', log + request, [], _masks(names))}"
                    for request in ("", "/nodes?ids=0&limit=30", "/nodes/0/subtree?levels=4")
                ]
    return "".join(said)


@contextmanager
def _viewer(folder: Path, config: Mapping[str, Any]) -> Iterator[tuple[Any, list[str]]]:
    """A client of a viewer of the files of a folder, and the ids of these in the order of their names."""
    from plyscope.visualizer.web.app import create_app

    paths = sorted(folder.iterdir())
    with tempfile.TemporaryDirectory() as kept:
        folders = {"DATA_FOLDER": Path(kept) / "data", "CACHE_FOLDER": Path(kept) / "cache"}
        app = create_app({"LOGS": paths, **folders, **config})
        try:
            web = app.test_client()
            listed = web.get("/api/logs").json["logs"]
            ids = {each["name"]: each["id"] for each in listed}
            yield web, [ids[path.name] for path in paths]
        finally:
            app.extensions["shelf"].close()


def _masks(names: list[str]) -> dict[str, str]:
    return {name: f"LOG{place}" for place, name in enumerate(names)}


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


def _still(web: Any, log: str) -> dict[str, Any]:
    """The state of a log that grows, once a while nothing has changed and all that came is shown."""
    deadline = time.monotonic() + PATIENCE
    before: dict[str, Any] = {}
    since, n_same = time.monotonic(), 0
    while time.monotonic() < deadline:
        state = web.get(f"{log}/live?wait=0.2").json
        state = {name: value for name, value in state.items() if name not in ("per_second", "mark", "left")}
        web.get(log)
        if state != before:
            before, since, n_same = state, time.monotonic(), 0
        elif time.monotonic() - since > SECONDS_STILL and (n_same := n_same + 1) > TIMES_STILL:
            return state
    return before | {"never": "still"}
