"""Lines that come are read by the tape where they are plain JSON; a library reads the odd ones among them."""

from __future__ import annotations

import pytest

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following import growing_log
from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.formats.read.lines import read_lines
from tests.unit.logs import there
from tests.unit.same_logs import assert_same

PLAIN = b'{"id": %d, "parent": 0, "ply": "a1", "score": 2.5}\n'


def plain(first: int, n: int) -> bytes:
    return b"".join(PLAIN % number for number in range(first, first + n))


@pytest.mark.parametrize(
    "odd",
    [
        b"{id: 2000, parent: 0, ply: 'b2'}\n",
        b'{"id": 2000, "parent": 0, "score": 1, "score": 3}\n',
        b'{"id": 2000, "parent": 0, "score": 1e999}\n',
        b'{"id": 1, "score": 1}\n\n \n',
        b'{"result": {"score": 3}}\n',
        b'{"result": null}\n{"id": 1, "outcome": "leaf"}\n',
        b'{"id": 9007199254740993, "parent": 0}\n',
    ],
)
def test_of_many_lines_only_those_around_an_odd_one_are_read_one_by_one(
    odd: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_library: list[bytes] = []
    take = GrowingLog._take_by_library

    def counted(log: GrowingLog, data: bytes) -> None:
        by_library.append(data)
        take(log, data)

    monkeypatch.setattr(GrowingLog, "_take_by_library", counted)
    data = b'{"id": 0}\n' + plain(1, 1000) + odd + plain(3000, 1000)
    log = GrowingLog()
    log.run = compiled
    log.take(data)
    assert log.n_lines == data.count(b"\n")
    # Those around the odd one, of which the tape reads some kinds itself.
    assert len(by_library) <= 1
    assert max(map(len, by_library), default=0) <= growing_log.FEW_BYTES
    tree, expected = log.snapshot(is_final=True), read_lines(data)
    assert tree is not None
    assert tree.log.notices == expected.notices
    assert_same(tree.log, expected)


@pytest.mark.parametrize("compile_it", [False, True])
def test_what_came_before_a_wrong_line_of_the_same_piece_is_kept(compile_it: bool) -> None:
    log = GrowingLog()
    log.run = compiled if compile_it else None
    with pytest.raises(LogError, match=r"line 1003, \$.score: found true"):
        log.take(
            b'{"plyscope": 1}\n{"id": 0}\n' + plain(1, 1000) + b'{"id": 1, "score": true}\n' + plain(3000, 9)
        )
    assert (log.n_lines, log.n_nodes) == (1002, 1001)


def test_a_parent_with_a_name_of_another_kind_that_never_comes_is_an_open_node() -> None:
    log = GrowingLog()
    log.take(b'{"id": 0}\n{"id": 1, "parent": "x"}\n{"id": 2, "parent": -7}\n')
    tree = there(log.snapshot())
    assert log.n_waiting == 2
    for number in (10, 11, 12):  # a key that is written twice is told once
        log.take(b'{"id": %d, "parent": 0, "score": 1, "score": 2}\n' % number)
    assert sum("written twice" in notice for notice in there(log.snapshot()).log.notices) == 1
    assert sorted(tree.log.columns["id"].tolist())[:4] == [-7, 0, 1, 2]


def test_a_line_that_ends_within_its_object_is_refused() -> None:
    log = GrowingLog()
    with pytest.raises(LogError, match=r"the text ends inside the object that begins at line 2"):
        log.take(b'{"id": 1}\n{"id": 2,\r\n"parent": 1}\n')
    assert log.n_nodes == 1
