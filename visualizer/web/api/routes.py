"""From a request to an answer: a route's function gets its parameters, and its result becomes JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Final

from flask import Blueprint, Response, abort, g

from plyscope.engine.option import OptionError
from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.shelf.jobs.searches import Busy
from plyscope.visualizer.shelf.notes import NoteError, NotNowError
from plyscope.visualizer.shelf.shelf import NotAPasteError
from plyscope.visualizer.shelf.uploads import MisplacedError
from plyscope.visualizer.web.api import request_arguments as arguments
from plyscope.visualizer.web.json_response import json_response

Body = dict[str, Any]

REFUSED: Final[dict[type[Exception], int]] = {
    TooLarge: 413,
    LogError: 400,
    OptionError: 400,
    QueryError: 400,
    NotNowError: 409,
    NoteError: 400,
    MisplacedError: 409,
    Busy: 409,
    NotAPasteError: 403,
}
"""Errors that describe a fault of the request, each with its status; subclasses come first."""


class Routes(Blueprint):
    """Routes whose functions are called with their parameters, filled in by name.

    A parameter is a part of the path, or has a default that reads it from the query, or is one of these:
    `entry` and `tree` of the log `log_id`, and `row` (of the node `node_id`) and `boards` of the tree. A
    function returns a body, a body and a status, or a whole response. Errors in `REFUSED` are answered in
    their own words.
    """

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: Callable[..., Any] | None = None,
        provide_automatic_options: bool | None = None,
        *,
        unless: str = "",
        **options: Any,
    ) -> None:
        """Answer requests for `rule` with a function; `unless` is the error for a full disk."""
        assert view_func is not None
        endpoint, view = endpoint or view_func.__name__, _answering(view_func, unless)
        super().add_url_rule(rule, endpoint, view, provide_automatic_options, **options)


class _Asked:
    """The default of a parameter that is read from a request."""

    def __init__(self, read: Callable[[str], Any]) -> None:
        self.read = read


def _answering(function: Callable[..., Any], unless: str) -> Callable[..., Response]:
    parameters = signature(function).parameters

    @wraps(function)
    def answer(**path: Any) -> Response:
        taken: dict[str, Any] = {}
        for name, parameter in parameters.items():
            if name in path:
                taken[name] = path[name]
            elif isinstance(parameter.default, _Asked):
                taken[name] = parameter.default.read(name)
            else:
                taken[name] = _OF_A_LOG[name](path)
        try:
            made = function(**taken)
        except tuple(REFUSED) as error:
            abort(next(status for kind, status in REFUSED.items() if isinstance(error, kind)), str(error))
        except OSError as error:
            if not unless:
                raise
            arguments.refuse_for_disk(unless, error)
        body, status = made if isinstance(made, tuple) else (made, 200)
        return body if isinstance(body, Response) else json_response(body, status)

    return answer


def _tree(path: dict[str, Any]) -> Any:
    g.tree = arguments.tree_of(path["log_id"])
    return g.tree


_OF_A_LOG: dict[str, Callable[[dict[str, Any]], Any]] = {
    "entry": lambda path: arguments.entry_of(path["log_id"]),
    "tree": _tree,
    "row": lambda path: arguments.row_of(g.tree, path["node_id"]),
    "boards": lambda path: arguments.boards_of(g.tree),
}


def _asked(read: Callable[..., Any]) -> Callable[..., Any]:
    """Make defaults of parameters that `read` reads, by the parameter's name or another, with settings."""

    def default(*settings: Any, name: str = "", **more: Any) -> Any:
        return _Asked(lambda parameter: read(name or parameter, *settings, **more))

    return default


first_nodes = _asked(arguments.first_nodes_argument)
flag = _asked(arguments.is_asked)
ids = _asked(arguments.ids_argument)
listed = _asked(arguments.list_argument)
node = _asked(lambda name: arguments.row_argument(g.tree, name))
number = _asked(arguments.number_argument)
order = _asked(arguments.order_argument)
rows = _asked(lambda *asked: arguments.rows_argument(g.tree, *asked))
text = _asked(arguments.text_argument)
weights = _asked(arguments.weights_argument)
