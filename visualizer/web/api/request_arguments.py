"""The arguments of a request: numbers, ids, log and node; each is refused in words if there is none."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeVar
from urllib.parse import unquote

from flask import abort, current_app, request

from plyscope.visualizer.analysis.nodes.best_children import ORDERS, Order
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.shelf.shelf import NotReadyError, Shelf
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.json_response import json_response

Value = TypeVar("Value")

MOST_IDS: Final = 200
MOST_CHILDREN: Final = 500
MOST_BEST: Final = 100
MOST_CHILDREN_IN_ALL: Final = 2000
MOST_PATH: Final = 1000
MOST_BOARDS: Final = 2
"""Logs whose boards are kept: two, since two may be compared."""
MOST_WAIT_SECONDS: Final = 10
MOST_WAITING: Final = 8
"""The most requests that may wait: half of the threads, so that the others answer."""
SECONDS_WITHOUT_TURN: Final = 0.2

_boards: Final[Kept[Boards]] = Kept(MOST_BOARDS)
_turns: Final = threading.BoundedSemaphore(MOST_WAITING)


def shelf_of_app() -> Shelf:
    """The shelf of the application that answers."""
    shelf = current_app.extensions["shelf"]
    assert isinstance(shelf, Shelf)
    return shelf


def is_asked(name: str) -> bool:
    """True where the query names this at all."""
    return name in request.args


def text_argument(name: str, default: str | None = "") -> str | None:
    """A text of the query."""
    return request.args.get(name, default)


def list_argument(name: str) -> list[str]:
    """The texts of the query between commas."""
    return [each for part in request.args.get(name, "").split(",") if (each := part.strip())]


def number_argument(name: str, default: int | None = 0, *, least: int = 0, most: int = 2**53) -> Any:
    """A whole number of the query within its bounds, else the default; aborts with 400 where it is none."""
    text = request.args.get(name)
    if text is None:
        return default
    try:
        value = int(text)
    except ValueError:
        abort(400, f"{name} must be a whole number, not {text[:40]!r}")
    if value < least:
        abort(400, f"{name} must be at least {least}, not {value}")
    return min(value, most)


def order_argument(name: str, default: Order) -> Order:
    """The order of children that a request asks for; aborts with 400 for any other word."""
    asked = request.args.get(name, default)
    for order in ORDERS:
        if asked == order:
            return order
    abort(
        400,
        f"{name} is {asked[:40]!r}; children come `searched`, `best`, "
        "or by `pre_score`, `visits` or `mean` first",
    )


def wait_as_requested(event: threading.Event) -> None:
    """Wait for `event` for as many seconds as the query says; a moment only, where many requests wait."""
    with seconds_to_wait() as seconds:
        if seconds:
            event.wait(seconds)


@contextmanager
def seconds_to_wait() -> Iterator[float]:
    """For how long the query wants to wait; a moment only, where many requests wait."""
    text = request.args.get("wait", "0")
    try:
        seconds = min(float(text), MOST_WAIT_SECONDS)
    except ValueError:
        seconds = math.nan
    if not seconds >= 0:
        abort(400, f"wait must be a number of seconds, 0 or more, not {text[:40]!r}")
    if seconds == 0:
        yield 0.0
        return
    has_turn = _turns.acquire(blocking=False)
    try:
        yield seconds if has_turn else SECONDS_WITHOUT_TURN
    finally:
        if has_turn:
            _turns.release()


def ids_argument(name: str, most: int = MOST_IDS) -> list[int]:
    """The ids of the query, `ids=1,2,3`; aborts with 400 where they are none or too many."""
    texts = [text for text in request.args.get(name, "").split(",") if text]
    if len(texts) > most:
        abort(400, f"at most {most} {name} in one request, not {len(texts)}")
    try:
        return [int(text) for text in texts]
    except ValueError:
        abort(400, f"{name} must be whole numbers, separated by commas")


@dataclass(frozen=True)
class FirstNodes:
    """The nodes that are sent with a log that is opened: the first `n_levels` of its principal variation."""

    n_levels: int
    limit: int
    best: int
    order: Order


def first_nodes_argument(name: str) -> FirstNodes | None:
    """The first nodes that the query asks for, None where it asks for none."""
    if not is_asked(name):
        return None
    limit = number_argument("limit", 12, most=MOST_CHILDREN)
    best = number_argument("best", most=MOST_BEST)
    return FirstNodes(number_argument(name, most=MOST_IDS), limit, best, order_argument("order", "best"))


def weights_argument(name: str) -> dict[str, float]:
    """The weights of the query, `weights=name:9,…`, names escaped; aborts with 400 where one is none."""
    found = {}
    for part in filter(None, request.args.get(name, "").split(",")):
        factor, _, text = part.rpartition(":")
        value = _number_in(text)
        if not factor or value is None:
            abort(400, f"{name} must be name:number,…, not {part[:40]!r}")
        found[unquote(factor)] = value
    return found


def float_argument(name: str, default: float) -> float:
    """A number of the query, `default` where it is not asked; aborts with 400 where it is none."""
    text = request.args.get(name)
    if text is None:
        return default
    value = _number_in(text)
    if value is None:
        abort(400, f"{name} must be a number, not {text[:40]!r}")
    return value


def _number_in(text: str) -> float | None:
    """The number in a text; None where it is none, or infinite."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def entry_of(log_id: str) -> Entry:
    """The entry of a log; aborts with 404 where there is none."""
    try:
        return shelf_of_app().entry(log_id)
    except KeyError:
        abort(404, f"there is no log {log_id!r}; the list of logs is at /api/logs")


