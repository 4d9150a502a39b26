"""Reading large logs by columns: what is read so, what is left to the patient readers, how far it is."""

from __future__ import annotations

import itertools
import json
import mmap
import threading
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.large import large_logs, scan, scan_kernel
from plyscope.visualizer.formats.large.large_logs import read_large
from plyscope.visualizer.formats.literal import TOO_LARGE
from plyscope.visualizer.formats.result_lines import LAST_RESULT
from plyscope.visualizer.store.log import Log
from tests.unit.same_logs import assert_same


def large(text: str, *, lines: bool = False) -> Log | None:
    return read_large(text.encode(), lines=lines, compile_it=False)


def same_as_patient(text: str, *, lines: bool = False) -> Log:
    log = large(text, lines=lines)
    assert log is not None
    assert_same(log, read_log(text.encode()))
    return log


def document(root: str, more: str = "") -> str:
    return f'{{"plyscope":1,{more}"root":{root}}}'


def test_a_field_behind_the_children_belongs_to_its_node() -> None:
    log = same_as_patient(document('{"children":[{"ply":"a","children":null}],"score":2,"mine":{"a":"}]"}}'))
    assert log.columns["score"][0] == 2.0


def test_header_fields_stand_before_or_behind_the_tree() -> None:
    log = same_as_patient('{"game":"a","root":{"score":1},"plyscope":1,"search":{"depth":2}}')
    assert list(log.header) == ["game", "plyscope", "search"]


def test_a_name_may_be_a_field_of_the_header_and_of_nodes() -> None:
    log = same_as_patient('{"plyscope":1,"root":{"position":"of the node"},"position":"of the log"}')
    assert log.header["position"] == "of the log"


@pytest.mark.parametrize(
    "fields",
    [
        '"factors":[1,-2.5,null]',
        '"factors":[1, -2.5, null]',
        '"factors":[1,2e3,"inf"]',
        '"factors":[]',
        '"factors":null',
        '"key":"00ff00ff00ff00ff"',
        '"key":"00FF00ff00ff00ff"',
        '"key":"00ff"',
        '"key":17',
        '"score":"nan","alpha":null,"beta":-0.0',
        '"score":-0.0,"depth":-0,"static":1e300,"pre_score":0.1000000000000000055511151231257827',
    ],
)
def test_values_of_every_spelling_are_read(fields: str) -> None:
    same_as_patient(document(f'{{{fields},"children":[{{{fields}}}]}}'))


def test_roots_are_told_apart() -> None:
    log = same_as_patient('{"plyscope":1,"roots":[{"iteration":1},{"iteration":2,"children":[{}]}]}')
    assert [root.row for root in log.roots] == [0, 1]


def test_a_tree_100_000_levels_deep_is_read() -> None:
    n_levels = 100_000
    text = document('{"children":[' * n_levels + "{}" + "]}" * n_levels)
    log = read_large(text.encode(), lines=False)
    assert log is not None
    assert log.columns["level"].tolist() == list(range(n_levels + 1))
    assert log.columns["end"].tolist() == [n_levels + 1] * (n_levels + 1)


