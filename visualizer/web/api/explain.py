"""The nouns of explain in the API: why one ply and not another, and a ply of the two searched exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import abort, request

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api.request_arguments import (
    of_app,
    row_argument,
    shelf_of_app,
    wait_as_requested,
)
from plyscope.visualizer.web.api.routes import Body, Routes

if TYPE_CHECKING:  # loaded with the first question, not with the page
    from plyscope.visualizer.analysis.explain.answer import Explained
    from plyscope.visualizer.analysis.explain.exact_question import InexactPly
    from plyscope.visualizer.shelf.jobs.exact_search import ExactSearch, ExactSearches, Key

explain = Routes("explain", __name__, url_prefix="/api/logs/<log_id>/explain")

LONGEST_NAME: Final = 60


@explain.get("")
def why(tree: Tree) -> Body:
    """The explanation of the ply of `node` against that of `versus`; both are optional (see docs/api.md)."""
    return _explained(tree).as_json()


@explain.get("/exact")
def state_of_search(tree: Tree) -> Body:
    """The state of the exact search of a ply of the pair; with `wait`, sent once it is done or has failed."""
    found, asked = _asked(tree)
    search = _searches().of(tree, _key(found, asked))
    if search is not None:
        wait_as_requested(search.settled)
    return _state(found, asked, search)


@explain.post("/exact", unless="the search could not begin")
def start_search(tree: Tree) -> tuple[Body, int]:
    """Search the ply `which` of the pair exactly, unless that is under way or done."""
    from plyscope.visualizer.shelf.jobs.exact_search import MOST_RUNNING, TooManyError

    found, asked = _asked(tree)
    if asked.question is None:
        abort(409, f"{asked.ply or 'this ply'} cannot be searched exactly: {asked.reason}")
    try:
        search = _searches().start(tree, _key(found, asked), asked.question)
    except TooManyError:
        abort(409, f"{MOST_RUNNING} exact searches are under way; cancel one, or wait for it")
    return _state(found, asked, search), 202


@explain.delete("/exact")
def stop_search(tree: Tree) -> Body:
    """Cancel an exact search, or forget its result."""
    found, asked = _asked(tree)
    _searches().stop(tree, _key(found, asked))
    return _state(found, asked, None)


@explain.post("/exact/log", unless="the log could not be kept")
def keep_search(tree: Tree) -> tuple[Body, int]:
    """Keep the exact search of a ply as a log of its own, as if it had been pasted."""
    found, asked = _asked(tree)
    search = _searches().of(tree, _key(found, asked))
    if search is None or search.worth is None:
        abort(409, "this ply was not searched exactly, or its search was let go; POST to its search first")
    name = f"{search.question.game} after {asked.ply}"[:LONGEST_NAME]
    try:
        entry = shelf_of_app().paste(search.log_path.read_bytes(), name)
    except LogError as error:
        abort(413, str(error))
    return entry.summary(), 201


def _explained(tree: Tree) -> Explained:
    from plyscope.visualizer.analysis.explain.answer import explain as explained
    from plyscope.visualizer.analysis.explain.named_plies import stub_with
    from plyscope.visualizer.analysis.explain.pair import Named

    chosen, rival = row_argument(tree, "node"), row_argument(tree, "versus")
    ply = request.args.get("ply")
    if ply is not None:
        parent = -1 if rival is None else int(tree.log.columns["parent"][rival])
        if rival is None or not tree.is_stub[rival] or stub_with(tree, parent, ply) != rival:
            abort(404, f"versus names no stub that stands for the ply {ply[:40]!r}")
    one = None if chosen is None else Named(chosen)
    two = None if rival is None else Named(rival, ply)
    return explained(tree, one, two)


def _asked(tree: Tree) -> tuple[Explained, InexactPly]:
    """The pair of the query, and its ply `which`; aborts where there is nothing to search."""
    which = request.args.get("which", "rival")
    if which not in ("chosen", "rival"):
        abort(400, f"which must be chosen or rival, not {which[:40]!r}")
    found = _explained(tree)
    asked = next((each for each in found.inexact_plies if each.which == which), None)
    if asked is None:
        abort(409, f"the {which} ply needs no search: its worth is exact, or there is none")
    return found, asked


def _key(found: Explained, asked: InexactPly) -> Key:
    assert found.pair is not None
    return found.pair.parent, asked.ply or ""


def _searches() -> ExactSearches:
    """The searches of the application, whose code is loaded with the first question about one."""
    from plyscope.visualizer.shelf.jobs.exact_search import ExactSearches

    return of_app("exact_searches", ExactSearches)


def _state(found: Explained, asked: InexactPly, search: ExactSearch | None) -> Body:
    from plyscope.visualizer.analysis.explain.exact_question import OTHER
    from plyscope.visualizer.analysis.explain.exact_sentence import exact_sentences
    from plyscope.visualizer.analysis.nodes.node_json import number

    answer: dict[str, Any] = {"state": "none"} if search is None else search.as_json()
    if search is not None and search.worth is not None:
        assert found.pair is not None
        beside = next((each for each in found.inexact_plies if each.which == OTHER[asked.which]), None)
        other = None if beside is None else _searches().of(found.tree, _key(found, beside))
        worth = None if other is None else other.worth
        said = exact_sentences(found.tree, found.pair, found.sides, asked, search.worth, worth)
        answer |= {
            "score": number(search.worth.score),
            "depth": search.worth.depth,
            "sentences": [str(each) for each in said],
            "parts": [each.as_json(found.tree) for each in said],
        }
    return answer
