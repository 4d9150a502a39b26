"""Very deep, very wide and very long logs are read."""

from __future__ import annotations

import pytest

from plyscope.visualizer.formats.detect import read_log


def lines(*texts: str) -> bytes:
    return "\n".join(texts).encode()


def test_a_tree_100_000_levels_deep_loads() -> None:
    n_levels = 100_000
    log = read_log(b'{"plyscope":1,"root":' + b'{"children":[' * n_levels + b"{}" + b"]}" * n_levels + b"}")
    assert log.columns["level"].tolist() == list(range(n_levels + 1))


def test_lines_100_000_levels_deep_load_in_either_order() -> None:
    texts = ['{"id":0}', *(f'{{"id":{n},"parent":{n - 1}}}' for n in range(1, 100_001))]
    for order in (texts, texts[::-1]):
        assert int(read_log(lines(*order)).columns["level"][-1]) == 100_000


def test_one_node_with_100_000_children_loads() -> None:
    log = read_log(b'{"plyscope":1,"root":{"children":[' + b",".join([b'{"score":1}'] * 100_000) + b"]}}")
    assert log.n_rows == 100_001
    assert int(log.columns["level"].max()) == 1


def test_ten_megabytes_of_one_string_load() -> None:
    for written in ('{"plyscope":1,"root":{"ply":"%s"}}', "{plyscope:1,root:{ply:'%s'}}"):
        assert len(read_log((written % ("x" * 10_000_000)).encode()).texts[0]) == 10_000_000


def test_an_extra_field_100_000_levels_deep_is_kept() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    log = read_log(f'{{"plyscope":1,"root":{{"deep":{deep}}}}}'.encode())
    assert log.extras is not None
    assert log.extras.of(0) == f'{{"deep":{deep}}}'.encode()


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ('{"name":"a","score":1,"children":[', "]}"),
        ('{"name":"a","score":1,"children":{"e4":', "}}"),
        ('{"a":', "}"),
        ('{"score":1,"left":', "}"),
    ],
)
def test_a_tree_of_others_100_000_levels_deep_loads(begin: str, end: str) -> None:
    n = 100_000
    log = read_log((begin * n + '{"score":1}' + end * n).encode())
    assert int(log.columns["level"].max()) >= n - 1
