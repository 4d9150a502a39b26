"""Tests of refusals: text that is no expression is refused with its place, a slow query is given up."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import duckdb
import numpy as np
import pytest

from plyscope.visualizer.analysis.query import extra_fields, run, sql
from plyscope.visualizer.analysis.query.answer import MOST_PARTS, no_hit
from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.parse import DEEPEST, MOST_ITEMS, parse
from plyscope.visualizer.analysis.query.run import closed_off, hits_of, order_of
from plyscope.visualizer.analysis.query.sql import Writer
from plyscope.visualizer.analysis.query.syntax import LONGEST
from plyscope.visualizer.analysis.query.typed_sql import like
from plyscope.visualizer.analysis.query.value_colours import colouring
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.parquet import database
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE

LOG = b"""{"plyscope": 1, "factors": [{"name": "mobility"}], "players": ["white", "black"], "root":
{"layer": "max", "score": 3, "outcome": "searched", "key": "00000000000000ff", "factors": [2],
 "children": [{"ply": "c6", "layer": "min", "score": 3, "quiescence": true}]}}"""

HOSTILE = [
    # statements, more than one, comments
    "score > 1; drop table t",
    "drop table t",
    "score > 1 -- and level > 3",
    "copy t to '/tmp/rows.csv'",
    # files, settings and the surroundings
    "read_csv('/etc/passwd') is null",
    "'/etc/passwd'",
    "score > (select count(*) from '/etc/passwd')",
    # subqueries, joins, what grows without end
    "score in (select 1)",
    "score in (level, 2)",
    "level from t a, t b, t c where a.level > 0",
    "score > 1 union select 2",
    "repeat('x', 1000000000) = ply",
    # patterns with repetition, lambdas, casts, windows, aggregates, structures
    "regexp_matches(ply, '(a+)+$')",
    "list_transform([1], x -> x)",
    "cast(score as varchar) = '3'",
    "score over ()",
    "sum(score) > 1",
    "{'a': score} is null",
    "case when score > 1 then true else false end",
    "$1 = score",
    "t.score > 1",
    "rowid > 1",
    # characters that look like others, and those that are not seen
    "score > １",
    "ｓｃｏｒｅ > 1",
    "score\u200b > 1",
    "score > 1\u037e drop table t",
    "score > 1\0",
    "\ufeffscore > 1",
    "ѕcore > 1",
]


@pytest.fixture
def tree() -> Tree:
    return Tree(read_log(LOG))


@pytest.fixture
def fields(tree: Tree) -> Fields:
    return Fields(tree)


@pytest.mark.parametrize("expression", HOSTILE)
def test_hostile_text_is_refused_before_any_database_is_opened(
    expression: str, fields: Fields, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb, "connect", None)
    with pytest.raises(QueryError) as refused:
        hits_of(fields, expression)
    with pytest.raises(QueryError):
        order_of(fields, np.zeros(1, np.int32), parse(f"({expression}) + 1"))
    for value in (expression, f"({expression}) + 1"):
        with pytest.raises(QueryError):
            colouring(fields, value)
    start, end = refused.value.start, refused.value.end
    assert start is not None
    assert end is not None
    assert 0 <= start <= end <= len(expression)


@pytest.mark.parametrize(
    ("expression", "place", "message"),
    [
        ("outcom = 'leaf'", (0, 6), "no field `outcom`; did you mean `outcome`?"),
        ("parent.outcom = 'leaf'", (0, 13), "no field `outcom`; did you mean `parent.outcome`?"),
        ("use = 'cut'", (0, 3), "no field `use`; did you mean `tt.use`?"),
        ("outcome = 'cutof'", (10, 17), "did you mean `'cutoff'`?"),
        ("outcome = cutoff", (10, 16), "no field `cutoff`; did you mean `'cutoff'`?"),
        ("factors.mobilty > 1", (0, 15), "no factor `mobilty`; did you mean `factors.mobility`?"),
        ("factors.centre > 1", (0, 14), "no factor `centre`; there are `factors.mobility`"),
        ("factors > 1", (0, 7), "`factors` is several fields: `factors.mobility`"),
        ("scores.0 > 1", (0, 8), "this log has no scores"),
        ("plies = 'c6'", (0, 5), "`plies` is a list"),
        ("parent = 0", (0, 6), "`parent` is a node"),
        ("score", (0, 5), "`score` is a number; a query is a condition, such as score > 0"),
        ("ply", (0, 3), "`ply` is a text; a query is a condition, such as ply = 'c6'"),
        ("layer", (0, 5), "a query is a condition, such as layer = 'other'"),
        ("1 + 1", (0, 5), "this is a number; a query is a condition"),
        ("score > 'x'", (0, 11), "`score` is a number and 'x' is a text; they are not compared"),
        ("layer = outcome", (0, 15), "of another kind; they are not compared"),
        ("'a' = 'b'", (0, 9), "two texts are compared, and no field"),
        ("quiescence < true", (0, 17), "`quiescence` is true or false, which is neither more nor less"),
        ("key > '00'", (0, 10), "neither more nor less"),
        ("key = 'x'", (6, 9), "16 hexadecimal digits"),
        ("score in (1, 'a')", (13, 16), "they are not compared"),
        ("quiescence in (1)", (0, 10), "no field to look up in a list"),
        ("score in (level)", (10, 15), "the values of in (…) are numbers or texts"),
        ("score like '1%'", (0, 5), "like compares texts and words"),
        ("ply like c6", (9, 11), "expected a text such as 'c%'"),
        ("ply + 1 > 0", (0, 3), "`ply` is a text; only numbers are calculated with"),
        ("not score", (4, 9), "`score` is a number; and, or and not join conditions"),
        ("score = null", (6, 12), "asked for by `is null`"),
        ("'a' is null", (0, 3), "a text is always stated"),
        ("isnan(ply)", (6, 9), "isnan() takes a field that is a number"),
        ("1 < score < 5", (10, 11), "two comparisons are joined by and"),
        ("score >", (7, 7), "found the end, expected a field, a number or a text"),
        ("score > 1)", (9, 10), "found ')', expected and, or, or the end"),
        ("score not 1", (10, 11), "expected in, between or like"),
        ("score is 1", (9, 10), "found '1', expected null"),
        ("score between 1 or 2", (16, 18), "found 'or', expected and"),
        ("score. > 1", (7, 8), "found '>', expected a name"),
        ("mean(score) > 1", (0, 4), "no function 'mean'; there are abs(), floor(), ceil(), round(), isnan()"),
        ("tt.abs(score) > 1", (0, 2), "no function 'tt'"),
        ("score > 5x", (8, 10), "'5x' is no number"),
        ("ply = 'c6", (6, 9), "this text has no end"),
        ('"ply = 1', (0, 8), "this name has no end"),
        ("ply = “c6”", (6, 7), "texts stand between straight quotes"),
        ("score ≥ 1", (6, 7), "'≥' (greater-than or equal to) has no meaning here"),
        ("score > 1 && level > 1", (10, 11), "'&' has no meaning here"),
        ("#5", (0, 1), "an id is asked for by `id = 5`"),
        ("score > 1" + "0" * 400, (8, 409), "larger than any that a log can hold"),
    ],
)
def test_a_refusal_says_what_is_wrong_where_and_what_was_meant(
    expression: str, place: tuple[int, int], message: str, fields: Fields
) -> None:
    with pytest.raises(QueryError) as refused:
        hits_of(fields, expression)
    assert message in refused.value.sentence
    assert (refused.value.start, refused.value.end) == place
    assert str(refused.value).startswith(f"column {place[0] + 1}: ")


@pytest.mark.parametrize("expression", ["", "  \n"])
def test_an_empty_expression_is_refused_with_an_example(expression: str, fields: Fields) -> None:
    with pytest.raises(QueryError, match=r"is empty; one such as score < -50"):
        hits_of(fields, expression)


def test_long_deep_and_wide_expressions_are_refused_in_words() -> None:
    for expression, message in [
        ("1" * (LONGEST + 1), f"at most {LONGEST:,} are read"),
        ("(" * 500 + "score > 1" + ")" * 500, f"nests deeper than {DEEPEST} levels"),
        ("not " * 500 + "score > 1", f"nests deeper than {DEEPEST} levels"),
        ("score" + "+1" * 500 + " > 1", f"nests deeper than {DEEPEST} levels"),
        ("abs(" * 100 + "score" + ")" * 100 + " > 1", f"nests deeper than {DEEPEST} levels"),
        ("score in (" + "1," * MOST_ITEMS + "1)", f"at most {MOST_ITEMS:,} are read"),
    ]:
        with pytest.raises(QueryError, match=message):
            parse(expression)


def test_the_widest_and_deepest_expressions_that_are_read_are_answered(fields: Fields) -> None:
    deep = "(" * 20 + "abs(" * 20 + "score" + ")" * 20 + " > 1" + ")" * 20
    assert hits_of(fields, deep)[0].tolist() == [0, 1]
    assert hits_of(fields, " or ".join(["level = 1"] * 250))[0].tolist() == [1]
    assert hits_of(fields, f"level in ({','.join(['1'] * 1000)})")[0].tolist() == [1]
    assert hits_of(fields, "score" + "+1" * 50 + " = 53")[0].tolist() == [0, 1]


def test_divisions_in_divisors_nest_few_levels_since_they_double_what_is_run(fields: Fields) -> None:
    assert hits_of(fields, "1 / (1 / (1 / (1 / score))) = 3")[0].tolist() == [0, 1]
    with pytest.raises(QueryError, match="divisions nest deeper than 4 levels"):
        hits_of(fields, "1 / (1 / (1 / (1 / (1 / score)))) > 1")
    assert hits_of(fields, "score" + "/ 1" * 50 + " = 3")[0].tolist() == [0, 1]


def test_no_text_of_an_expression_or_of_a_log_is_in_the_sql(fields: Fields) -> None:
    writer = Writer(fields)
    sql = writer.condition(parse("ply = 'SECRET' or \"factors\".mobility > 12345 and outcome like 'SEC%'"))
    for text in ("SECRET", "SEC", "mobility", "ply", "factors", "outcome"):
        assert text not in sql
    assert "12345" in sql


def test_the_database_reaches_no_file_and_no_setting_changes() -> None:
    with closed_off({"row": np.arange(3, dtype=np.int32)}) as connection:
        for statement in (
            "SELECT * FROM read_csv('/etc/passwd')",
            "SELECT * FROM '/etc/passwd'",
            "COPY t TO '/tmp/plyscope-rows.csv'",
            "ATTACH '/tmp/plyscope-rows.db'",
            "SET enable_external_access = true",
            "SET memory_limit = '1TB'",
            "RESET memory_limit",
            "INSTALL httpfs",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(statement)
        assert connection.execute("SELECT sum(row) FROM t").fetchall() == [(3,)]


def test_a_query_whose_time_is_over_is_given_up_in_words() -> None:
    columns = {"row": np.arange(5_000_000, dtype=np.int32)}
    with pytest.raises(QueryError, match="longer than 5 seconds and was given up"):
        run.fetched(
            columns, "SELECT a.row FROM t a, t b WHERE a.row::BIGINT * b.row % 7 = 3", time.monotonic()
        )
    assert not [each for each in threading.enumerate() if each.name == "query watch"]


def test_texts_that_take_too_long_are_given_up_in_words(
    fields: Fields, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "SECONDS", -1)
    with pytest.raises(QueryError, match="texts of this log took too long"):
        hits_of(fields, "ply = 'c6'")


def test_a_query_that_takes_too_much_memory_is_given_up_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MOST_MEMORY", "1MB")
    columns = {"row": np.arange(5_000_000, dtype=np.int32)}
    with pytest.raises(QueryError, match="more than 1MB of memory"):
        run.fetched(
            columns, "SELECT row FROM t ORDER BY row * 7919 % 104729, row", time.monotonic() + PATIENCE
        )


def test_no_pattern_takes_longer_than_its_text_times_its_length() -> None:
    text = "a" * 20_000
    for pattern in ("%a" * 1000 + "b", "%" + "a_" * 500 + "%b", "%_" * 900 + "%c%"):
        began = time.thread_time()
        assert not like(pattern)(text)
        assert time.thread_time() - began < 2


HOSTILE_NAMES = [
    '"; drop table t; --',
    "read_csv('/etc/passwd')",
    "a.b",
    "row",
    "c0",
    "t",
    "x" * 5000,
    "and",
    "\0",
]


def test_names_and_values_of_a_logs_own_fields_are_no_sql() -> None:
    children = [
        {
            "ply": "a",
            **{name: f"{name}'; select 1" for name in HOSTILE_NAMES},
            "deep": json.loads("[" * 90 + "]" * 90),
        }
    ]
    document = {"plyscope": 1, "root": {"children": children}}
    tree = Tree(read_log(json.dumps(document).encode()))
    fields = Fields(tree)
    for name in HOSTILE_NAMES:
        asked = f'extra."{name.replace(chr(34), chr(34) * 2)}"'
        if len(asked) > LONGEST:
            with pytest.raises(QueryError, match=f"at most {LONGEST:,} are read"):
                hits_of(fields, f"{asked} is not null")
            continue
        writer = Writer(fields)
        sql = writer.condition(parse(f"{asked} like '%select 1' and {asked} is not null"))
        assert name in ("t", "row", "and", "c0") or name not in sql
        assert "select" not in sql
        assert hits_of(fields, f"{asked} like '%select 1'")[0].tolist() == [1]
        assert colouring(fields, asked).values(np.array([1])) == [f"{name}'; select 1"]
    assert hits_of(fields, "extra.deep like '[[%'")[0].tolist() == [1]


def test_own_fields_are_read_before_the_time_of_a_query_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = Tree(
        read_log(b'{"plyscope": 1, "root": {"q_nodes": 5, "children": [{"ply": "a", "q_nodes": 7}]}}')
    )
    fields = Fields(tree)
    now = [0.0]
    read = extra_fields._objects

    def slowly(extras: Any) -> Any:
        now[0] += 60
        return read(extras)

    monkeypatch.setattr(extra_fields, "_objects", slowly)
    monkeypatch.setattr(sql.time, "monotonic", lambda: now[0])
    assert hits_of(fields, "q_nodes > 6")[0].tolist() == [1]
    assert now[0] >= 60


def test_many_parts_without_a_hit_are_counted_in_one_pass_and_more_are_not_loosened(fields: Fields) -> None:
    parts = [f"level != {at}" for at in range(MOST_PARTS - 1)]
    found = no_hit(fields, " and ".join([*parts, "score > 1000"]))
    assert (found.n_rows, found.looser.count("level"), len(found.without)) == (2, len(parts) - 1, 2)
    beyond = no_hit(fields, " and ".join([*parts, "score > 1000", "score > 1001"]))
    assert (beyond.looser, beyond.without) == ("", ())


def test_a_suggestion_put_in_its_place_makes_the_expression_right(fields: Fields) -> None:
    expression = "layr = max and factors.mobilty > 1"
    for _ in range(3):
        with pytest.raises(QueryError) as refused:
            hits_of(fields, expression)
        error = refused.value
        expression = expression[: error.start] + error.suggestion + expression[error.end :]
    assert expression == "layer = 'max' and factors.mobility > 1"
    assert hits_of(fields, expression)[0].tolist() == [0]


def test_an_entry_that_comes_from_elsewhere_names_no_node_of_a_log_of_one() -> None:
    fields = Fields(Tree(read_log(b'{"plyscope": 1, "root": {"tt": {"from": 7}}}')))
    assert not len(hits_of(fields, "tt.from is not null")[0])
