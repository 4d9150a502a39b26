"""The ranks that a log's randomness quotient may play at its root, in the API; those of another too."""

from __future__ import annotations

from flask import Blueprint, Response, request

from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.request_arguments import number_argument, tree_of

quotient = Blueprint("quotient", __name__, url_prefix="/api/logs/<log_id>/quotient")


@quotient.get("")
def ranks(log_id: str) -> Response:
    """The ranks, with `q` in place of the log's own quotient; the reason where none are given."""
    from plyscope.visualizer.analysis.statistics.quotient import quotient_of

    other = max(1, number_argument("q", 1)) if "q" in request.args else None
    found = quotient_of(tree_of(log_id), other)
    if found is None or isinstance(found, str):
        return json_response({"quotient": None, "says": found or "the log has no randomness quotient"})
    return json_response(found)