@pytest.mark.parametrize("nodes", [1, 7])
def test_pieces_of_few_nodes_give_the_same_log(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    monkeypatch.setattr(scan, "NODES", nodes)
    monkeypatch.setattr(scan, "RECORDS", scan_kernel.MOST_OF_NODE + 1)
    monkeypatch.setattr(scan, "MOST_DISTINCT", 2)
    children = [{"ply": f"p{n % 5}", "score": n / 3, "mine": n, "player": "xo"[n % 2]} for n in range(30)]
    root: dict[str, Any] = {"children": children, "score": 7, "factors": [1, None]}
    same_as_patient(document(json.dumps(root)))
    lines = [{"id": 5 * n + 1, "parent": 1 if n else None, **node} for n, node in enumerate([{}, *children])]
    text = "\n".join(
        json.dumps(line) for line in [{"plyscope": 1, "mine": 2}, *lines, {"result": {"ply": "p"}}]
    )
    log = same_as_patient(text, lines=True)
    assert log.header["result"] == {"ply": "p"}


def test_names_are_met_in_the_order_of_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind their children, nodes name players later in the file than the nodes below them do."""
    late = '{"children":[{"player":"o","contributions":{"b":1}},{}],"player":"x","contributions":{"a":2}}'
    log = same_as_patient(document(late))
    assert (log.players, log.contribution_names) == (("x", "o"), ("a", "b"))
    monkeypatch.setattr(scan, "NODES", 1)
    monkeypatch.setattr(scan, "RECORDS", scan_kernel.MOST_OF_NODE)
    log = same_as_patient(document(late))
    assert (log.players, log.contribution_names) == (("x", "o"), ("a", "b"))
    late = '{"children":[{"player":"o"},{}],"player":"x"}'
    same_as_patient(document(late))
    same_as_patient(document(late, '"players":["x","o"],'))


def test_names_may_have_escapes_and_be_many() -> None:
    same_as_patient(document('{"sc\\u006fre":1,"gr\\u00f6\\u00dfe":2,"a \\"b\\"":3,"\\\\":4,"":5}'))
    nodes = [{f"field {(n * 7 + at) % 300}": at for at in range(4)} | {"x" * 200: 1} for n in range(400)]
    same_as_patient(document(json.dumps({"children": nodes})))
    lines = [json.dumps({"id": n, "parent": 0 if n else None, **node}) for n, node in enumerate(nodes)]
    same_as_patient("\n".join(lines), lines=True)


@pytest.mark.parametrize("end", ['{"id":-1,"parent":0}', '{"id":1', '{"mine":1}'])
def test_the_thread_beside_ends_with_the_reading(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that is refused at its end was read by two threads up to there; then the file may be closed."""
    monkeypatch.setattr(scan, "LEAST_BESIDE", 0)
    monkeypatch.setattr(scan, "NODES", 5)
    text = "\n".join(
        json.dumps({"id": n, "parent": 0 if n else None, "mine": f"m{n}", "other": [n]}) for n in range(200)
    )
    with mmap.mmap(-1, len(text) + 1 + len(end)) as data:
        data.write(f"{text}\n{end}".encode())
        log = read_large(data, lines=True)
        assert (log is not None) == end.endswith("0}")
        assert not any("ThreadPoolExecutor" in thread.name for thread in threading.enumerate())
        if log is not None:
            assert_same(log, read_log(data[:]))


def test_lines_without_header_or_result_are_read() -> None:
    same_as_patient('{"id":4,"score":1}\n\n{"id":2,"parent":4}', lines=True)
    log = same_as_patient('{"plyscope":1}\n{"id":4,"score":1}\n', lines=True)
    assert log.notices == read_log(b'{"plyscope":1}\n{"id":4,"score":1}\n').notices != ()


@pytest.mark.parametrize("number", ["1e999", "-1e400", "9" * 400, "-1.5E+4000"])
@pytest.mark.parametrize("field", ["static", "mine", "alpha"])
def test_numbers_beyond_a_double_are_infinite_with_a_notice(field: str, number: str) -> None:
    said = f'"{field}":{number}'
    tree = document(f'{{"score":1,{said},"children":[{{"ply":"a",{said}}},{{"ply":"b","{field}":2}}]}}')
    lines = f'{{"plyscope":1}}\n{{"id":0,{said}}}\n{{"id":1,"parent":0,{said}}}\n{{"result":null}}'
    for text, in_lines in ((tree, False), (lines, True)):
        log = same_as_patient(text, lines=in_lines)
        assert log.notices == read_log(text.encode()).notices == (TOO_LARGE,)


def test_a_number_beyond_a_double_inside_a_value_is_left_to_the_patient_reader() -> None:
    assert large(document('{"score":1,"mine":[1e999]}')) is None


@pytest.mark.parametrize("nodes", [1, 2, 100])
def test_result_lines_before_and_between_nodes_are_told_as_the_patient_reader_tells_them(
    monkeypatch: pytest.MonkeyPatch, nodes: int
) -> None:
    monkeypatch.setattr(scan, "NODES", nodes)
    first, second, third = '{"id":4}\n', '{"id":2,"parent":4}\n', '{"id":3,"parent":4}\n'
    end, null = '{"result":{"score":1}}\n', '{"result":null}\n'
    log = same_as_patient(f"{first}{end}{second}{null}{third}{end}", lines=True)
    assert log.notices == (LAST_RESULT,)
    log = same_as_patient(f'{{"plyscope":1}}\n{end}{first}{second}{third}', lines=True)
    assert any("3 lines of nodes" in notice for notice in log.notices)
    log = same_as_patient(f"{first}{second}{null}{third}", lines=True)
    assert any("1 line of a node" in notice for notice in log.notices)
    assert not same_as_patient(f"{first}{second}{third}{end}", lines=True).notices


def test_a_parent_may_come_later() -> None:
    same_as_patient('{"id":3,"parent":9}\n{"id":1,"parent":3}\n{"id":9}\n{"id":4,"parent":9}', lines=True)


def test_our_own_lines_without_a_result_end_on_an_open_path() -> None:
    header = '{"plyscope":1,"search":{"engine":"plyscope"}}'
    log = same_as_patient(f'{header}\n{{"id":0,"outcome":"searched"}}\n{{"id":1,"parent":0}}', lines=True)
    assert log.columns["outcome"][0] == 7


@pytest.mark.parametrize(
    "text",
    [
        document('{"score":1,"score":2}'),
        document('{"sc\\u006fre":1,"score":2}'),
        document('{"m":1,"children":[{"\\u006d":2}]}'),
        document('{"\\ud800":1}'),
        document('{"score":NaN}'),
        document('{"score":tru}'),
        document('{"score":}'),
        document('{"score":1,}'),
        document('{"score":1'),
        document('{"score":"abc'),
        document('{"score":true}'),
        document('{"mine":[1}}'),
        document('{"mine":[1,2}]}'),
        document('{"mine" 1}'),
        document('{"min'),
        document("{mine:1}"),
        document('{"children":{}}'),
        document('{"children":[1]}'),
        document('{"children":[{},]}'),
        document('{"children":[{}{}]}'),
        document('{"children":nul}'),
        document("[]"),
        document("{}") + "x",
        document("{}", '"root":{},'),
        document("{}", '"roots":[{}],'),
        document('{"player":"z"}', '"players":["x"],'),
        document(json.dumps({f"field {n}": n for n in range(480)})),
        document(json.dumps({"x" * 201: 1})),
        document('{"factors":[1,2x]}'),
        document('{"factors":[1,nulk]}'),
        document('{"factors":[1,2],"children":[{"factors":[1,2,3]},{"factors":3}]}'),
        document('{"score":01}'),
        document('{"outcome":"pruned","children":[{}]}'),
        '{"plyscope":1,"roots":[]}',
        '{"plyscope":1,"roots":{}}',
        '{"plyscope":1}',
        '{"plyscope":2,"root":{}}',
        '{"root":{}}',
        "",
        "[1]",
    ],
)
def test_a_document_that_is_not_plain_is_left_to_the_patient_reader(text: str) -> None:
    assert large(text) is None


@pytest.mark.parametrize(
    "text",
    [
        '{"id":1}\n{"id":1}',
        '{"id":1}\n{"id":2,"parent":3}',
        '{"id":1}\n{"id":2,"parent":2}',
        '{"id":"a"}',
        '{"id":true}',
        '{"id":1180591620717411303424}',
        '{"id":1,"parent":"a"}',
        '{"id":1} {"id":2,"parent":1}',
        '{"id":1,\n"score":2}',
        '{"id":1,"mine":[1,\n2]}',
        '{"id":1,"children":[]}',
        '{"id":1}\n{"score":2}',
        '{"id":1}\n{"plyscope":1}',
        '{"plyscope":1}\n{"plyscope":1}\n{"id":1}',
        '{"plyscope":1,"root":{}}\n{"id":1}',
        '{"plyscope":9}\n{"id":1}',
        '{"id":1}\n{"result":3}',
        '{"id":1}\n{"id":2,"par',
        '{"plyscope":1}',
    ],
)
def test_lines_that_are_not_plain_are_left_to_the_patient_reader(text: str) -> None:
    assert large(text, lines=True) is None


def test_a_large_file_is_read_by_columns_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detect, "LARGE_BYTES", 1000)
    monkeypatch.setattr(scan, "NODES", 10)
    monkeypatch.setattr(detect, "read_native", None)
    path = tmp_path / "log.json"
    path.write_text(document(json.dumps({"children": [{"score": n} for n in range(500)]})))
    told: list[float] = []
    assert read_log_file(path, on_progress=told.append).n_rows == 501
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert max(after - before for before, after in itertools.pairwise(told[:-1])) < 0.1