def tree_of(log_id: str, *, afresh: bool = False) -> Tree:
    """The tree of a log; aborts with 404, with 409 while it is not read, with 400 where it has no tree."""
    try:
        refuse_games(log_id)
        return shelf_of_app().open(log_id, afresh=afresh)
    except KeyError:
        abort(404, f"there is no log {log_id!r}; the list of logs is at /api/logs")
    except NotReadyError as reason:
        body = {"error": str(reason), "status": 409, "log": reason.entry.summary()}
        abort(json_response(body, 409))


def refuse_games(log_id: str) -> None:
    """Abort with 400 where the file has the games of a match or the trials of a tuning; raises KeyError."""
    entry = shelf_of_app().entry(log_id)
    if entry.is_tuning:
        text = f"{entry.name} has the trials of a tuning and no tree; they are at /tuning/{entry.id}"
        abort(json_response({"error": text, "status": 400, "tuning": True}, 400))
    if entry.is_games:
        text = f"{entry.name} has the games of a match and no tree; its results are at /match/{entry.id}"
        abort(json_response({"error": text, "status": 400, "games": True}, 400))


def refuse_for_disk(what: str, error: OSError) -> NoReturn:
    """Abort with 507, which `abort` itself does not know: the disk is full, read-only or not ours."""
    text = f"{what}: {error.strerror or error}; make room there, or name another folder in PLYSCOPE_DATA"
    abort(json_response({"error": text, "status": 507}, 507))


def row_of(tree: Tree, node_id: int) -> int:
    """The row of a node; aborts with 404 where the log has none of that id."""
    try:
        return tree.row_of(node_id)
    except KeyError:
        abort(404, f"this log has no node {node_id}")


def row_argument(tree: Tree, name: str) -> int | None:
    """The row of a node that the query names; None where it does not."""
    return row_of(tree, number_argument(name)) if name in request.args else None


def rows_argument(tree: Tree, name: str, most: int = MOST_IDS) -> list[int]:
    """The rows of the nodes whose ids the query has."""
    return [row_of(tree, node_id) for node_id in ids_argument(name, most)]


def boards_of(tree: Tree) -> Boards:
    """The boards of a log's positions; those of the logs asked for last are kept."""
    return _boards.of(tree, make=lambda: Boards(tree.log))


def of_app(name: str, make: Callable[[], Value]) -> Value:
    """The object of this name of the application that answers, made when first asked for."""
    kept: Value = current_app.extensions.get(name) or current_app.extensions.setdefault(name, make())
    return kept
