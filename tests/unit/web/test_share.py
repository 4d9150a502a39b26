"""The contents of a page that is one file, and what is said of them before."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

import plyscope
from plyscope.visualizer.cli.main import plyscope as command
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.share import share_job
from plyscope.visualizer.web.share.answers import choose
from tests.unit.logs import log_of, there
from tests.unit.web.conftest import refusal

EXAMPLES = Path(__file__).parents[3] / "examples"


def held_in(page: bytes) -> dict[str, Any]:
    found = there(re.search(rb'id="embedded">([^<]+)<', page))
    held: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return held


def made(client: FlaskClient, url: str) -> bytes:
    """The page of a log, begun and waited for."""
    assert client.post(f"{url}/share").status_code == 202
    while (state := client.get(f"{url}/share?wait=10").get_json()["state"]) == "running":
        pass
    assert state == "done"
    return client.get(f"{url}/share.html").data


def test_nodes_are_chosen_with_all_above_them_and_no_more_than_asked() -> None:
    """Of a root with a wide family below its first ply, a deep line below its second, and a leaf."""
    wide = {"ply": "w", "children": [{"ply": f"w{at}", "score": at} for at in range(50)]}
    line: dict[str, Any] = {"ply": "d9", "score": 1}
    for level in range(8, 0, -1):
        line = {"ply": f"d{level}", "children": [line]}
    tree = Tree(log_of({"children": [wide, line, {"ply": "l"}]}))
    for most in (4, 10, 20, 40, 62, 63, 1000):
        d9 = tree.log.n_rows - 2  # for which, and all above it, there is not always room
        rows, important = choose(tree, [tree.main_root, d9], most, tree.main_root)
        assert len(rows) == len(important) == len(set(important)) <= most
        parents = tree.log.columns["parent"]
        assert {int(parents[row]) for row in rows} <= {-1, *rows.tolist()}
        assert (len(rows) == tree.log.n_rows) == (most >= tree.log.n_rows)

    def chosen(most: int, *, first: int = 0, below: int = 0) -> list[str | None]:
        return [tree.ply(row) for row in choose(tree, [first], most, below)[0].tolist()]

    plies = chosen(20)  # a family without room is left out whole, and smaller ones come
    assert ({"w", "d9", "l"} <= {*plies}, "w0" in plies) == (True, False)
    plies = chosen(20, first=1, below=1)  # the best children of an important node come where not all do
    assert (plies[:2], len(plies), len({*plies})) == ([None, "w"], 20, 20)
    deep = tree.children(tree.main_root).tolist()[1]  # a part of the tree comes with the way to it
    assert chosen(1000, below=deep) == [None, *(f"d{level}" for level in range(1, 10))]


def test_the_page_is_smaller_than_its_limit_by_fewer_details(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = made(client, url)
    assert len(held_in(whole)["details"]) == 7
    page = whole.decode()  # of which only its own script runs
    script = there(re.search(r'<script type="module">(.*)</script>', page, re.DOTALL))
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in page
    assert "</script" not in script[1]
    assert not re.search(r'(src|href)="(?!data:|#)', re.sub(r"<script.*</script>", "", page, flags=re.DOTALL))
    monkeypatch.setattr(share_job, "MOST_BYTES", len(whole) - 1)
    less = made(client, url)
    assert len(less) < len(whole)
    assert 0 < len(held_in(less)["details"]) < 7


def test_what_is_inside_is_told_before(client: FlaskClient, url: str) -> None:
    client.put(f"{url}/notes", json={"id": 5, "text": "mine"})
    assert client.get(f"{url}/share").get_json() == {"state": "none"}
    assert client.get(f"{url}/share.html").status_code == 409
    made(client, url)
    says = client.get(f"{url}/share").get_json()["says"]
    assert says[0] == "6 of 6 nodes, 6 of them with their board and line."
    assert "The name of the log: small.json." in says
    assert "The names of the players: white, black." in says
    assert says[-1] == "1 note."
    # Labels that are none are refused.
    wrong = ('{"max": "ply"}', '{"max": ["ply"]}', '{"max": ["ply", 1]}', '{"best": ["ply", "score"]}')
    for labels in ("{", "[]", *wrong):
        status, said = refusal(client.post(f"{url}/share", query_string={"labels": labels}))
        assert (status, "two or three fields of a layer" in said) == (400, True), labels


def test_the_command_tells_and_writes(
    small: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYSCOPE_DATA", str(tmp_path / "data"))
    log, page = tmp_path / "a.json", tmp_path / "a.html"
    log.write_text(json.dumps(small))
    done = CliRunner().invoke(command, ["share", str(log), "-o", str(page), "--node", "b"])
    assert done.exit_code == 0, done.output
    assert "The names of the players: white, black." in done.output
    assert "Only the part of the tree that was asked for is inside, with the way there." in done.output
    held = held_in(page.read_bytes())
    assert [node.get("ply") for node in held["nodes"]] == [None, "b", "e", None]
    lost = CliRunner().invoke(command, ["share", str(log), "-o", str(page), "--node", "z"])
    assert "no 'z' below the root" in lost.output


def test_what_is_left_out_is_told_with_the_reason() -> None:
    deepening = plyscope.share(EXAMPLES / "connect-four-deepening.jsonl.gz", progress=False).says
    assert deepening[0].startswith("651 of 1,224 nodes")
    assert deepening[1] == (
        "The tree that the page opens is inside; of the other 8 trees (iterations, searches) only the roots."
    )
    faulty = plyscope.share(EXAMPLES / "bugs" / "bug-lost-alpha.json", progress=False)
    assert "240 of 414 findings of the check, the first of each rule." in faulty.says
    report = held_in(faulty.html)["report"]  # counts what can be stepped over
    assert report["in_log"] == 414
    assert sum(group["count"] for group in report["groups"]) == sum(report["counts"].values()) == 240
    few = plyscope.share(EXAMPLES / "chess-three-plies.json.gz", nodes=100, progress=False).says
    assert few[1] == "The most important nodes come first, up to the number that a file has room for."


def test_a_log_of_a_script_is_shared_too(small: dict[str, Any], tmp_path: Path) -> None:
    log = plyscope.open(json.dumps(small))
    page = plyscope.share(log, node=log.node("a"), progress=False)
    assert [node.get("ply") for node in held_in(page.html)["nodes"]] == [None, "a", "c", "d"]
    with pytest.raises(ValueError, match="expected 1 to 100,000"):
        plyscope.share(log, nodes=0)
