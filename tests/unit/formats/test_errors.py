"""Bad input is refused with one sentence; literals as people paste them, of which nothing runs.

Of the sentences here stand those by which no text of `odd_texts.json` or `hard_values.json` is refused.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import CutShort, LogError, shown
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.literal.reader import read_literal

OF_A_NODE = {
    '"layer":"maximum"': 'layer: found "maximum", expected one of "max", "min", "chance", "other"',
    '"outcome":["leaf"]': 'outcome: found a list, expected one of "searched", "cutoff", "leaf", "terminal", '
    '"tt", "stopped", "open", "pruned", "limited", "skipped", "unlogged"',
    '"moves":2.5': "moves: found 2.5, expected a whole number from 0 to 2147483647",
    '"moves":-1': "moves: found -1, expected a whole number from 0 to 2147483647",
    '"in_check":"yes"': 'in_check: found "yes", expected true or false',
    '"in_check":2': "in_check: found 2, expected true or false",
    '"player":[]': "player: found a list, expected the name of a player",
    '"key":1.5': "key: found 1.5, expected a position key, a text or a whole number of 64 bits",
    '"factors":3': "factors: found 3, expected a list of numbers",
    '"contributions":[1]': 'contributions: found a list, expected an object such as {"mobility": 15}',
    '"tt":"cut"': 'tt: found "cut", expected an object such as {"use": "cut", "score": 9.5}',
    '"plies":"a1"': 'plies: found "a1", expected a list of plies',
    '"pre_scores":{}': "pre_scores: found an object, expected a list of numbers",
    '"count":9223372036854775808': "count: found 9223372036854775808, expected a whole number from 0 to "
    "9223372036854775807",
}
OF_A_HEADER = {
    '"players":"x","root":{}': 'players: found "x", expected a list of the players\' names',
    '"factors":{},"root":{}': "factors: found an object, expected a list of factors",
    '"factors":[{"name":"a","meaning":["x"]}],"root":{}': "factors[0].meaning: found a list, expected a text",
    '"result":{"bound":3},"root":{}': 'result.bound: found 3, expected one of "upper", "lower", "exact"',
    '"search":{"perspective":"first"},"root":{}': 'search.perspective: found "first", but neither '
    "`search.root_player` nor `player` on a node says who is at the root",
    '"players":["x"],"search":{"root_player":2},"root":{}': "search.root_player: found 2, expected one of "
    "the players: x",
    '"search":{"table_carried":1},"root":{}': "search.table_carried: found 1, expected true or false",
    '"search":{"range":[1]},"root":{}': "search.range: found a list, expected a list of two numbers",
    '"players":["x","o"],"root":{"player":"y"}': 'root.player: found "y", expected one of the players: x, o',
    f'"players":["{"x" * 50}","o"],"root":{{"player":"y"}}': 'root.player: found "y", expected one of the '
    f"players: {'x' * 39}…, o",
    f'"players":{json.dumps([str(n) for n in range(30_001)])},"root":{{}}': "players: found 30,001 players, "
    "expected at most 30,000",
}
OF_A_LINE = {
    '{"id":2,"parent":[]}': ", $.parent: found a list, expected the id of a node or null",
    '{"id":2,"parent":9}\n{"id":3,"parent":0}\n': ": the parent 9 never comes, expected the id of a node",
    '{"id":0,"parent":1}': ", $.parent: node 0 is under 1 here, but it was a root before, expected the same "
    "parent",
}
OF_CODE = {
    "{root: build(3)}": "8: found a call of `build`, expected a value; code is not run",
    "{a: `${x}`}": "6: found `${` in a template, expected a plain text; code is not run",
    "{[a]: 1}": "2: found a computed key, expected a name; code is not run",
    "{a() {}}": "2: found the method `a`, expected a value; code is not run",
    "{a: 'b\n'}": "5: found a quoted text that its line does not close, expected ' before its end",
    "{a: 1.2.3}": '8: found ".", expected a number that ends here',
    "[1 /* two": "4: the text ends inside the comment that begins here",
    '"{a: }"': '5: inside the quoted text: found "}", expected a value',
}
REFUSED = [
    *((f'{{"plyscope":1,"root":{{{said}}}}}', f"$.root.{sentence}") for said, sentence in OF_A_NODE.items()),
    *((f'{{"plyscope":1,{said}}}', f"$.{sentence}") for said, sentence in OF_A_HEADER.items()),
    *((f'{{"id":0}}\n{{"id":1,"parent":0}}\n{line}', f"line 3{said}") for line, said in OF_A_LINE.items()),
    *((text, f"line 1, column {sentence}") for text, sentence in OF_CODE.items()),
    (
        f'{{"plyscope":1,"deep":{"[" * 2000}{"]" * 2000},"root":{{}}}}',
        "$: the header is nested deeper than 100 levels, expected fewer",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_bad_input_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(LogError) as caught:
        read_log(text.encode())
    assert str(caught.value) == sentence


THOUSANDS = "{}," * 40_000
CHAIN = ".children[1]" * 20
PLACES = {
    "$.root.children[40000].score": f'{{"children":[{THOUSANDS}{{"score":false}},{THOUSANDS}{{"ply":1}}]}}',
    "$.root.children[30000].player": json.dumps({"children": [{"player": f"{n}"} for n in range(40_000)]}),
    f"$.root{CHAIN} … 10 levels … {CHAIN}.score": '{"children":[{},' * 50 + '{"score":true}' + "]}" * 50,
}
"""The first of two wrong nodes among thousands, one player too many, and a node far down."""


@pytest.mark.parametrize(("path", "root"), PLACES.items(), ids=["thousands", "players", "far down"])
def test_the_first_bad_node_is_named_by_its_path(path: str, root: str) -> None:
    with pytest.raises(LogError) as caught:
        read_log(f'{{"plyscope":1,"root":{root}}}'.encode())
    assert caught.value.path == path


def test_a_value_in_an_error_is_kept_short_and_a_name_told_on_one_line() -> None:
    assert len(shown("x" * 10_000)) < 80
    assert shown(10**5000) == "a number of more than 60 digits"
    with pytest.raises(LogError, match=r"after the key `a\\nb`"):
        read_literal('{"a\\nb", 1}')
    with pytest.raises(LogError) as caught:  # places count lines of every kind
        read_literal("[1,\r\n2,\r3,\n  x]", first_line=10)
    assert (caught.value.line, caught.value.column) == (13, 3)


VALUES: dict[str, Any] = {
    "{a: 1}": {"a": 1},
    "{'a': 'it\\'s'}": {"a": "it's"},
    "{$a_1: 1, é: 2, 3: 4, 'x y': 5, 1.5: 6, 0x10: 7}": {
        "$a_1": 1, "é": 2, "3": 4, "x y": 5, "1.5": 6, "16": 7,
    },
    "{new: 1, class: 2, true: 3}": {"new": 1, "class": 2, "true": 3},
    **{"[1, 2, ]": [1, 2], "[1, , 2]": [1, None, 2], "{a: 1, }": {"a": 1}, "[]": [], "{}": {}},
    "// why\n[1, /* two */ 2 // three\n]": [1, 2],
    "[0x1F, 0b11, 0o17, .5, 5., +1, -1]": [31, 3, 15, 0.5, 5.0, 1, -1],
    "[1e3, 1_000, 10n, - 2]": [1000.0, 1000, 10, -2],
    "[Infinity, -Infinity, +Infinity]": [float("inf"), float("-inf"), float("inf")],
    "[true, false, null, undefined, True, False, None]": [True, False, None, None, True, False, None],
    "`a\nb`": "a\nb",
    "[`\\${no}`, `\\\\`]": ["${no}", "\\"],
    r"'\x41\u0042\u{1F600}\n\t\0\q\
'": "AB\U0001f600\n\t\0q",
    '"\\ud83d\\ude00"': "\U0001f600",
    "var json = {a: 1};": {"a": 1},
    "let x=[1]": [1],
    "const tree: Tree = {a: 1}": {"a": 1},
    "export const tree = {a: 1};": {"a": 1},
    "export default {a: 1}": {"a": 1},
    "window.tree = {a: 1}": {"a": 1},
    "module.exports = [1]": [1],
    "window['tree'] = [1]": [1],
    "exports.a = b = [1]": [1],
    "({'a': 1})": {"a": 1},
    "'use strict';\nvar a = [1];": [1],
    "(({a: (1)}))": {"a": 1},
    '"{\\"a\\": 1}"': {"a": 1},
    "'[1, 2]'": [1, 2],
    '"\\"[1]\\""': '"[1]"',
    "{a: '<b onclick=\"f()\">'}": {"a": '<b onclick="f()">'},
    "{__proto__: 1}": {"__proto__": 1},
    "{a: 1, a: 2}": {"a": 2},
    "[18446744073709551615, 18446744073709551616, -9223372036854775809]": [
        18446744073709551615, 18446744073709551616, -9223372036854775809,
    ],
    "\ufeff[1]": [1],
    "{'move': (0, 2), 'score': 3}": {"move": [0, 2], "score": 3},
    "[(1,), ()]": [[1], []],
    "(3)": 3,
    "{'a': ((1, 2), ('b', (3,)))}": {"a": [[1, 2], ["b", [3]]]},
    "{(0, 1): {'v': 3}, ('e2', 'e4'): 1}": {"0,1": {"v": 3}, "e2,e4": 1},
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), VALUES.items(), ids=range(len(VALUES)))
def test_a_literal_writes_this_value(text: str, value: Any) -> None:
    read = read_literal(text)
    assert repr(read.value) == repr(value)
    assert read.notices == ()


def test_what_a_literal_loses_is_noticed_and_no_level_of_it_is_lost() -> None:
    texts = {"var a = [1];\nrun();": 2, "[1]\nrun()": 2, "[1]; x": 1, "[1]\n[2]": 2}
    for text, line in {**texts, "var a = [1], b = [2];": 1}.items():
        read = read_literal(text)
        said = f"What follows the literal, from line {line} on, was ignored."
        assert (read.value, read.notices) == ([1], (said,))
    read = read_literal(r'["\ud800x"]')
    said = "Halves of characters (lone surrogates) were replaced by \N{REPLACEMENT CHARACTER}."
    assert (read.value, read.notices) == (["\N{REPLACEMENT CHARACTER}x"], (said,))
    value, depth = read_literal("{a:[" * 50_000 + "]}" * 50_000).value, 0
    while value:
        value = value["a"] if isinstance(value, dict) else value[0]
        depth += 1
    assert depth == 99_999


@pytest.mark.parametrize(
    "text",
    ["[1].map(f)", "[1] + x", "[1](2)", "[1]]", "[1] : 2", "f({a: 1})", "() => [1]", "function f() {}",
     "[...x]", "{get a() {}}", "{a}", "new Map()", "`${1}`", "[typeof x]", "[import('x')]", "[a.b]",
     "[-true]",     "[01a]", "(1, 2", "[(1, 2]", "(1 2)", "() => 3", "{(0, 1) 3}", "[(1, 2)",
     "[1 2]", "{a: 1 b: 2}", "{a 1}", "{,}", "[eval('1')]", "x => x", "a == [1]", "{'a\u2028': }"],
)  # fmt: skip
def test_what_is_no_literal_is_refused_with_line_and_column(text: str) -> None:
    with pytest.raises(LogError) as caught:
        read_literal(text)
    assert caught.value.line == 1
    assert caught.value.column is not None


@pytest.mark.parametrize(
    "text",
    ["[", "[1", "[1,", "{", "{a", "{a:", "{a: 1", '{"a', "[tru", "[-", "[1 //", "[/*", "(", "var a =", "'a\\",
     "[nul", "[Infin", "-Infi"],
)  # fmt: skip
def test_a_text_that_ends_amid_its_value_is_cut_short(text: str) -> None:
    with pytest.raises(CutShort):
        read_literal(text)


def test_numbers_beyond_64_bits_are_infinite_with_a_notice_and_what_json_lacks_is_written_as_words() -> None:
    said = "Numbers beyond 1.8e308, the largest that 64 bits hold, were read as infinite."
    for number in ("1e999", "-1e400", "9" * 400, "-" + "9" * 400, "+1e309"):
        read = read_literal(f"[1.5, {number}, Infinity]")
        assert (abs(read.value[1]), read.notices) == (float("inf"), (said,))
    assert read_literal("[1.5, Infinity, 1e308]").notices == ()
    odd = '[18446744073709551616,"\N{REPLACEMENT CHARACTER}",{}]'.encode()
    assert json_bytes({"a": [1, None, float("nan"), float("-inf")]}) == b'{"a":[1,null,"nan","-inf"]}'
    assert json_bytes([2**64, "\ud800", {}]) == odd
    assert json_bytes([10**5000, -(10**5000), True, 1.5, [], (1,)]) == b'["inf","-inf",true,1.5,[],[1]]'
