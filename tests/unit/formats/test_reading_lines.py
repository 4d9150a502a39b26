"""JSON Lines: updates, parents that never come, roots of writers that have no null."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.read.lines import read_lines
from tests.unit.formats.test_growing_log import assert_like_a_file, lines_of
from tests.unit.formats.test_own_logs import same_by_both


def test_a_last_node_that_belongs_nowhere_is_left_out_and_a_missing_parent_beyond_64_bits_told() -> None:
    data = lines_of({"plyscope": 1}, {"id": 0}, {"id": 5, "parent": 4}, {"result": {"score": 1}})
    for log in (read_log(data), read_lines(data, run=compiled)):
        assert log.n_rows == 1
        assert log.notices == ("Line 3, the last, names the parent 4, which never came: it is left out.",)
    above = lines_of({"id": 1}, {"id": 3, "parent": 4}, {"id": 4, "parent": 9}, {"result": {}})
    for data, said in (
        (
            lines_of({"id": 2, "parent": 10**19}, {"id": 3, "parent": 2}),
            r"1, \$\.parent: found 10*, expected",
        ),
        (lines_of({"id": 2, "parent": 3}, {"result": {}}), "1: the parent 3 never comes"),
        (above, "3: the parent 9 never comes"),
    ):
        for read in (read_log, partial(read_lines, run=compiled)):
            with pytest.raises(LogError, match=f"^line {said}"):
                read(data)
    # An open node may be the source of a table entry.
    cut = read_log(lines_of({"id": 0, "parent": 7}, {"id": 5, "parent": 0, "tt": {"from": 7}}))
    assert (cut.columns["tt_from"].tolist(), len(cut.notices)) == ([-1, -1, 0], 1)
    # The position that a node states last counts before one said to be left.
    said = [{"id": 0, "position": "a"}, {"id": 0, "left_position": "x", "position": "b"}, {"result": None}]
    log = read_log(lines_of(*said))
    assert [log.text(int(log.columns[name][0])) for name in ("position", "left_position")] == ["a", "b"]


def heap(root: Any, first: int = 1) -> list[dict[str, Any]]:
    """Seven nodes, each under that of half its number, the first under `root`."""
    below = [(n - 1, n // 2 - 1, {"ply": f"n{n}", "score": n}) for n in range(2, 8)]
    rows = [{"id": first + at, "parent": first + above, **said} for at, above, said in below]
    return [{"id": first, "parent": root, "score": 3}, *rows]


def parents(data: bytes) -> list[int]:
    log = read_lines(data)
    assert not log.notices
    found: list[int] = log.columns["parent"].tolist()
    return found


@pytest.mark.parametrize(("root", "first"), [(-1, 1), (-1, 0), (0, 1), (1, 1), (5, 5)])
def test_it_is_a_root_on_every_road(root: int, first: int) -> None:
    data = lines_of(*heap(root, first))
    assert parents(data) == [-1, 0, 1, 1, 0, 4, 4]
    assert not same_by_both(data.decode(), lines=True).notices
    if root != 0:  # while a log grows, the line of a node 0 may still come
        assert_like_a_file([data])
        assert_like_a_file([line + b"\n" for line in data.splitlines()], between=True)


def test_a_parent_that_is_none_or_itself_means_a_root_only_where_no_node_has_that_id() -> None:
    rows = [{"id": -1, "score": 3}, {"id": 4, "parent": -1, "ply": "a", "score": 3}]
    assert parents(lines_of(*rows)) == parents(lines_of(*reversed(rows))) == [-1, 0]
    # Where node 0 may be cut off, it is shown as open.
    log = read_lines(lines_of({"id": 1, "parent": 0, "ply": "a"}, {"id": 2, "parent": 0, "ply": "b"}))
    assert (log.n_rows, "the line of 1 parent (id 0)" in log.notices[0]) == (3, True)
    # A second line of such a root may say so again; a later node under itself is no tree.
    for root in (-1, 1):
        data = lines_of(*heap(root), {"id": 1, "parent": root, "score": 9})
        assert parents(data) == [-1, 0, 1, 1, 0, 4, 4]
        assert_like_a_file([data])
    with pytest.raises(LogError, match="its own ancestor"):
        read_lines(lines_of(*heap(-1), {"id": 9, "parent": 9}))


@pytest.mark.parametrize("ids", [int, str])
def test_rows_of_a_parquet_file_too(ids: type, tmp_path: Path) -> None:
    rows = heap(-1)
    if ids is str:
        rows = [{**row, "id": f"n{row['id']}", "parent": f"n{row['parent']}"} for row in rows]
        rows[0]["parent"] = ""
    (tmp_path / "rows.json").write_text(json.dumps(rows), "utf-8")
    target = tmp_path / "rows.parquet"
    duckdb.sql(f"COPY (FROM read_json('{tmp_path / 'rows.json'}')) TO '{target}'")
    assert read_log_file(target).columns["parent"].tolist() == [-1, 0, 1, 1, 0, 4, 4]
