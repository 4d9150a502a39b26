"""The panel of the run: what it says of logs of every kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.page.conftest import Server, visit
from tests.page.panels import write_log

PLIES = [f"{letter}{n}" for n in (1, 2, 3) for letter in "abcde"]


def chain(plies: list[str]) -> dict[str, Any]:
    """A root whose only line goes over these plies."""
    below: dict[str, Any] = {"ply": plies[-1], "score": 1, "outcome": "leaf"}
    for ply in reversed(plies[:-1]):
        below = {"ply": ply, "score": 1, "outcome": "searched", "children": [below]}
    return {"score": 1, "outcome": "searched", "children": [below]}


def test_every_ply_of_the_principal_variation_is_named_before_its_node_is_loaded(
    new_page: Callable[..., Any], serve: Callable[..., Server], tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write_log(tmp_path, {"plyscope": 1, "root": chain(PLIES)})))
    steps = page.get_by_role("region", name="The run").locator(".steps")
    assert steps.get_by_role("button").all_inner_texts() == PLIES
