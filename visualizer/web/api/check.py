"""The nouns of check in the API: its state and report, pages of findings, the marks of nodes."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from flask import abort

from plyscope.visualizer.analysis.columns.kernel_call import QUICK_ROWS
from plyscope.visualizer.child_process import ChildError
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.jobs.check_job import Check, Checks
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api import routes
from plyscope.visualizer.web.api.request_arguments import of_app, wait_as_requested
from plyscope.visualizer.web.api.routes import Body, flag, number, text

checks = routes.Routes("checks", __name__, url_prefix="/api/logs/<log_id>/check")

MOST_FINDINGS: Final = 200
MOST_MARKED: Final = 1000


def _checks() -> Checks:
    return of_app("checks", Checks)


@checks.get("")
def state_of_check(tree: Tree, entry: Entry) -> Body:
    """The state of the check and its report; with `wait`, sent once it is done or after so many seconds."""
    check = _checks().of(entry, tree)
    if check is not None:
        wait_as_requested(check.settled)
    return _state(tree, None if check is None or check.is_ended else check)


@checks.post("")
def start_check(tree: Tree, entry: Entry, quick: bool = flag()) -> Body | tuple[Body, int]:
    """Begin the check, unless it runs or is done; with `quick`, only where it takes less than a second.

    A log that is being written is not checked: what has not come yet would count as missing.
    """
    if entry.live is not None:
        abort(409, f"{entry.name} is still being written; it can be checked once it is whole")
    if quick and tree.log.n_rows > QUICK_ROWS:
        return _state(tree, _checks().of(entry, tree))
    return _state(tree, _checks().start(entry, tree)), 202


@checks.delete("")
def end_check(tree: Tree, entry: Entry) -> Body:
    """Cancel the check, or forget its report."""
    entry.forget_check()
    return _state(tree, None)


@checks.get("/findings")
def findings(
    tree: Tree,
    entry: Entry,
    rule: str | None = text(None),
    severity: str | None = text(None),
    text: str = text(),
    more: bool = flag(),
    offset: int = number(),
    limit: int = number(50, most=MOST_FINDINGS),
    node: int | None = routes.node(),
) -> Body:
    """One page of findings: of a rule, of a severity, of a node, with a text, or of all."""
    # Loaded with the first check, not with the page.
    from plyscope.visualizer.analysis.check.rule import SEVERITIES
    from plyscope.visualizer.analysis.check.rules import RULES

    if rule is not None and rule not in RULES:
        abort(404, f"there is no rule {rule[:40]!r}; `plyscope check --list` names them all")
    if severity is not None and severity not in SEVERITIES:
        abort(400, f"severity must be one of {', '.join(SEVERITIES)}, not {severity[:40]!r}")
    question = {"ask": "findings", "rule": rule, "severity": severity, "text": text, "more": more}
    return ask_check(entry, tree, {**question, "offset": offset, "limit": limit, "node": node})


@checks.get("/marks")
def marks(tree: Tree, entry: Entry, ids: list[int] = routes.rows(MOST_MARKED)) -> Body:
    """The marks of some nodes: their worst severity, how many findings, and how many below them."""
    return ask_check(entry, tree, {"ask": "marks", "rows": ids})


def check_of(entry: Entry, tree: Tree) -> Check:
    """The check of a log that is done; aborts with 409 where there is none."""
    check = _checks().of(entry, tree)
    if check is None or check.state != "done":
        _refuse_unchecked()
    return check


def ask_check(entry: Entry, tree: Tree, question: dict[str, Any]) -> Body:
    """The answer of a check to a question of `CheckedLog`; aborts with 409 where the log is not checked."""
    try:
        return check_of(entry, tree).ask(question)
    except ChildError:
        entry.forget_check()
        _refuse_unchecked()


def _refuse_unchecked() -> NoReturn:
    abort(409, "this log is not checked, or its report was let go; POST to its check first")


def _state(tree: Tree, check: Check | None) -> Body:
    n_rows = tree.log.n_rows
    answer: dict[str, Any] = {"state": "none", "rows": n_rows, "quick": n_rows <= QUICK_ROWS}
    if check is not None:
        answer |= {"state": check.state, "progress": round(check.progress, 3)} | check.report
        if check.state == "running":
            answer["phase"] = "checking" if check.progress > 0 else "preparing"
            if check.report:  # of all rules but the one that is asked last
                answer["phase"] = "replaying"
            answer["compiling"] = check.is_compiling
        if check.reason:
            answer["error"] = check.reason
    return answer
