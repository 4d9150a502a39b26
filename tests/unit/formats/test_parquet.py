"""Logs as Parquet: what the files hold, whose files are read, and what is said of those that are not."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pytest
from arro3.core import DataType
from arro3.io import read_parquet as read_by_arrow

import plyscope
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.formats.parquet import opened_file, read_parquet
from plyscope.visualizer.formats.parquet.database import database
from plyscope.visualizer.formats.parquet.schema import columns
from plyscope.visualizer.formats.seal.written_ids import ELSEWHERE
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.store.columns import GIVEN
from tests.parquet_rows import EVERYTHING, plain, rows_of, write_logs
from tests.unit.logs import log_of
from tests.unit.same_logs import assert_same, extras

LOG = log_of(**EVERYTHING)


def parquet(path: Path, rows: str, options: str = "") -> Path:
    """A Parquet file as somebody else's program writes it: the rows that a statement gives."""
    duckdb.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet{', ' + options if options else ''})")
    return path


def test_a_file_has_a_row_a_node_with_the_names_of_the_log(tmp_path: Path) -> None:
    write_log_file(LOG, tmp_path / "a.parquet")
    found = duckdb.sql(f"SELECT * FROM '{tmp_path}/a.parquet'")
    types = [str(each).replace('"', "") for each in found.types]
    assert dict(zip(found.columns, types, strict=True)) == {
        name: kind.replace('"', "") for name, kind in columns().items()
    }
    assert rows_of(tmp_path / "a.parquet")[0]["key"] == "00c0ffee00c0ffee"
    names = "id, parent, ply, layer, player, score, alpha, beta, factors, plies, pre_scores, extra"
    found = duckdb.sql(f"SELECT {names} FROM '{tmp_path}/a.parquet'")
    root, first, second, pruned, limited = found.fetchall()
    inf, none = float("inf"), (None, None, None)
    assert root == (0, None, None, "max", "black", 1e308, -inf, inf, [1.0, None], *none)
    assert first[:5] + first[6:] == (1, 0, "c6 é\U0001f600", *none[:2], *none, *none[:2], '{"q":[7]}')
    assert np.isnan(first[5])
    assert (second[5], pruned[9:], limited[9:]) == (-inf, (["a1", ""], [1.5, None], None), ([], None, None))
    inner = "tt.use, tt.depth, tt.from, tt.score, ucb.n, contributions"
    said = duckdb.sql(f"SELECT {inner} FROM '{tmp_path}/a.parquet'").fetchall()
    assert said[0] == (*none, None, None, {"mobility": 2.5, "": -0.0})
    assert said[1:3] == [("cut", 3.0, 0, *none), (*none, None, 3.0, None)]


def test_names_of_files_with_signs_of_patterns_are_names(tmp_path: Path) -> None:
    folder = tmp_path / "it's a=b"
    folder.mkdir()
    names = ("a1.parquet", "a[1].parquet", "a[1]*?é.parquet", "a1xx.parquet")
    for name in names:
        write_log_file(log_of({"ply": name}), folder / name)
    for name in names:
        read = read_log_file(folder / name)
        assert (read.n_rows, list(read.texts), read.extras) == (1, [name], None)
    assert plyscope.query_files(folder, "ply != ''").columns()["ply"].tolist() == sorted(names)


@pytest.mark.parametrize("n_rows", [3, opened_file.KEPT_ROWS + 1])
def test_columns_may_have_the_names_of_those_that_number_rows(tmp_path: Path, n_rows: int) -> None:
    path = parquet(
        tmp_path / "a.parquet",
        "SELECT range AS id, CASE WHEN range > 0 THEN 0 END AS parent, range + 1 AS file_row_number, "
        f"range AS Place, range AS plyscope_row FROM range({n_rows})",
    )
    read = read_log_file(path)
    assert read.n_rows == n_rows
    assert [extras(read, row) for row in (0, n_rows - 1)] == [
        {"file_row_number": row + 1, "Place": row, "plyscope_row": row} for row in (0, n_rows - 1)
    ]


# Files of other programs --------------------------------------------------------------------------------
OTHERS = """
    SELECT * FROM (VALUES
        (7::DOUBLE, 5::DOUBLE, 'd6', 4::INTEGER, 'leaf', [1.5::FLOAT], {'mobility': 3::DOUBLE}, 'deep', 1.5),
        (5, NULL, NULL, 2, 'searched', NULL, NULL, NULL, 'nan'::DOUBLE),
        (6, 5, 'c6', 3, 'leaf', [2.5], {'mobility': NULL}, NULL, NULL)
    ) AS t(id, parent, ply, score, outcome, factors, contributions, note, cost)"""


