"""`plyscope query`, `plyscope.query` and the API: the same rows on a terminal, as JSON, CSV and Parquet."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from click.testing import CliRunner, Result

import plyscope
from plyscope.visualizer.cli.main import plyscope as command
from plyscope.visualizer.web.app import create_app

TREE: dict[str, Any] = {
    "plyscope": 1,
    "players": ["white", "black"],
    "factors": [{"name": "mobility", "weight": 2.0}, {"name": "a,\"b'", "weight": None}],
    "root": {
        **{"layer": "max", "player": "white", "score": 4, "bound": "exact", "outcome": "searched"},
        "key": "00000000000000aa",
        "children": [
            {
                **{"ply": "c6", "layer": "min", "player": "black", "score": 4, "bound": "lower", "depth": 1},
                **{"outcome": "cutoff", "key": "00000000000000bb", "factors": [3, -1.5]},
                "children": [
                    {"ply": 'd6, "it\'s"\n<b>', "score": "inf", "outcome": "leaf", "quiescence": True},
                    {"ply": "e6", "score": "nan", "outcome": "leaf", "key": "00000000000000bb"},
                    {"outcome": "pruned", "count": 3, "plies": ["a", "b", "c"]},
                ],
            },
            {"ply": "c6", "layer": "min", "score": -2, "bound": "upper", "depth": 0.5, "moves": 9},
        ],
    },
}
"""Rows: 0 root, 1 and 5 the visits of c6, 2 d6, 3 e6, 4 a stub."""
COLUMNS = ["score", "bound", "outcome", "depth", "moves", "quiescence", "player", "key", "ply", "count"]
COLUMNS += ["factors.mobility", "contributions.mobility", "parent.score", "nodes_below", "is_stub"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(TREE))
    return path


def asked(*arguments: object) -> Result:
    return CliRunner().invoke(command, ["query", *map(str, arguments)], catch_exceptions=False)


def test_no_hit_is_said_and_is_no_failure(path: Path) -> None:
    result = asked(path, "score > 1000 and score < inf")
    told = (
        "plyscope: no node of 6; it is unknown at 2, false at the others\n"
        "plyscope: without score < inf there is 1 hit: score > 1000\n"
    )
    assert (result.output, result.exit_code) == (told + "0 hits\n", 0)


def test_texts_of_a_log_move_no_cursor(path: Path) -> None:
    assert "\\n<b>" in asked(path, "level = 2", "--columns", "ply").output


def test_a_field_that_no_node_states_is_told_on_standard_error(path: Path) -> None:
    result = asked(path, "seconds > 1")
    assert result.stdout == "0 hits\n"
    assert "no node of this log states `seconds`" in result.stderr
    assert json.loads(asked(path, "seconds > 1", "--json").stdout)["notices"]


def test_json_csv_and_parquet_have_the_same_cells(path: Path, tmp_path: Path) -> None:
    options = ["level >= 0", "--columns", ",".join(COLUMNS)]
    rows = json.loads(asked(path, *options, "--json").output)["rows"]
    printed = asked(path, *options, "--csv").stdout_bytes.decode()
    asked(path, *options, "-o", tmp_path / "it's.csv")
    assert (tmp_path / "it's.csv").read_text() == printed
    asked(path, *options, "-o", tmp_path / "rows.parquet")
    found = duckdb.connect().execute(f"SELECT * FROM '{tmp_path / 'rows.parquet'}'")
    names = [each[0] for each in found.description]
    kept = [dict(zip(names, values, strict=True)) for values in found.fetchall()]
    in_csv = list(csv.DictReader(io.StringIO(printed)))
    assert names == ["id", "path", *COLUMNS] == list(in_csv[0])
    for row, stored, written in zip(rows, kept, in_csv, strict=True):
        for name in names:
            value = row[name]
            if value in ("inf", "nan"):
                assert repr(stored[name]) == value == written[name]
            else:
                assert stored[name] == value
                assert written[name] == ("" if value is None else _in_csv(value))


def _in_csv(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_factors_may_differ_in_the_case_of_a_letter(tmp_path: Path) -> None:
    tree = {"plyscope": 1, "factors": [{"name": "A"}, {"name": "a"}], "root": {"factors": [1, 2]}}
    path = tmp_path / "two.json"
    path.write_text(json.dumps(tree))
    hits = plyscope.query(path, "factors.A < factors.a", columns=["factors.A", "factors.a"])
    assert hits.as_json()["rows"] == [{"id": 0, "path": "root", "factors.A": 1.0, "factors.a": 2.0}]
    with pytest.raises(plyscope.QueryError, match="differ in the case of letters only"):
        hits.write(tmp_path / "two.csv")


def test_script_command_and_api_give_the_same_answer(path: Path, tmp_path: Path) -> None:
    expression, sort = "score >= -2 or is_stub", "abs(score)"
    names = ["score", "outcome", "parent.layer"]
    hits = plyscope.query(path, expression, columns=names, sort=sort, descending=True)
    told = json.loads(
        asked(path, expression, "--columns", ",".join(names), "--sort", sort, "--desc", "--json").output
    )
    folders = {"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"}
    client = create_app({"TESTING": True, "LOGS": [path], **folders}).test_client()
    log = client.get("/api/logs").get_json()["logs"][0]["id"]
    question = {"q": expression, "columns": ",".join(names), "sort": sort, "desc": "1"}
    served = client.get(f"/api/logs/{log}/query", query_string=question).get_json()
    assert served.pop("offset") == 0
    assert hits.as_json() == told == served
    assert [node.id for node in hits] == [row["id"] for row in told["rows"]]


def test_hits_are_nodes_with_columns(path: Path) -> None:
    log = plyscope.open(path)
    hits = plyscope.query(log, "ply = 'c6'", columns=["depth", "moves", "outcome"], limit=5)
    assert (hits.total, repr(hits), hits.rows.tolist()) == (2, "<Hits: 2 nodes>", [1, 5])
    assert [node.path for node in hits] == [node.path for node in hits.nodes] == ["c6#1", "c6#2"]
    columns = hits.columns()
    assert columns["depth"].tolist() == [1.0, 0.5]
    assert columns["moves"].tolist() == [None, 9]
    assert columns["outcome"].tolist() == ["cutoff", None]
    assert columns["moves"].dtype == np.int64
    assert repr(plyscope.query(log, "level >= 0", limit=2)) == "<Hits: 6 nodes, 2 of them here>"


def test_a_script_is_told_what_is_no_limit_and_what_are_no_columns(path: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="limit is -1; expected a number from 0"):
        plyscope.query(path, "level > 0", limit=-1)
    with pytest.raises(TypeError, match=r"columns=\['score'\]"):
        plyscope.query(path, "level > 0", columns="score")
    target = tmp_path / "rows.csv"
    target.write_text("before")
    with pytest.raises(plyscope.QueryError, match="columns: no field `scor`; did you mean `score`"):
        plyscope.query(path, "level > 0", columns=["scor"]).write(target)
    assert target.read_text() == "before"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mine.json", "rows.csv"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "logs"
    made.mkdir()
    for name, score in (("a", 4), ("b", 5)):
        tree = {"score": score, "bound": "lower", "children": [{"ply": "c6", "score": 2 * score}]}
        plyscope.convert(json.dumps({"plyscope": 1, "root": tree}), made / f"{name}.parquet")
    return made


def test_a_folder_a_pattern_and_several_files_are_asked_as_one(folder: Path) -> None:
    expression = "score > 4"
    expected = plyscope.query_files(folder, expression).as_json()
    assert expected["total"] == 3
    files = sorted(folder.iterdir())
    for given in ([folder], [folder / "*.parquet"], files):
        assert json.loads(asked(*given, expression, "--json").stdout) == expected
    shown = asked(folder, expression).stdout.splitlines()
    assert shown[0] == "3 hits in 2 files"
    assert [line.split()[:2] for line in shown[2:]] == [["id", "score"], ["1", "8"], ["0", "≥"], ["1", "10"]]
    table = asked(folder, expression, "--csv", "--columns", "score").stdout.splitlines()
    assert table == [
        "file,id,path,score",
        f"{files[0]},1,c6,8.0",
        f"{files[1]},0,root,5.0",
        f"{files[1]},1,c6,10.0",
    ]


def test_what_many_files_do_not_take_is_said(folder: Path) -> None:
    refused = CliRunner().invoke(command, ["query", str(folder), "score > 4", "--map", "score=value"])
    assert "--map is for one log" in refused.output
    assert "does not exist" in CliRunner().invoke(command, ["query", "x.json", "score > 4"]).output
