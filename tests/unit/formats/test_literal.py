"""Literals as people paste them: what they write, and that nothing of them runs."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.literal.reader import read_literal

VALUES: dict[str, Any] = {
    "{a: 1}": {"a": 1},
    "{'a': 'it\\'s'}": {"a": "it's"},
    "{$a_1: 1, é: 2, 3: 4, 'x y': 5, 1.5: 6, 0x10: 7}": {
        "$a_1": 1, "é": 2, "3": 4, "x y": 5, "1.5": 6, "16": 7,
    },
    "{new: 1, class: 2, true: 3}": {"new": 1, "class": 2, "true": 3},
    "[1, 2, ]": [1, 2],
    "[1, , 2]": [1, None, 2],
    "{a: 1, }": {"a": 1},
    "[]": [],
    "{}": {},
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
    "'use strict';\nvar a = [1];": [1],
    "exports.a = b = [1]": [1],
    "(({a: (1)}))": {"a": 1},
    '"{\\"a\\": 1}"': {"a": 1},
    "'[1, 2]'": [1, 2],
    '"\\"[1]\\""': '"[1]"',
    "{a: '<b onclick=\"f()\">'}": {"a": '<b onclick="f()">'},
    "{__proto__: 1}": {"__proto__": 1},
    "{a: 1, a: 2}": {"a": 2},
    "[18446744073709551615, 18446744073709551616, -9223372036854775809]": [
        18446744073709551615, 18446744073709551616.0, -9223372036854775809.0,
    ],
    "\ufeff[1]": [1],
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), VALUES.items(), ids=range(len(VALUES)))
def test_a_literal_writes_this_value(text: str, value: Any) -> None:
    read = read_literal(text)
    assert repr(read.value) == repr(value)
    assert read.notices == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("var a = [1];\nrun();", 2),
        ("[1]\nrun()", 2),
        ("[1]; x", 1),
        ("var a = [1], b = [2];", 1),
        ("[1]\n[2]", 2),
    ],
)
def test_statements_after_the_literal_are_ignored_with_a_notice(text: str, line: int) -> None:
    read = read_literal(text)
    assert read.value == [1]
    assert read.notices == (f"What follows the literal, from line {line} on, was ignored.",)


@pytest.mark.parametrize(
    "text",
    ["[1].map(f)", "[1] + x", "[1](2)", "[1]]", "[1] : 2", "f({a: 1})", "() => [1]", "function f() {}",
     "[...x]", "{get a() {}}", "{a}", "new Map()", "`${1}`", "[typeof x]", "[import('x')]", "[a.b]",
     "[-true]",     "[01a]",
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


def test_places_count_lines_of_every_kind() -> None:
    with pytest.raises(LogError) as caught:
        read_literal("[1,\r\n2,\r3,\n  x]", first_line=10)
    assert (caught.value.line, caught.value.column) == (13, 3)


def test_half_characters_are_mended_with_a_notice() -> None:
    read = read_literal(r'["\ud800x"]')
    assert read.value == ["\N{REPLACEMENT CHARACTER}x"]
    assert read.notices == (
        "Halves of characters (lone surrogates) were replaced by \N{REPLACEMENT CHARACTER}.",
    )


@pytest.mark.parametrize("number", ["1e999", "-1e400", "9" * 400, "-" + "9" * 400, "+1e309"])
def test_numbers_too_large_for_64_bits_are_infinite_with_a_notice(number: str) -> None:
    read = read_literal(f"[1.5, {number}, Infinity]")
    assert abs(read.value[1]) == float("inf")
    assert read.notices == ("Numbers beyond 1.8e308, the largest that 64 bits hold, were read as infinite.",)
    assert read_literal("[1.5, Infinity, 1e308]").notices == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"plyscope": 1, "root": {"score": 1e999}}',
        '{"plyscope": 1}\n{"id": 0, "score": 1e999}\n',
        '{"score": 1e999, "kids": [{"score": 2}]}',
    ],
)
def test_a_log_says_that_a_number_was_too_large(text: str) -> None:
    log = read_log(text.encode())
    assert log.columns["score"][0] == float("inf")
    assert any("were read as infinite" in notice for notice in log.notices)


def test_a_literal_100_000_levels_deep_is_read() -> None:
    value = read_literal("{a:[" * 50_000 + "]}" * 50_000).value
    depth = 0
    while value:
        value = value["a"] if isinstance(value, dict) else value[0]
        depth += 1
    assert depth == 99_999


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [1, None, float("nan"), float("-inf")]}, b'{"a":[1,null,"nan","-inf"]}'),
        ([2**64, "\ud800", {}], '[18446744073709551616,"\N{REPLACEMENT CHARACTER}",{}]'.encode()),
        ([10**5000, -(10**5000), True, 1.5, [], (1,)], b'["inf","-inf",true,1.5,[],[1]]'),
    ],
)
def test_values_that_json_lacks_are_written_as_the_format_says(value: Any, text: bytes) -> None:
    assert json_bytes(value) == text


def test_a_name_of_several_lines_is_told_on_one() -> None:
    with pytest.raises(LogError, match=r"after the key `a\\nb`"):
        read_literal('{"a\\nb", 1}')


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'move': (0, 2), 'score': 3}", {"move": [0, 2], "score": 3}),
        ("[(1,), ()]", [[1], []]),
        ("(3)", 3),
        ("({'a': 1})", {"a": 1}),
        ("{'a': ((1, 2), ('b', (3,)))}", {"a": [[1, 2], ["b", [3]]]}),
        ("{(0, 1): {'v': 3}, ('e2', 'e4'): 1}", {"0,1": {"v": 3}, "e2,e4": 1}),
    ],
)
def test_tuples_of_python_are_lists(text: str, value: object) -> None:
    assert read_literal(text).value == value


@pytest.mark.parametrize("text", ["(1, 2", "[(1, 2]", "(1 2)", "() => 3", "{(0, 1) 3}", "[(1, 2)"])
def test_a_tuple_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(LogError, match=r"^line 1"):
        read_literal(text)