def test_a_file_of_another_program_is_read_by_its_names(tmp_path: Path) -> None:
    """Rows in another order, floats for ids as pandas writes them, columns of its own, no header."""
    read = read_log_file(parquet(tmp_path / "a.parquet", OTHERS))
    assert read.columns["id"].tolist() == [5, 7, 6]
    assert read.columns["parent"].tolist() == [-1, 0, 0]
    assert [read.text(ply) for ply in read.columns["ply"]] == [None, "d6", "c6"]
    assert read.columns["score"].tolist() == [2.0, 4.0, 3.0]
    assert read.columns["factors"][1:, 0].tolist() == [1.5, 2.5]
    assert (read.contribution_names, read.columns["contributions"][1].tolist()) == (("mobility",), [3.0])
    assert read.extras is not None
    own = [b'{"cost":"nan"}', b'{"note":"deep","cost":1.5}', b""]
    assert [read.extras.of(row) for row in range(3)] == own
    assert read.notices == (read_parquet.NO_HEADER,)


def test_a_table_in_words_of_its_own_is_read_as_its_rows_are(tmp_path: Path) -> None:
    """With ids as pandas writes them where one is missing, and values that JSON lacks."""
    rows = """SELECT * FROM (VALUES
        (0.0::DOUBLE, NULL::DOUBLE, NULL, 4.0::FLOAT, ['x', NULL], DATE '2020-01-01', '\\xAA'::BLOB,
         1.5::DECIMAL(4, 2)),
        (1.0, 0.0, 'c"6', 4.0, NULL, NULL, NULL, NULL),
        (2.0, 0.0, 'd6', 'nan', [], NULL, NULL, 2.25),
        (3.0, 2.0, 'e6', '-inf', ['y'], NULL, NULL, NULL)
    ) AS t(node_id, parentId, move, eval, pv, day, raw, cost)"""
    names = ("node_id", "parentId", "move", "eval", "pv", "day", "raw", "cost")
    values = [
        (0, None, None, 4.0, ["x", None], "2020-01-01", "\\xAA", 1.5),
        (1, 0, 'c"6', 4.0, None, None, None, None),
        (2, 0, "d6", "nan", [], None, None, 2.25),
        (3, 2, "e6", "-inf", ["y"], None, None, None),
    ]
    read = read_log_file(parquet(tmp_path / "a.parquet", rows))
    objects = [dict(zip(names, row, strict=True)) for row in values]
    assert_same(read, read_log(json.dumps(objects).encode()))
    assert dict(read.mapping) == {"children": "parentId", "ply": "move", "score": "eval"}
    other = read_log_file(tmp_path / "a.parquet", mapping={"score": "cost"})
    assert other.columns["score"].tolist()[2] == 2.25
    orphan = "SELECT * FROM (VALUES (1, NULL), (2, 1), (3, 1), (4, 9)) AS t(node, pid)"
    with pytest.raises(LogError, match="the parent 9 is no row of this table"):
        read_log_file(parquet(tmp_path / "b.parquet", orphan))


def test_whole_numbers_that_a_double_does_not_hold_are_said(tmp_path: Path) -> None:
    """The nearest double of the unsigned one is beyond its type."""
    rows = f"""SELECT * FROM (VALUES (0, NULL, {2**53}::BIGINT, {2**64 - 1}::UBIGINT),
        (1, 0, {2**53 + 1}, NULL), (2, 0, {-(2**53) - 3}, 4)) AS t(id, parent, score, static)"""
    assert read_log_file(parquet(tmp_path / "a.parquet", rows)).notices == (
        read_parquet.NO_HEADER,
        f"2 whole numbers of `score` do not fit a double and were rounded (the first: {2**53 + 1}).",
        f"1 whole number of `static` does not fit a double and was rounded ({2**64 - 1}).",
    )


