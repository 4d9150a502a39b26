"""A short run of `make fuzz`: mutated logs are read alike by both roads or refused, large shapes opened."""

from __future__ import annotations

import gzip
from itertools import product
from typing import Any

import pytest

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.fields import FIELDS
from tests.fuzz import judged, running
from tests.fuzz.judged import input_of, judge
from tests.fuzz.seeds import seeds
from tests.fuzz.shapes import SHAPES
from tests.property.examples import examples

SEED = 2
N_INPUTS = 100
SMALL = 0.02


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "n"),
    [
        pytest.param(("texts", str(SEED)), examples(N_INPUTS), id="mutated logs, by both roads"),
        pytest.param(("compact", str(SEED)), examples(2 * N_INPUTS), id="compact logs with wrong bytes"),
        pytest.param(("asked", str(SEED)), examples(N_INPUTS // 2), id="verbs asked of hard numbers"),
        pytest.param(("shapes", str(SMALL)), len(SHAPES), id="fifty shapes with all their rows"),
    ],
)
def test_inputs_are_read_or_refused_with_a_sentence(kind: tuple[str, str], n: int) -> None:
    assert running.run(kind, 0, n) == []


def test_every_form_is_among_the_seeds_and_an_input_follows_from_its_number() -> None:
    names = [name for name, _ in seeds()]
    for part in (".jsonl", "zoo-", "toolkit.js", "_repr.txt", ".zst", ".two.gz", "refused-", "graph-"):
        assert any(part in name for name in names), part
    assert all(gzip.decompress(data) is not None for name, data in seeds() if name.endswith(".gz"))
    assert input_of(3, 5) == input_of(3, 5) != input_of(4, 5)


@pytest.mark.parametrize(
    "data",
    [
        b'{"plyscope":1,"roots":%d}' % 10**30,
        b'[{"id":1,"parentId":0,"name":"a"},{"id":2,"parentId":1,"name":%d}]' % 2**64,
        b'{"id":54,"parent":80}\r\n5.',
        b'{"dir\xde',
        b'"targe\xf4"',
        b'{"plyscope":1,"result":4,"root":{"score":1,"score":2',
        b'{"plyscope":1,"root":{"score":1,"score":2,"nodes":3,"nodes":4',
        b'{"plyscope":1,"root":{"score":1,"pre_scores":[%d],"children":[' % 10**400,
        b'{"plyscope":1,"root":{"score":1,"pre_scores":[1,%d' % 10**400,
        b'[{"id":1,"parentId":0},{"id":2,"parentId":1},{"id":3,"parentId":"\\n"}]',
        b'[{"\\n":1,"b":"c"},{"\\n":2,"b":"d"}]',
        b'{"id":1}\n{"name":"a","value":1,"children":[{"name":"b","value":2,"children":[[]]},{"name":"c"}]}',
        b'{"val":1,"left":{"val":5,"left":{"val":3},"val":{"right":2}},"right":{"val":4,"left":{"val":8}}}',
        b'{"val":1,"left":{"val":null,"left":{"val":3},"val":{"right":2}},"right":{"val":4,"left":{"val":8}}}',
        b'{"value":1,"children":[{"score":{"score":1},"score":{"score":1},"value":3}]}',
        b'{"id":0}\n{"id":1,"parent":0}\n{"id":1,"score":"x\r',
        b'{"id":0,"name":0.5}\n{"id":1,"parent":0}\n{"id":2,"parent":0,"sc',
        b'{"id":0}\n{"id":1,"paRent":0}\n{"id":2,"parent',
        b'{"id":94,"parent":68,"result":94}',
        b'{"plyscope":1,"result":4,"root*:{}\xea\xef',
    ],
)
def test_what_the_roads_once_read_otherwise_is_read_alike(data: bytes) -> None:
    """Numbers beyond 64 bits and beyond floats, numbers that touch a cut, half characters, names of a value
    and of a node, names written twice, names of more than one line, lines of others that are cut."""
    assert judge(data) is None


OPENED = (b"{", b"[", b'{"a":1', b"[1", b'{"a":{', b"[[", b"[{", b"[null,", b'["x",', b"(", b'"x', b"3")


@pytest.mark.parametrize("field", [*FIELDS, "children", "mine"])
def test_a_field_that_a_cut_left_open_is_judged_alike_by_both_roads(field: str) -> None:
    """One that takes no list or object is refused as soon as one begins; others are left out."""
    name = field.removeprefix("tt.")
    before = b'"tt":{' if name != field else b""
    for begin, value in product((b'"root":{', b'"roots":[{"score":1},{'), OPENED):
        data = b'{"plyscope":1,%b%b"%b":%b' % (begin, before, name.encode(), value)
        assert judge(data) is None, data


def refuse_at_length(data: bytes) -> None:
    raise LogError("a" * 3000)


@pytest.mark.parametrize(
    ("road", "broken", "said"),
    [
        ("_as_large", lambda data: judged.read_log(data.replace(b"1}", b"2}")), "the roads differ: "),
        ("_as_large", lambda data: 1 / 0, "the fast road fails: ZeroDivisionError"),
        ("read_log", lambda data: {}[data], "the slow road fails: KeyError"),
        ("read_log", refuse_at_length, "refused, but"),
    ],
)
def test_a_road_that_fails_differs_or_refuses_without_a_sentence_is_found(
    monkeypatch: pytest.MonkeyPatch, road: str, broken: Any, said: str
) -> None:
    data = b'{"plyscope":1,"root":{"score":1}}'
    assert judge(data) is None
    monkeypatch.setattr(judged, road, broken)
    assert str(judge(data)).startswith(said)


HANGING = """
import os, sys
from tests.fuzz import child

def judge(number):
    while number == 1:
        pass
    if number == 3:
        bytearray(child.MEMORY)
    if number == 4:
        sys.stderr.write("a long complaint" * 10_000)
        sys.stderr.flush()
        os._exit(9)
    return "wrong" if number == 5 else None

child.bound_memory()
child.judge_all(judge, 0.2)
"""


@pytest.mark.slow
def test_an_input_that_ends_its_process_is_named_and_the_others_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One never ends, one takes all memory, one ends the process, one is read wrongly."""
    monkeypatch.setattr(running, "CHILD", ("-c", HANGING))
    found = running.run(("texts", "1"), 0, 7)
    assert [failure.number for failure in found] == [1, 3, 4, 5]
    for failure, said in zip(found, ("takes too long", "MemoryError", "with 9", "wrong"), strict=True):
        assert said in failure.wrong
