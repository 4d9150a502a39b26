"""Many Parquet files asked as one: what each file by itself answers, with its name."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

import plyscope
from plyscope.log import Log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.parquet import data_set, opened_file

C6 = {"id": 3, "ply": "c6", "score": 9, "factors": [4]}
NODE = {"layer": "max", "score": 4, "bound": "lower", "depth": 2, "moves": 3, "my own": 1.5}
TREES: dict[str, dict[str, Any]] = {
    "a": {
        "factors": ["mobility", {"name": "corners", "weight": 2}],
        "root": {
            **NODE,
            "factors": [1, 2],
            "children": [
                {"ply": "c6", "score": -3, "factors": [3, None], "tt": {"use": "cut", "depth": 5, "from": 0}},
                {"ply": "d6", "score": "nan", "key": "00c0ffee00c0ffee"},
                {"outcome": "pruned", "plies": ["e6"], "count": 1},
            ],
        },
    },
    "b": {
        "factors": [{"name": "corners", "weight": 3}],
        "roots": [
            NODE | {"iteration": 1, "id": 7, "children": [C6]},
            {"iteration": 2, "id": 5, "score": "inf", "players": 3, "my own": "text"},
        ],
    },
    "c": {"players": ["x", "y"], "root": {"player": "y", "score": 1, "contributions": {"corners": 7}}},
    "d": {"root": {"score": 1, "children": [{"ply": f"p{n}", "score": n} for n in range(20)]}},
    "e": {"root": {"score": 2, "children": [{"ply": f"p{n}", "score": -n} for n in range(20)]}},
}
ASKED = [
    "score < 0 or isnan(score)",
    "outcome = 'pruned' and is_stub",
    "contributions.corners >= 4",
    '"my own" is not null',
    "level = 1 and parent.score = 4",
    "root.score > score",
    "tt.from = 0",
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A file of each tree, made once and left as it is."""
    made, folder = [], tmp_path_factory.mktemp("trees")
    for name, tree in TREES.items():
        path = folder / f"{name}.parquet"
        plyscope.convert(json.dumps({"plyscope": 1, **tree}), path)
        made.append(path)
    return made


@pytest.fixture
def files(kept: list[Path], tmp_path: Path) -> list[Path]:
    """The same files in the folder of the test."""
    return [Path(shutil.copy(path, tmp_path)) for path in kept]


@cache
def opened(path: Path) -> Log:
    return plyscope.open(path)