def test_columns_of_the_formats_names_may_have_other_types(tmp_path: Path) -> None:
    """Ids are texts, keys numbers; numbers are turned where the header says whose they are."""
    rows = """SELECT * FROM (VALUES ('b', 'a', 'x'), ('a', NULL, NULL)) AS t(id, parent, "from"),
        LATERAL (SELECT {'use': 'cut', 'from': CASE WHEN id = 'b' THEN 'a' END, 'mine': 3} AS tt)"""
    read = read_log_file(parquet(tmp_path / "a.parquet", f"SELECT id, parent, tt FROM ({rows})"))
    assert read.columns["parent"].tolist() == read.columns["tt_from"].tolist() == [-1, 0]
    assert [extras(read, row) for row in range(2)] == [{"id": name, "tt.mine": 3} for name in "ab"]
    root = f"SELECT {ROOT}, 'max' AS layer, 4 AS score, 18446744073709551615::UBIGINT AS key"
    header = json.dumps({"plyscope": 1, "search": {"perspective": "mover"}})
    rows = f"{root} UNION ALL SELECT 1, 0, 'min', -4, 7::UBIGINT"
    read = read_log_file(parquet(tmp_path / "b.parquet", rows, f"KV_METADATA {{plyscope: '{header}'}}"))
    assert (read.key_form, read.columns["key"].tolist()) == ("number", [2**64 - 1, 7])
    rows = f"SELECT {ROOT}, 'nan'::DOUBLE AS moves UNION ALL SELECT 1, 0, 3.0 UNION ALL SELECT 2, 0, 1"
    rows = f"SELECT *, {{'from': moves}} AS tt FROM ({rows})"
    floats = read_log_file(parquet(tmp_path / "c.parquet", rows))
    unknown = "pandas writes NaN for an unknown number"
    assert floats.columns["moves"].tolist() == [-1, 3, 1], unknown
    assert floats.columns["tt_from"].tolist() == [-1, ELSEWHERE, 1], unknown
    assert read.columns["score"].tolist() == [4.0, 4.0]
    assert "perspective" not in read.header["search"]
    nothing = f"SELECT {ROOT}, NULL::INTEGER AS ply, NULL::BLOB AS score, '00c0ffee00c0ffee' AS key"
    read = read_log_file(parquet(tmp_path / "c.parquet", f"{nothing}, NULL::DATE AS tt"))
    assert (read.columns["ply"].tolist(), np.isnan(read.columns["score"]).tolist()) == ([-1], [True])
    assert (read.key_form, read.columns["given"].tolist()) == ("hex", [GIVEN["key"]])


# What is refused ----------------------------------------------------------------------------------------
ROOT = "0::BIGINT AS id, NULL::BIGINT AS parent"
CHILD = f"SELECT {ROOT} UNION ALL SELECT 1, 0"
VALUES = {
    "'high' AS score": "column score: found values of the type VARCHAR, expected numbers",
    "3 AS ply": "column ply: found values of the type INTEGER, expected texts",
    "'maxi' AS layer": 'row 0, layer: found "maxi", expected one of "max", "min", "chance", "other"',
    "-3 AS moves": "row 0, moves: found -3, expected a whole number from 0 to 2147483647",
    "2.5::DOUBLE AS moves": "row 0, moves: found 2.5, expected a whole number from 0 to 2147483647",
    "2 AS in_check": "row 0, in_check: found 2, expected true or false",
    "3 AS tt": "column tt: found values of the type INTEGER, expected objects with use, depth, bound, "
    "score, ply, from",
    "{'use': 'hit'} AS tt": 'row 0, tt.use: found "hit", expected one of "cut", "narrow", "order"',
    "'c6' AS factors": "column factors: found values of the type VARCHAR, expected lists of numbers",
    "['c6', NULL] AS plies": "row 0, plies[1]: found null, expected a text",
    "['a'] AS plies, [1.0, 2.0] AS pre_scores": "row 0, pre_scores: found 2 pre_scores of 1 plies, expected "
    "one a ply",
    "'[1]' AS extra": "row 0, extra: found a JSON value that is no object, expected the unknown fields by "
    "their names",
    "[1.0] AS factors": "row 0, factors: found a list of 1 numbers, expected 2, as many as the "
    "header names factors",
    "{'from': 0.5::DOUBLE} AS tt": "row 0, tt.from: found 0.5, expected a whole number of 64 bits or a text",
    "'y' AS player": 'row 0, player: found "y", expected one of the players: x',
}
NO_LOG = (
    "this Parquet file is no log: its columns are a, b; expected `id`, `parent` (the id of the node above, "
    "null at a root) and fields of the log format such as `ply` and `score`, which docs/log-format.md lists"
)
NEVER = "never comes, expected the id of a node, or null at a root"
CUTOFF = 'expected none, or "cutoff", the word for a node that was left early'
TABLES = {
    "SELECT 1 AS a, 'x' AS b": NO_LOG,
    f"SELECT {ROOT} LIMIT 0": "the log has no node, expected at least a root",
    f"{CHILD} UNION ALL SELECT 2, 9": f"row 2, parent: the parent 9 {NEVER}",
    f"{CHILD} UNION ALL SELECT 1, 0": "row 2, id: the id 1 was seen before, expected each once",
    f"{CHILD} UNION ALL SELECT NULL, 0": "row 2, id: found no value, expected an id on each row",
    f"{CHILD} UNION ALL SELECT 2, 3 UNION ALL SELECT 3, 2": (
        "row 2: this node is its own ancestor, expected a tree"
    ),
    "SELECT 'a' AS id, NULL::VARCHAR AS parent UNION ALL SELECT 'b', 'c'": (
        f'row 1, parent: the parent "c" {NEVER}'
    ),
    "SELECT 0.5::DOUBLE AS id, NULL AS parent": "row 0, id: found 0.5, expected a whole number or a text",
    f"SELECT *, CASE WHEN id = 0 THEN 'pruned' END AS outcome FROM ({CHILD})": (
        f'row 0, outcome: found "pruned" on a node with children, {CUTOFF}'
    ),
}
REFUSED = TABLES | {f"SELECT {ROOT}, {values}": sentence for values, sentence in VALUES.items()}


