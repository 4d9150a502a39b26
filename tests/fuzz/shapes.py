"""Large logs made by hand, each of one extreme: every one is opened in bounded memory and time, or refused.

A shape is a text of some size: 1 is the size of `make fuzz`, about 200,000 nodes; the suite opens small ones.
As what they are read is held by tests/equality.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from typing import Final

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError

NODES: Final = 200_000


def shape(name: str, n: int) -> bytes:
    made = SHAPES[name](n)
    return made.encode() if isinstance(made, str) else made


def judge_shape(number: int, size: float) -> str | None:
    """A fault in how a shape is opened, in words; None where there is none."""
    try:
        read_log(shape([*SHAPES][number], max(10, round(NODES * size))))
    except LogError as error:
        if not str(error) or "\n" in str(error):
            return f"refused, but not with a sentence: {str(error)[:300]!r}"
    except Exception as error:  # whatever it is, it is the finding
        return f"{type(error).__name__}: {str(error)[:300]}"
    return None


def _rooted(text: str) -> str:
    return f'{{"plyscope":1,"root":{text}}}'


def _tree(children: Iterable[str], header: str = "") -> str:
    return f'{{"plyscope":1,{header}"root":{{"children":[{",".join(children)}]}}}}'


def _many(n: int, node: Callable[[int], str]) -> str:
    """A root with `n` children."""
    return _tree(map(node, range(n)))


def _lines(nodes: Iterable[str]) -> str:
    return "\n".join(['{"plyscope":1}', *nodes, ""])


def _rows(n: int, parent: Callable[[int], int], more: str = "") -> list[str]:
    """Lines of all nodes but the root's with their parents; § stands for a node's number."""
    fields = (f'"id":{i},"parent":{parent(i)}{more.replace("§", str(i))}' for i in range(1, n))
    return ['{"id":0}', *(f"{{{each}}}" for each in fields)]


def _chain(opening: str, closing: str, n: int, innermost: str = "{}") -> str:
    return opening * (n - 1) + innermost + closing * (n - 1)


def _packed(texts: Iterable[str]) -> bytes:
    return b"".join(gzip.compress(text.encode(), 1, mtime=0) for text in texts)


def _wide(n: int) -> str:
    return _many(n, lambda i: f'{{"ply":"a{i}","score":{i}}}')


def _wide_lines(n: int) -> str:
    return _lines(_rows(n, lambda i: 0, ',"score":§'))


def _roots(roots: Iterable[str]) -> str:
    return f'{{"plyscope":1,"roots":[{",".join(roots)}]}}'


def _many_players(n: int) -> str:
    names = [f"player {i}" for i in range(n)]
    children = (f'{{"ply":"a","player":"{name}"}}' for name in names)
    return _tree(children, f'"players":{json.dumps(names)},')


def _told_twice(n: int) -> str:
    left = [f'{{"id":{i},"score":{i}}}' for i in reversed(range(n))]
    return _lines([*_rows(n, lambda i: i - 1), *left])


def _huge_ids(n: int) -> str:
    base = 2**53 - 10 * n
    nodes = (f'{{"id":{base + i},"parent":{base}}}' for i in range(1, n))
    return _lines([f'{{"id":{base}}}', *nodes])


def _ids_far_apart(n: int) -> str:
    nodes = (f'{{"id":{i * 7919},"parent":{(i - 1) // 2 * 7919}}}' for i in range(1, n))
    return _lines(['{"id":0}', *nodes])


def _indented_by_level(n: int) -> str:
    levels = max(1, min(n // 100, 500))
    lines = []
    for level in range(levels):
        margin = " " * (8 * level)
        lines += [f'{margin}{{"score": {level}, "children": [', *[f'{margin}    {{"ply": "a"}},'] * 20]
    closings = [f"{' ' * (8 * level)}]}}" for level in reversed(range(levels))]
    return _rooted("\n".join([*lines, '{"ply": "last"}', *closings]))


def _huge_stub(n: int) -> str:
    plies, scores = json.dumps([f"a{i}" for i in range(n)]), json.dumps([*range(n)])
    return _tree([f'{{"outcome":"pruned","plies":{plies},"pre_scores":{scores}}}'])


def _graph(n: int) -> str:
    nodes = [{"id": i, "name": f"n{i}"} for i in range(n)]
    links = [{"source": (i - 1) // 2, "target": i} for i in range(1, n)]
    return json.dumps({"nodes": nodes, "links": links})


def _infovis(n: int) -> str:
    below = [[f"n{child}" for child in (2 * i + 1, 2 * i + 2) if child < n] for i in range(n)]
    nodes = [{"id": f"n{i}", "name": f"n{i}", "data": {}, "adjacencies": below[i]} for i in range(n)]
    return json.dumps(nodes)


def _javascript(n: int) -> str:
    children = ",".join(f"{{name: 'a{i}', value: {i}}}" for i in range(n))
    return f"var json = {{name: 'root', children: [{children}]}};"


PLY: Final = '{"ply":"a","children":['
FIRST: Final = '{"children":['
BOARD: Final = "\\n".join(["........"] * 8)
STUB: Final = '{"outcome":"limited","count":3,"plies":["a","b","c"],"pre_scores":[1,2,3]}'
CUT: Final = '{"outcome":"pruned","count":1000000000000}'

SHAPES: Final[dict[str, Callable[[int], str | bytes]]] = {
    "wide": lambda n: _wide(n),
    "wide_with_long_nodes": lambda n: _many(n, lambda i: f'{{"ply":"a","score":{i},"note":"{"x" * 80}"}}'),
    "wide_in_lines": lambda n: _wide_lines(n),
    "deep": lambda n: _rooted(_chain(PLY, "]}", n)),
    "deep_with_the_children_first": lambda n: _rooted(_chain(FIRST, '],"score":1.5}', n)),
    "deep_in_lines": lambda n: _lines(_rows(n, lambda i: i - 1, ',"ply":"a"')),
    "a_comb": lambda n: _rooted(_chain(FIRST + '{"ply":"leaf"},', "]}", n // 2)),
    "many_roots": lambda n: _roots(f'{{"iteration":{i},"score":{i}}}' for i in range(n)),
    "many_roots_in_lines": lambda n: _lines(f'{{"id":{i},"iteration":{i}}}' for i in range(n)),
    "many_players": _many_players,
    "many_players_that_no_header_names": lambda n: _tree(f'{{"player":"player {i}"}}' for i in range(n)),
    "many_factors": lambda n: _tree([f'{{"factors":{json.dumps([*range(int(n**0.5))])}}}'] * int(n**0.5)),
    # One node states them, and all others have room for them.
    "one_list_of_many_factors": lambda n: _tree([f'{{"factors":{json.dumps([1] * 2_000)}}}', *["{}"] * n]),
    "contributions_of_another_name_on_each_node": lambda n: _tree(
        f'{{"contributions":{{"factor {i}":1}}}}' for i in range(n)
    ),
    "vectors_of_many_scores": lambda n: _tree([f'{{"scores":{json.dumps([1] * 5_000)}}}', *["{}"] * n]),
    "huge_ids": _huge_ids,
    "ids_far_apart": _ids_far_apart,
    "long_texts": lambda n: _many(n // 20, lambda i: f'{{"why":"{i} {"x" * 2_000}"}}'),
    "one_huge_text": lambda n: _tree([f'{{"why":"{"x" * (200 * n)}"}}']),
    "texts_of_escapes": lambda n: _tree([f'{{"ply":"{chr(92)}u00e9{chr(92) * 40}"}}'] * n),
    "boards_on_every_node": lambda n: _many(
        n // 2, lambda i: f'{{"board":"{BOARD}{i}","position":"{i} {"x" * 60}"}}'
    ),
    "keys_of_many_positions": lambda n: _many(
        n, lambda i: f'{{"key":"{i * 0x9E3779B97F4A7C15 % 2**64:016x}"}}'
    ),
    "keys_as_texts": lambda n: _many(n, lambda i: f'{{"key":"position number {i}"}}'),
    "keys_of_mixed_forms": lambda n: _many(
        n, lambda i: f'{{"key":{i if i % 2 else chr(34) + f"position {i}" + chr(34)}}}'
    ),
    "entries_that_name_nodes_far_away": lambda n: _many(
        n, lambda i: f'{{"tt":{{"use":"cut","from":{n - i}}}}}'
    ),
    "children_before_their_parents": lambda n: _lines(_rows(n, lambda i: (i - 1) // 3)[::-1]),
    "a_chain_from_its_end": lambda n: _lines(_rows(n, lambda i: i - 1)[::-1]),
    "a_chain_that_is_a_circle": lambda n: _lines(f'{{"id":{i},"parent":{(i + 1) % n}}}' for i in range(n)),
    "one_node_told_again_and_again": lambda n: _lines(f'{{"id":0,"score":{i}}}' for i in range(n)),
    "every_node_told_on_entry_and_on_exit": lambda n: _told_twice(n // 2),
    "tiny_gzip_members": lambda n: _packed(f"{row}\n" for row in _rows(n // 4, lambda i: 0)),
    "empty_gzip_members": lambda n: _packed([*[""] * n, _rooted("{}")]),
    "much_space_packed_small": lambda n: _packed(['{"plyscope":1,' + " " * (1_000 * n) + '"root":{}}']),
    "a_wrong_value_deep_in_a_chain": lambda n: _rooted(_chain(PLY, "]}", n, '{"score":true}')),
    "a_wrong_value_deep_in_lines": lambda n: _lines(
        [*_rows(n, lambda i: i - 1), f'{{"id":{n},"parent":{n - 1},"score":true}}']
    ),
    "a_wrong_value_on_the_last_of_many_children": lambda n: _tree([*["{}"] * n, '{"moves":-1}']),
    "a_key_many_times": lambda n: _rooted("{" + ",".join(['"score":1'] * n) + "}"),
    "fields_of_another_name_on_each_node": lambda n: _many(n // 2, lambda i: f'{{"field {i}":{i}}}'),
    "a_node_of_many_fields": lambda n: _tree(["{" + ",".join(f'"field {i}":{i}' for i in range(n)) + "}"]),
    "a_field_nested_deep": lambda n: _tree([f'{{"mine":{"[" * n}{"]" * n}}}']),
    "a_huge_header": lambda n: (
        f'{{"plyscope":1,"about":{json.dumps({f"name {i}": "x" * 50 for i in range(n)})},"root":{{}}}}'
    ),
    "a_huge_principal_variation": lambda n: (
        f'{{"plyscope":1,"result":{{"pv":{json.dumps(["a"] * n)}}},"root":{{}}}}'
    ),
    "a_huge_stub": _huge_stub,
    "many_stubs": lambda n: _tree([f'{{"children":[{STUB}]}}'] * (n // 2)),
    "stubs_of_huge_counts": lambda n: _tree([f'{{"children":[{CUT}]}}'] * (n // 2)),
    "numbers_of_many_digits": lambda n: _tree([f'{{"score":0.{"1234567890" * 40}}}'] * (n // 10)),
    "indented_by_level": _indented_by_level,
    "blank_lines": lambda n: '{"plyscope":1}\r\n' + "\r\n" * (20 * n) + '{"id":0}\r\n',
    "a_document_cut_short": lambda n: _wide(n)[:-100],
    "packed_lines_cut_short": lambda n: _packed([_wide_lines(n)])[: -n // 10],
    "in_two_bytes_a_letter": lambda n: _wide(n).encode("utf-16"),
    "a_foreign_tree_that_is_wide": lambda n: json.dumps(
        {"name": "root", "children": [{"name": f"a{i}", "value": i} for i in range(n // 2)]}
    ),
    "a_foreign_tree_that_is_deep": lambda n: _chain(
        '{"name":"a","value":1,"children":[', "]}", n // 2, '{"name":"z","value":2}'
    ),
    "foreign_rows_that_name_their_parents": lambda n: json.dumps(
        [{"id": i, "parent": (i - 1) // 2 if i else None, "value": i} for i in range(n // 2)]
    ),
    "a_foreign_graph_of_nodes_and_links": lambda n: _graph(n // 4),
    "an_infovis_graph": lambda n: _infovis(n // 4),
    "a_literal_of_javascript": lambda n: _javascript(n // 10),
    "a_deep_literal_of_javascript": lambda n: _chain("{name: 'a', children: [", "]}", n // 10, "{name: 'z'}"),
    "a_literal_of_python": lambda n: repr(
        {"name": "r", "children": [{"name": str(i), "ok": True} for i in range(n // 10)]}
    ),
    "brackets_alone": lambda n: "[" * (5 * n),
    "braces_and_keys_alone": lambda n: FIRST * n,
    "a_deep_log_cut_short": lambda n: '{"plyscope":1,"root":' + PLY * n,
    "children_by_ply_deep": lambda n: _chain('{"score":1,"children":{"a":', "}}", n, '{"score":2}'),
    "maps_in_maps_deep": lambda n: _chain('{"b":1,"a":', "}", n, "2"),
    "two_sides_deep": lambda n: _chain('{"score":1,"left":', "}", n, '{"score":2}'),
    "pairs_deep": lambda n: _chain('["a",[', "]]", n, '["b",1]'),
    "lists_deep": lambda n: _chain("[1,", "]", n, "[2,3]"),
    "a_header_nested_deep": lambda n: f'{{"plyscope":1,"mine":{"[" * n}{"]" * n},"root":{{}}}}',
    "a_field_of_others_nested_deep": lambda n: _chain(
        '{"score":1,"children":[{"score":2,"mine":{"a":', "}}]}", 2, _chain('{"a":', "}", n, "1")
    ),
    "foreign_rows_in_a_chain": lambda n: json.dumps(
        [{"id": i, "parent": i - 1 if i else None, "score": i} for i in range(n)]
    ),
}
"""By name."""