def by_itself(files: Sequence[Path], expression: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    """The rows that each file answers, one after the other; none for a file that lacks a name."""
    rows = []
    for path in files:
        try:
            found = plyscope.query(opened(path), expression, columns=columns).as_json()["rows"]
        except plyscope.QueryError:
            continue
        rows += [{"file": str(path), **row} for row in found]
    return rows


@pytest.mark.parametrize("expression", ASKED)
def test_all_files_answer_what_each_answers_by_itself(
    kept: list[Path], monkeypatch: pytest.MonkeyPatch, expression: str
) -> None:
    columns = ["score", "ply", "bound"]
    expected = by_itself(kept, expression, columns)
    for most_rows in (data_set.MOST_ROWS, 1):
        monkeypatch.setattr(data_set, "MOST_ROWS", most_rows)
        monkeypatch.setattr(opened_file, "KEPT_ROWS", most_rows)
        answer = plyscope.query_files(kept, expression, columns=columns).as_json()
        assert answer["rows"] == expected, most_rows
        assert (answer["total"], answer["files"]) == (len(answer["rows"]), 5)


def test_rows_in_another_order_are_asked_as_they_stand_in_their_tree(tmp_path: Path) -> None:
    values = "(2, 1, 'b', 3), (1, NULL, NULL, 4), (3, 2, 'c', 5)"
    rows = f"SELECT * FROM (VALUES {values}) AS t(id, parent, ply, score)"
    duckdb.execute(f"COPY ({rows}) TO '{tmp_path}/a.parquet' (FORMAT parquet)")
    hits = plyscope.query_files(tmp_path, "score > 0", columns=["level"])
    assert [(row["id"], row["path"], row["level"]) for row in hits.as_json()["rows"]] == [
        (2, "b", 1),
        (1, "root", 0),
        (3, "b > c", 2),
    ]


@pytest.mark.parametrize(("sort", "descending"), [("abs(score)", True), ("depth", False)])
def test_hits_are_sorted_over_all_files(kept: list[Path], sort: str, descending: bool) -> None:
    asked: Any = {"columns": ["score"], "sort": sort, "descending": descending}
    hits = plyscope.query_files(kept, "score < 1000", **asked)
    sizes = [abs(row["score"]) for row in hits.as_json()["rows"]]
    assert len(sizes) == hits.total == 47
    assert sort == "depth" or sizes == sorted(sizes, reverse=descending)
    few = plyscope.query_files(kept, "score < 1000", limit=5, **asked)
    assert few.as_json()["rows"] == hits.as_json()["rows"][:5]
    assert (len(few), few.total) == (5, 47)


def test_the_table_is_written_and_reads_back(files: list[Path], tmp_path: Path) -> None:
    hits = plyscope.query_files(files, "ply = 'c6' or isnan(score)", columns=["score", "depth", "my own"])
    hits.write(tmp_path / "hits.csv")
    assert (tmp_path / "hits.csv").read_text().splitlines()[1:] == [
        f"{files[0]},1,c6,-3.0,,",
        f"{files[0]},2,d6,nan,,",
        f"{files[1]},3,c6,9.0,,",
    ]
    hits.write(tmp_path / "hits.parquet")
    found = duckdb.sql(f"SELECT file, id FROM '{tmp_path}/hits.parquet'").fetchall()
    assert found == [(str(files[0]), 1), (str(files[0]), 2), (str(files[1]), 3)]


def test_what_no_file_states_and_what_some_lack_is_told(files: list[Path]) -> None:
    assert plyscope.query_files(files, "ucb.n > 1").notices == (
        "no node of these logs states `ucb.n`, so it is unknown everywhere",
        "no node of 50 in 5 files",
    )
    hits = plyscope.query_files(files, "factors.mobility > 0")
    assert hits.total == 2
    assert hits.notices[0].startswith(
        "4 of 5 files were passed over, the first since: this log has no factor"
    )
    with pytest.raises(plyscope.QueryError, match="no field `outcom`; did you mean `outcome`"):
        plyscope.query_files(files, "outcom = 'leaf'")
    with pytest.raises(plyscope.QueryError, match="sort: "):
        plyscope.query_files(files, "score > 1", sort="scor")


def test_a_file_that_cannot_be_asked_is_named(files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "z.parquet").write_bytes(files[0].read_bytes()[:-9] + b"PAR1")
    with pytest.raises(LogError, match=r"z\.parquet: this Parquet file is damaged"):
        plyscope.query_files(tmp_path, "score > 1")
    (tmp_path / "z.parquet").write_text('{"plyscope": 1, "root": {}}')
    with pytest.raises(LogError, match=r"z\.parquet: this is no Parquet file, and only those"):
        plyscope.query_files(str(tmp_path / "*.parquet"), "score > 1")
    duckdb.execute(f"COPY (SELECT 1 AS a) TO '{tmp_path}/z.parquet' (FORMAT parquet)")
    with pytest.raises(LogError, match="this Parquet file is no log: its columns are a"):
        plyscope.query_files(tmp_path / "z.parquet", "score > 1")
    with pytest.raises(LogError, match=r"z\.parquet: this Parquet file is no log: its columns are a"):
        plyscope.query_files(tmp_path, "score > 1 and level > 0")
    duckdb.execute(f"COPY (SELECT 0 AS id, 9 AS parent) TO '{tmp_path}/z.parquet' (FORMAT parquet)")
    rows = "SELECT 0 AS id, NULL AS parent, 1 AS score"
    duckdb.execute(f"COPY ({rows}) TO '{tmp_path}/y.parquet' (FORMAT parquet)")
    with pytest.raises(LogError, match=r"z\.parquet: row 0, parent: the parent 9 never comes"):
        plyscope.query_files(tmp_path, "score > 1")
    (tmp_path / "empty").mkdir()
    with pytest.raises(LogError, match=r"no \.parquet file in this folder"):
        plyscope.query_files(tmp_path / "empty", "score > 1")


def other_words(path: Path, *rows: str) -> Path:
    """A table with columns of another program; each row is its id, the id above, the move and the value."""
    values = f"(VALUES {', '.join(f'({row})' for row in rows)}) AS t(node_id, parent_id, move, value)"
    duckdb.sql(f"SELECT * FROM {values}").write_parquet(str(path))
    return path


def test_files_in_other_words_answer_as_they_do_by_themselves(tmp_path: Path, files: list[Path]) -> None:
    """The rows of the first do not stand in the order of its tree."""
    others = [
        other_words(tmp_path / "x.parquet", "2, 1, 'd6', 1.5", "0, NULL, NULL, 4.0", "1, 0, 'c6', 4.0"),
        other_words(tmp_path / "y.parquet", "0, NULL, NULL, 7.0", "1, 0, 'e6', 7.0", "2, 0, 'f6', -2.0"),
    ]
    mixed = [files[0], others[0], files[3], others[1]]
    for asked in ("score > 3", "level = 1", "ply = 'd6' or score < 0", "parent.score = 4 and not is_stub"):
        hits = plyscope.query_files(mixed, asked).columns()
        expected = []
        for path in mixed:
            one = plyscope.query(opened(path), asked).columns()
            expected += [(str(path), *row) for row in zip(one["id"], one["path"], strict=True)]
        assert [*zip(hits["file"], hits["id"], hits["path"], strict=True)] == expected
        assert expected
    (told,) = [each for each in plyscope.query_files(mixed, "score > 3").notices if "Read as table" in each]
    assert told.startswith(f"{others[0]} and 1 more: Read as table of rows that name their parents")
    assert 'score from "value"' in told
