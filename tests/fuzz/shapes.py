"""Large logs made by hand, each of one extreme: every one is opened in bounded memory and time, or refused.

A shape is a function of its size: 1 is the size of `make fuzz`, about 200,000 nodes; the suite opens small
ones. It gives the bytes and how many rows they are: `REFUSED` where they are no log, `EITHER` where a limit
may have its say. It is longer than 300 lines because there are fifty of them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from typing import Final

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError

REFUSED: Final = -1
EITHER: Final = None
NODES: Final = 200_000
SECONDS_A_SHAPE: Final = 30
"""Processor time in which each is opened, making it included."""

Made = tuple[bytes, int | None]
Shape = Callable[[int], Made]
_shapes: list[Shape] = []


def _shape(function: Shape) -> Shape:
    _shapes.append(function)
    return function


def judge_shape(number: int, size: float) -> str | None:
    """A fault in how a shape is opened, in words; None where there is none."""
    data, n_rows = SHAPES[number](max(10, round(NODES * size)))
    try:
        log = read_log(data)
    except LogError as error:
        if n_rows in (REFUSED, EITHER) and str(error) and "\n" not in str(error):
            return None
        return f"refused: {str(error)[:300]}"
    except Exception as error:  # whatever it is, it is the finding
        return f"{type(error).__name__}: {str(error)[:300]}"
    if n_rows is not EITHER and log.n_rows != n_rows:
        return f"{log.n_rows:,} rows, expected {'a refusal' if n_rows == REFUSED else f'{n_rows:,}'}"
    return None


def _tree(children: Iterable[str], header: str = "") -> bytes:
    return f'{{"plyscope":1,{header}"root":{{"children":[{",".join(children)}]}}}}'.encode()


def _rooted(text: str) -> bytes:
    return f'{{"plyscope":1,"root":{text}}}'.encode()


def _lines(nodes: Iterable[str], header: str = '{"plyscope":1}') -> bytes:
    return "\n".join([header, *nodes, ""]).encode()


def _chain(opening: str, closing: str, n: int, innermost: str = "{}") -> str:
    return opening * (n - 1) + innermost + closing * (n - 1)


@_shape
def wide(n: int) -> Made:
    return _tree(f'{{"ply":"a{i}","score":{i}}}' for i in range(n)), n + 1


@_shape
def wide_with_long_nodes(n: int) -> Made:
    return _tree(f'{{"ply":"a","score":{i},"note":"{"x" * 80}"}}' for i in range(n)), n + 1


@_shape
def wide_in_lines(n: int) -> Made:
    nodes = (f'{{"id":{i},"parent":0,"score":{i}}}' for i in range(1, n))
    return _lines(['{"id":0}', *nodes]), n


@_shape
def deep(n: int) -> Made:
    return _rooted(_chain('{"ply":"a","children":[', "]}", n)), n


@_shape
def deep_with_the_children_first(n: int) -> Made:
    """Every field of a node stands behind all that is below it."""
    return _rooted(_chain('{"children":[', '],"score":1.5}', n)), n


@_shape
def deep_in_lines(n: int) -> Made:
    nodes = (f'{{"id":{i},"parent":{i - 1},"ply":"a"}}' for i in range(1, n))
    return _lines(['{"id":0}', *nodes]), n


@_shape
def a_comb(n: int) -> Made:
    """A chain, and a leaf beside each of its nodes."""
    half = n // 2
    return _rooted(_chain('{"children":[{"ply":"leaf"},', "]}", half)), 2 * half - 1


@_shape
def many_roots(n: int) -> Made:
    roots = ",".join(f'{{"iteration":{i},"score":{i}}}' for i in range(n))
    return f'{{"plyscope":1,"roots":[{roots}]}}'.encode(), n


@_shape
def many_roots_in_lines(n: int) -> Made:
    return _lines(f'{{"id":{i},"iteration":{i}}}' for i in range(n)), n


@_shape
def many_players(n: int) -> Made:
    names = [f"player {i}" for i in range(n)]
    children = (f'{{"ply":"a","player":"{name}"}}' for name in names)
    return _tree(children, f'"players":{json.dumps(names)},'), EITHER


@_shape
def many_players_that_no_header_names(n: int) -> Made:
    return _tree(f'{{"player":"player {i}"}}' for i in range(n)), EITHER


@_shape
def many_factors(n: int) -> Made:
    side = int(n**0.5)
    values = json.dumps([*range(side)])
    return _tree(f'{{"factors":{values}}}' for _ in range(side)), EITHER


@_shape
def one_list_of_many_factors(n: int) -> Made:
    """One node states them, and all others have room for them."""
    return _tree([f'{{"factors":{json.dumps([1] * 2_000)}}}', *["{}"] * n]), EITHER


@_shape
def contributions_of_another_name_on_each_node(n: int) -> Made:
    return _tree(f'{{"contributions":{{"factor {i}":1}}}}' for i in range(n)), EITHER


@_shape
def vectors_of_many_scores(n: int) -> Made:
    return _tree([f'{{"scores":{json.dumps([1] * 5_000)}}}', *["{}"] * n]), EITHER


@_shape
def huge_ids(n: int) -> Made:
    base = 2**53 - 10 * n
    nodes = (f'{{"id":{base + i},"parent":{base}}}' for i in range(1, n))
    return _lines([f'{{"id":{base}}}', *nodes]), EITHER


@_shape
def ids_far_apart(n: int) -> Made:
    nodes = (f'{{"id":{i * 7919},"parent":{(i - 1) // 2 * 7919}}}' for i in range(1, n))
    return _lines(['{"id":0}', *nodes]), n


@_shape
def long_texts(n: int) -> Made:
    return _tree(f'{{"why":"{i} {"x" * 2_000}"}}' for i in range(n // 20)), n // 20 + 1


@_shape
def one_huge_text(n: int) -> Made:
    return _tree([f'{{"why":"{"x" * (200 * n)}"}}']), 2


@_shape
def texts_of_escapes(n: int) -> Made:
    return _tree(f'{{"ply":"{chr(92)}u00e9{chr(92) * 40}"}}' for _ in range(n)), n + 1


@_shape
def boards_on_every_node(n: int) -> Made:
    board = "\\n".join(["........"] * 8)
    return _tree(f'{{"board":"{board}{i}","position":"{i} {"x" * 60}"}}' for i in range(n // 2)), n // 2 + 1


@_shape
def keys_of_many_positions(n: int) -> Made:
    return _tree(f'{{"key":"{i * 0x9E3779B97F4A7C15 % 2**64:016x}"}}' for i in range(n)), n + 1


@_shape
def keys_as_texts(n: int) -> Made:
    return _tree(f'{{"key":"position number {i}"}}' for i in range(n)), n + 1


@_shape
def keys_of_mixed_forms(n: int) -> Made:
    keys = (str(i) if i % 2 else f'"position {i}"' for i in range(n))
    return _tree(f'{{"key":{key}}}' for key in keys), n + 1


@_shape
def entries_that_name_nodes_far_away(n: int) -> Made:
    return _tree(f'{{"tt":{{"use":"cut","from":{n - i}}}}}' for i in range(n)), n + 1


@_shape
def children_before_their_parents(n: int) -> Made:
    nodes = [f'{{"id":{i},"parent":{(i - 1) // 3}}}' for i in range(1, n)]
    return _lines([*reversed(nodes), '{"id":0}']), n


@_shape
def a_chain_from_its_end(n: int) -> Made:
    nodes = [f'{{"id":{i},"parent":{i - 1}}}' for i in range(1, n)]
    return _lines([*reversed(nodes), '{"id":0}']), n


@_shape
def a_chain_that_is_a_circle(n: int) -> Made:
    return _lines(f'{{"id":{i},"parent":{(i + 1) % n}}}' for i in range(n)), REFUSED


@_shape
def one_node_told_again_and_again(n: int) -> Made:
    return _lines(f'{{"id":0,"score":{i}}}' for i in range(n)), 1


@_shape
def every_node_told_on_entry_and_on_exit(n: int) -> Made:
    half = n // 2
    entered = [f'{{"id":{i},"parent":{i - 1}}}' for i in range(1, half)]
    left = [f'{{"id":{i},"score":{i}}}' for i in reversed(range(half))]
    return _lines(['{"id":0}', *entered, *left]), half


@_shape
def tiny_gzip_members(n: int) -> Made:
    nodes = (f'{{"id":{i},"parent":0}}\n' for i in range(1, n // 4))
    return b"".join(gzip.compress(text.encode(), 1, mtime=0) for text in ('{"id":0}\n', *nodes)), n // 4


@_shape
def empty_gzip_members(n: int) -> Made:
    return gzip.compress(b"", mtime=0) * n + gzip.compress(b'{"plyscope":1,"root":{}}', mtime=0), 1


@_shape
def much_space_packed_small(n: int) -> Made:
    return gzip.compress(b'{"plyscope":1,' + b" " * (1_000 * n) + b'"root":{}}', 1, mtime=0), 1


@_shape
def a_wrong_value_deep_in_a_chain(n: int) -> Made:
    text = _chain('{"ply":"a","children":[', "]}", n, '{"score":true}')
    return _rooted(text), REFUSED


@_shape
def a_wrong_value_deep_in_lines(n: int) -> Made:
    nodes = (f'{{"id":{i},"parent":{i - 1}}}' for i in range(1, n))
    return _lines(['{"id":0}', *nodes, f'{{"id":{n},"parent":{n - 1},"score":true}}']), REFUSED


@_shape
def a_wrong_value_on_the_last_of_many_children(n: int) -> Made:
    return _tree([*["{}"] * n, '{"moves":-1}']), REFUSED


@_shape
def a_key_many_times(n: int) -> Made:
    return _rooted("{" + ",".join(['"score":1'] * n) + "}"), EITHER


@_shape
def fields_of_another_name_on_each_node(n: int) -> Made:
    return _tree(f'{{"field {i}":{i}}}' for i in range(n // 2)), n // 2 + 1


@_shape
def a_node_of_many_fields(n: int) -> Made:
    return _tree(["{" + ",".join(f'"field {i}":{i}' for i in range(n)) + "}"]), EITHER


@_shape
def a_field_nested_deep(n: int) -> Made:
    return _tree([f'{{"mine":{"[" * n}{"]" * n}}}']), EITHER


@_shape
def a_huge_header(n: int) -> Made:
    about = json.dumps({f"name {i}": "x" * 50 for i in range(n)})
    return f'{{"plyscope":1,"about":{about},"root":{{}}}}'.encode(), 1


@_shape
def a_huge_principal_variation(n: int) -> Made:
    return f'{{"plyscope":1,"result":{{"pv":{json.dumps(["a"] * n)}}},"root":{{}}}}'.encode(), EITHER


@_shape
def a_huge_stub(n: int) -> Made:
    plies, scores = json.dumps([f"a{i}" for i in range(n)]), json.dumps([*range(n)])
    return _tree([f'{{"outcome":"pruned","plies":{plies},"pre_scores":{scores}}}']), EITHER


@_shape
def many_stubs(n: int) -> Made:
    stub = '{"outcome":"limited","count":3,"plies":["a","b","c"],"pre_scores":[1,2,3]}'
    return _tree(f'{{"children":[{stub}]}}' for _ in range(n // 2)), n // 2 * 2 + 1


@_shape
def stubs_of_huge_counts(n: int) -> Made:
    return _tree('{"children":[{"outcome":"pruned","count":1000000000000}]}' for _ in range(n // 2)), EITHER


@_shape
def numbers_of_many_digits(n: int) -> Made:
    return _tree(f'{{"score":0.{"1234567890" * 40}}}' for _ in range(n // 10)), n // 10 + 1


@_shape
def indented_by_level(n: int) -> Made:
    levels = max(1, min(n // 100, 500))
    lines = []
    for level in range(levels):
        margin = " " * (8 * level)
        lines += [f'{margin}{{"score": {level}, "children": [', *[f'{margin}    {{"ply": "a"}},'] * 20]
    closings = [f"{' ' * (8 * level)}]}}" for level in reversed(range(levels))]
    return _rooted("\n".join([*lines, '{"ply": "last"}', *closings])), 21 * levels + 1


@_shape
def blank_lines(n: int) -> Made:
    return b'{"plyscope":1}\r\n' + b"\r\n" * (20 * n) + b'{"id":0}\r\n', 1


@_shape
def a_document_cut_short(n: int) -> Made:
    return wide(n)[0][:-100], EITHER


@_shape
def packed_lines_cut_short(n: int) -> Made:
    return gzip.compress(wide_in_lines(n)[0], 1, mtime=0)[: -n // 10], EITHER


@_shape
def in_two_bytes_a_letter(n: int) -> Made:
    data, n_rows = wide(n)
    return data.decode().encode("utf-16"), n_rows


@_shape
def a_foreign_tree_that_is_wide(n: int) -> Made:
    children = [{"name": f"a{i}", "value": i} for i in range(n // 2)]
    return json.dumps({"name": "root", "children": children}).encode(), n // 2 + 1


@_shape
def a_foreign_tree_that_is_deep(n: int) -> Made:
    return _chain(
        '{"name":"a","value":1,"children":[', "]}", n // 2, '{"name":"z","value":2}'
    ).encode(), n // 2


@_shape
def foreign_rows_that_name_their_parents(n: int) -> Made:
    rows = [{"id": i, "parent": (i - 1) // 2 if i else None, "value": i} for i in range(n // 2)]
    return json.dumps(rows).encode(), n // 2


@_shape
def a_foreign_graph_of_nodes_and_links(n: int) -> Made:
    half = n // 4
    nodes = [{"id": i, "name": f"n{i}"} for i in range(half)]
    links = [{"source": (i - 1) // 2, "target": i} for i in range(1, half)]
    return json.dumps({"nodes": nodes, "links": links}).encode(), half


@_shape
def an_infovis_graph(n: int) -> Made:
    half = n // 4
    nodes = [
        {
            "id": f"n{i}",
            "name": f"n{i}",
            "data": {},
            "adjacencies": [f"n{c}" for c in (2 * i + 1, 2 * i + 2) if c < half],
        }
        for i in range(half)
    ]
    return json.dumps(nodes).encode(), half


@_shape
def a_literal_of_javascript(n: int) -> Made:
    children = ",".join(f"{{name: 'a{i}', value: {i}}}" for i in range(n // 10))
    return f"var json = {{name: 'root', children: [{children}]}};".encode(), n // 10 + 1


@_shape
def a_deep_literal_of_javascript(n: int) -> Made:
    return _chain("{name: 'a', children: [", "]}", n // 10, "{name: 'z'}").encode(), n // 10


@_shape
def a_literal_of_python(n: int) -> Made:
    return repr(
        {"name": "r", "children": [{"name": str(i), "ok": True} for i in range(n // 10)]}
    ).encode(), n // 10 + 1


@_shape
def brackets_alone(n: int) -> Made:
    return b"[" * (5 * n), REFUSED


@_shape
def braces_and_keys_alone(n: int) -> Made:
    return b'{"children":[' * n, REFUSED


SHAPES: Final[tuple[Shape, ...]] = tuple(_shapes)
