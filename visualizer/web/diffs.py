"""The nouns of diff in the API: what changed from another log to this one, and the marks of nodes."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, current_app, request

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf.comparisons import Comparisons, KeptComparison
from plyscope.visualizer.web.asked import asked_ids, asked_number, entry_of, row_of, tree_of, wait_as_asked
from plyscope.visualizer.web.json_answer import json_answer

diffs = Blueprint("diffs", __name__, url_prefix="/api/logs/<log_id>/diff")

MOST_CHANGES: Final = 200
MOST_MARKED: Final = 1000


@diffs.get("")
def changes(log_id: str) -> Response:
    """What changed from the log `against` to this one, with one page of the changes."""
    offset, limit = asked_number("offset", 0), asked_number("limit", 50, most=MOST_CHANGES)
    kinds = [kind for kind in request.args.get("kinds", "").split(",") if kind]
    kept = _compared(log_id)
    if isinstance(kept, Response):
        return kept
    from plyscope.visualizer.analysis.diff.answer import as_json

    try:
        answer = as_json(kept.found, offset, limit, kinds)
    except LogError as error:
        abort(400, str(error))
    return json_answer({"state": "done", **answer})


@diffs.get("/marks")
def marks(log_id: str) -> Response:
    """What the nodes of `ids` have beside them in the log `against`, and how many changes lie below."""
    tree = tree_of(log_id)
    rows = [row_of(tree, node_id) for node_id in asked_ids(MOST_MARKED)]
    kept = _compared(log_id)
    if isinstance(kept, Response):
        return kept
    from plyscope.visualizer.analysis.diff.answer import marks_json

    return json_answer({"state": "done", **marks_json(kept.found, rows)})


def _compared(log_id: str) -> KeptComparison | Response:
    """The comparison; how far it is where it is not made yet, or why it cannot be."""
    other = request.args.get("against")
    if not other:
        abort(400, "against which log? Name one of /api/logs as `against=LOG`")
    new, old = tree_of(log_id), tree_of(other)
    comparisons = current_app.extensions["comparisons"]
    assert isinstance(comparisons, Comparisons)
    names = tuple(str(entry_of(each).summary()["name"]) for each in (other, log_id))
    iterations = tuple(
        asked_number(name, 0) if name in request.args else None for name in ("against_iteration", "iteration")
    )
    kept = comparisons.of(old, new, (names[0], names[1]), (iterations[0], iterations[1]))
    wait_as_asked(kept.job.settled)
    return kept if kept.job.state == "done" else json_answer(kept.job.as_json())
