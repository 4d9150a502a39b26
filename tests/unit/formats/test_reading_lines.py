"""JSON Lines: any order, updates, ids of any kind, and files that were cut short."""

from __future__ import annotations

import io
import json
from functools import partial

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.read.ours import read_ours
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from tests.unit.logs import log_of

LOG = log_of(
    {
        "score": 3,
        "layer": "max",
        "children": [{"ply": "a", "score": 3}, {"outcome": "pruned", "plies": ["b", "c"]}],
    },
    result={"ply": "a"},
)


def lines(*texts: str) -> bytes:
    return "\n".join(texts).encode()


def test_a_last_node_that_belongs_nowhere_is_left_out_before_a_result_too() -> None:
    data = lines('{"plyscope":1}', '{"id":0}', '{"id":5,"parent":4}', '{"result":{"score":1}}')
    for log in (read_log(data), read_ours(data, lines=True)):
        assert log is not None
        assert log.n_rows == 1
        assert log.notices == ("Line 3, the last, names the parent 4, which never came: it is left out.",)


def test_a_missing_parent_beyond_64_bits_is_told_with_its_line() -> None:
    data = lines('{"id":2,"parent":10000000000000000000}', '{"id":3,"parent":2}')
    for read in (read_log, partial(read_ours, lines=True)):
        with pytest.raises(LogError, match=r"^line 1, \$\.parent: found 10000000000000000000, expected"):
            read(data)


def test_a_log_cut_at_any_byte_loads_to_the_cut_or_says_why_not() -> None:
    """Cut within a line: a notice names it. Cut before the first node is whole: refused."""
    write_jsonl(LOG, out := io.BytesIO())
    data = out.getvalue()
    first_node_ends = data.index(b"\n", data.index(b"\n") + 1)
    for cut in range(len(data)):
        if cut < first_node_ends:
            with pytest.raises(LogError):
                read_log(data[:cut])
            continue
        log = read_log(data[:cut])
        whole_lines = [
            line for line in data[:cut].split(b"\n")[1:] if line.endswith(b"}") and b'"id"' in line
        ]
        is_partial = data[cut - 1 : cut] != b"\n" and data[cut : cut + 1] != b"\n"
        assert any("incomplete" in notice for notice in log.notices) == is_partial
        assert any("no result line" in notice for notice in log.notices) == ("result" not in log.header)
        assert log.n_rows == sum(line in data.split(b"\n") for line in whole_lines)


def test_a_log_printed_on_exit_and_cut_at_any_byte_loads_to_the_cut() -> None:
    nodes = [
        '{"id":3,"parent":2}',
        '{"id":4,"parent":2}',
        '{"id":2,"parent":1}',
        '{"id":5,"parent":1}',
        '{"id":1}',
    ]
    data = lines('{"plyscope":1,"game":"ü"}', *nodes, '{"result":{}}')
    starts = data.index(b"\n") + 1 + len(nodes[0])
    for cut in range(starts, len(data)):
        log = read_log(data[:cut])
        known = {int(number) for number in log.columns["id"]}
        assert {3, 2} <= known
        assert len(log.roots) == 1
    assert any("2 parents (ids 2, 1)" in n for n in read_log(lines(*nodes[:1], nodes[3])).notices)


def test_the_position_that_a_node_states_last_counts_before_one_said_to_be_left() -> None:
    lines = [{"id": 0, "position": "a"}, {"id": 0, "left_position": "x", "position": "b"}, {"result": None}]
    log = read_log(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    assert [log.text(int(log.columns[name][0])) for name in ("position", "left_position")] == ["a", "b"]
