"""The panel of the run: what it says of logs of every kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.page.conftest import Show
from tests.page.panels import SAMPLE, paste, write_log

PLIES = [f"{letter}{n}" for n in (1, 2, 3) for letter in "abcde"]


def chain(plies: list[str]) -> dict[str, Any]:
    """A root whose only line goes over these plies."""
    below: dict[str, Any] = {"ply": plies[-1], "score": 1, "outcome": "leaf"}
    for ply in reversed(plies[:-1]):
        below = {"ply": ply, "score": 1, "outcome": "searched", "children": [below]}
    return {"score": 1, "outcome": "searched", "children": [below]}


def test_every_ply_of_the_principal_variation_is_named_before_its_node_is_loaded(show: Show) -> None:
    page = show({"plyscope": 1, "root": chain(PLIES)})
    steps = page.get_by_role("region", name="The run").locator(".steps")
    assert steps.get_by_role("button").all_inner_texts() == PLIES


def test_the_levels_of_a_forest_are_said_to_be_of_all_its_trees(show: Show) -> None:
    roots = [{"iteration": n, **chain(PLIES[:n])} for n in (1, 2, 3)]
    page = show({"plyscope": 1, "roots": roots})
    run = page.get_by_role("region", name="The run")
    assert run.get_by_role("table", name="Nodes on each level of all trees").count() == 1
    assert run.get_by_role("heading", name="Nodes per level, all 3 trees").count() == 1


def test_a_foreign_tree_is_not_said_to_have_pruned_nothing(show: Show) -> None:
    page = show(SAMPLE)
    labels = page.get_by_role("region", name="The run").locator("dt")
    assert "siblings pruned" in labels.all_inner_texts()
    paste(page, '{"move": "start", "value": 4, "nextMove": [{"move": "a", "value": 4, "nextMove": []}]}')
    assert "nodes" in labels.all_inner_texts()
    assert not {"siblings pruned", "limited", "prune events"} & set(labels.all_inner_texts())


def test_the_page_opens_on_the_root_that_the_result_names_else_the_last_finished(
    show: Show, tmp_path: Path
) -> None:
    roots = [
        {"iteration": 1, "layer": "max", "score": 9, "bound": "lower"},
        {"iteration": 1, "layer": "max", "score": 20, "bound": "upper"},
        {"iteration": 2, "layer": "max", "outcome": "stopped"},
    ]
    for result, score in (({"ply": "a", "root": 0}, "+9"), ({}, "+20")):
        log = write_log(tmp_path, {"plyscope": 1, "roots": roots, "result": result})
        page = show(log)
        assert score in str(page.locator('#tree [aria-selected="true"]').get_attribute("aria-label"))
