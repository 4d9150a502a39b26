"""The overview in the API: the same pixels as the function, what colours them, places and marks."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.analysis.overview import measure, ready


def pixels(found: dict[str, Any]) -> list[list[tuple[int | None, int]]]:
    """By band the id and the number of nodes of each pixel."""
    bands = []
    for band in found["bands"]:
        runs = zip(band[::3], band[1::3], band[2::3], strict=True)
        bands.append([(None if at < 0 else found["ids"][at], n) for size, at, n in runs for _ in range(size)])
    return bands


def test_a_log_is_an_icicle_of_its_nodes(client: FlaskClient, url: str) -> None:
    found = client.get(f"{url}/overview?width=12&bands=8").get_json()
    about = {name: found[name] for name in ("first", "last", "nodes", "top", "per_band", "bottom", "width")}
    assert about == {"first": 0, "last": 6, "nodes": 6, "top": 0, "per_band": 1, "bottom": 2, "width": 12}
    assert (found["form"], found["unit"], found["length"]) == ("icicle", "nodes", 6)
    assert found["plies"] == [None, "a", "c", "d", "b", "e"]
    root, a, c, d, b, e = (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)
    none = (None, 0)
    assert pixels(found) == [
        [root] * 12,
        [none] * 2 + [a] * 6 + [b] * 4,
        [none] * 4 + [c] * 2 + [d] * 2 + [none] * 2 + [e] * 2,
    ]
    assert dict(zip(found["ids"], found["layers"], strict=True)) == {
        0: "max", 1: "min", 2: "max", 3: "max", 4: "min", 5: "max"
    }  # fmt: skip


def test_a_part_begins_at_the_deepest_node_that_covers_it(client: FlaskClient, url: str) -> None:
    found = client.get(f"{url}/overview?width=4&first=4&last=6").get_json()
    assert (found["top"], pixels(found)) == (1, [[(4, 1)] * 4, [(None, 0)] * 2 + [(5, 1)] * 2])
    few = client.get(f"{url}/overview?width=2&bands=1").get_json()
    assert (few["per_band"], pixels(few)) == (3, [[(0, 3), (0, 5)]])


def test_nodes_are_coloured_as_the_tree_is(client: FlaskClient, url: str) -> None:
    def asked(colour: str) -> dict[str, Any]:
        return client.get(f"{url}/overview", query_string={"width": 12, "colour": colour}).get_json()

    assert asked("outcome")["outcomes"] == ["searched", "searched", "leaf", "leaf", "cutoff", "leaf"]
    scores = asked("score")
    assert (scores["scores"], scores["bounds"][4]) == ([4, 4, 4, 7, 2, 2], "upper")
    by_field = asked("abs(score - 4)")
    assert (by_field["scale"]["kind"], by_field["values"]) == ("number", [0, 0, 0, 3, 2, 2])
    by_word = asked("ply")
    assert by_word["values"] == [None, "a", "c", "d", "b", "e"]
    assert sorted(place for place in by_word["places"] if place is not None) == [0, 1, 2, 3, 4]


def test_places_are_numbers_in_the_order_searched(client: FlaskClient, url: str) -> None:
    found = client.get(f"{url}/overview/places?ids=0,4,6").get_json()
    places = {"0": [0, 6, 0], "4": [4, 6, 1], "6": [6, 6, 2]}
    assert found == {"nodes": 6, "length": 6, "places": places}
    levels = client.get(f"{url}/overview/places?ids=0,4,5&form=levels").get_json()
    assert levels["places"] == {"0": [0, 6, 0], "4": [3, 6, 1], "5": [4, 6, 2]}


def test_levels_give_each_node_of_a_level_an_equal_share(client: FlaskClient, url: str) -> None:
    found = client.get(f"{url}/overview?width=6&bands=8&form=levels").get_json()
    assert (found["form"], found["unit"], found["length"]) == ("levels", "nodes", 6)
    assert pixels(found) == [
        [(0, 1)] * 6,
        [(1, 1)] * 3 + [(4, 1)] * 3,
        [(2, 1)] * 2 + [(3, 1)] * 2 + [(5, 1)] * 2,
    ]
    marked = client.get(f"{url}/overview/marks?width=6&form=levels&q=layer%3D'max'").get_json()
    assert marked == {"lanes": {"hits": [[0, 2, 0], [2, 1, 3], [4, 1, 5]]}}


def test_hits_are_marked_where_their_nodes_begin(client: FlaskClient, url: str) -> None:
    found = client.get(f"{url}/overview/marks?width=6&q=layer%3D'max'").get_json()
    assert found == {"lanes": {"hits": [[0, 1, 0], [2, 1, 2], [3, 1, 3], [5, 1, 5]]}}
    part = client.get(f"{url}/overview/marks?width=1&first=2&last=6&q=layer%3D'max'").get_json()
    assert part == {"lanes": {"hits": [[0, 3, 2]]}}


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("?first=6", 400, "there are 6 nodes, and none from 6 to 6"),
        ("?first=3&last=3", 400, "none from 3 to 3"),
        ("?form=tree", 400, "`form` must be icicle or levels, not 'tree'"),
        ("?width=0", 400, "width must be at least 1, not 0"),
        ("?colour=weihgt", 400, "weihgt"),
        ("/marks?of=stops", 400, "`of` must be hits or findings, not 'stops'"),
        ("/marks?q=score+%3C", 400, "found the end"),
        ("/marks?of=findings", 409, "check"),
        ("/places?ids=77", 404, "77"),
    ],
)
def test_what_is_not_there_is_refused_in_words(
    client: FlaskClient, url: str, query: str, status: int, says: str
) -> None:
    answer = client.get(f"{url}/overview{query}")
    assert answer.status_code == status
    assert says in answer.get_json()["error"]


def test_a_large_log_that_is_opened_gets_its_overview_ready(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "SECONDS_BEFORE", 0)
    before = set(ready.threads)
    client.get(url)
    assert set(ready.threads) == before
    monkeypatch.setattr(ready, "LARGE_ROWS", 6)
    client.get(url)
    (tree,) = set(ready.threads) - before
    ready.threads[tree].join()
    assert tree in measure._kept
    client.get(url)
    assert set(ready.threads) == before | {tree}
