"""The overview in the API: the same pixels as the function, what colours them, places and marks."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.analysis.overview import measure, picture


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
    monkeypatch.setattr(picture, "SECONDS_BEFORE", 0)
    before = set(picture.threads)
    client.get(url)
    assert set(picture.threads) == before
    monkeypatch.setattr(picture, "LARGE_ROWS", 6)
    client.get(url)
    (tree,) = set(picture.threads) - before
    picture.threads[tree].join()
    assert tree in measure._kept
    client.get(url)
    assert set(picture.threads) == before | {tree}