def test_a_document_of_many_members_is_large_whatever_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b'{"a1":{"b1":{"a1":1,"c1":2}},"c1":{"a1":{"b1":3}}}'
    patient = read_log(text)
    monkeypatch.setattr(detect, "LARGE_MEMBERS", text.count(b":"))
    monkeypatch.setattr(detect, "_document", None)
    assert_same(read_log(text), patient)


def test_what_is_wrong_in_a_large_file_is_said_as_in_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "LARGE_BYTES", 0)
    told: list[float] = []
    with pytest.raises(LogError) as raised:
        read_log(document('{"children":[{},{"score":true}]}').encode(), on_progress=told.append)
    assert raised.value.path == "$.root.children[1].score"
    assert told == sorted(told)


def test_a_foreign_tree_is_never_read_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "LARGE_BYTES", 0)
    monkeypatch.setattr(large_logs, "read_large", None)
    assert read_log(b'{"name":"a","value":1,"children":[{"name":"b","value":2}]}').n_rows == 2


@pytest.mark.parametrize(
    "text",
    [
        document('{"score":1}', '"result":{"ply":"a","ply":"b"},'),
        document('{"tt":{"depth":1,"depth":2}}'),
        document('{"mine":[{"a":1,"a":2}]}'),
    ],
)
def test_a_key_that_comes_twice_within_a_value_is_left_to_the_reader_that_tells(text: str) -> None:
    assert large(text) is None
    assert any("is written twice in one object" in notice for notice in read_log(text.encode()).notices)
    in_lines = '{"plyscope":1}\n{"id":0}\n{"result":{"score":1,"score":2}}\n'
    assert large(in_lines, lines=True) is None