@pytest.mark.parametrize(("rows", "sentence"), REFUSED.items())
def test_what_is_wrong_is_said_with_its_row(tmp_path: Path, rows: str, sentence: str) -> None:
    header = json.dumps({"plyscope": 1, "factors": ["a", "b"], "players": ["x"]})
    with pytest.raises(LogError) as caught:
        read_log_file(parquet(tmp_path / "a.parquet", rows, f"KV_METADATA {{plyscope: '{header}'}}"))
    assert str(caught.value) == sentence


def test_a_header_that_is_none_and_a_file_that_was_cut_short_or_damaged_are_said(tmp_path: Path) -> None:
    for text, sentence in (
        ("[1]", "metadata `plyscope`: found a list, expected an object"),
        ("{", "metadata `plyscope`: found text that is no JSON"),
        ('{"plyscope": 2}', "$.plyscope: this is a log of version 2, expected version 1"),
    ):
        path = parquet(tmp_path / "a.parquet", f"SELECT {ROOT}", f"KV_METADATA {{plyscope: '{text}'}}")
        with pytest.raises(LogError, match=f"^{re.escape(sentence)}"):
            read_log_file(path)
    write_log_file(LOG, tmp_path / "a.parquet")
    data = (tmp_path / "a.parquet").read_bytes()
    for cut in (b"PAR1", data[:-1], data[: len(data) // 2]):
        with pytest.raises(LogError, match=r"^this Parquet file is cut short: its index, which stands at"):
            read_log(cut)
    with pytest.raises(LogError, match=r"^this Parquet file is encrypted"):
        read_log(data[:-4] + b"PARE")
    # Damage anywhere is refused with a sentence, or read.
    draw = random.Random(1)
    refused = []
    for _ in range(20):
        damaged = bytearray(data)
        damaged[draw.randrange(4, len(data) - 4)] ^= 1 << draw.randrange(8)
        try:
            read_log(bytes(damaged))
        except LogError as error:
            refused.append(str(error))
    assert len(refused) > 5
    assert not [said for said in refused if "\n" in said or str(tmp_path) in said]


def test_a_small_file_of_too_many_rows_is_refused_before_it_is_read(tmp_path: Path) -> None:
    rows = "SELECT range AS id, CASE WHEN range > 0 THEN 0 END AS parent FROM range(1000000)"
    path = parquet(tmp_path / "a.parquet", rows)
    with pytest.raises(TooLarge, match=r"^the log has 1,000,000 rows and 1,000,000 items in a column, which"):
        read_log_file(path, max_bytes=path.stat().st_size)
    lists = parquet(tmp_path / "b.parquet", f"SELECT {ROOT}, list_resize([1.0], 1000000, 1.0) AS factors")
    with pytest.raises(TooLarge, match=r"^the log has 1 rows and 1,000,000 items in a column"):
        read_log_file(lists, max_bytes=1_000_000)


def test_a_database_opens_nothing_but_its_file_and_draws_no_bar(tmp_path: Path) -> None:
    asked = "print(in_memory('').sql(\"SELECT current_setting('enable_progress_bar')\").fetchall())"
    source = f"from plyscope.visualizer.formats.parquet.database import in_memory; {asked}"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout == "[(False,)]\n"
    write_log_file(LOG, tmp_path / "a.parquet")
    (tmp_path / "b.csv").write_text("a\n1\n")
    with database(tmp_path / "temporary", reads=[tmp_path / "a.parquet"]) as connection:
        assert connection.execute(f"SELECT count(*) FROM '{tmp_path}/a.parquet'").fetchall() == [(5,)]
        for statement in (
            f"SELECT * FROM read_csv('{tmp_path}/b.csv')",
            f"COPY (SELECT 1) TO '{tmp_path}/c.csv'",
            "SET enable_external_access = true",
            "INSTALL httpfs",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(statement)


def test_another_reader_finds_the_same_values(tmp_path: Path) -> None:
    for path in write_logs(tmp_path):
        table = read_by_arrow(path).read_all()
        assert table.column_names == list(columns())
        rows = rows_of(path)
        for at, name in enumerate(table.column_names):
            field = table.schema.field(at)
            values = [value.as_py() for value in table.column(at)]
            if DataType.is_map(field.type):  # of which Arrow makes pairs
                values = [None if value is None else dict(value) for value in values]
            assert [plain(value) for value in values] == [row[name] for row in rows], (path.name, name)
