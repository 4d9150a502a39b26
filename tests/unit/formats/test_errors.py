"""Bad input is refused with one sentence: where, what was found, what was expected.

Here stand the sentences by which no text of `odd_texts.json` or `hard_values.json` of `tests/equality` is.
"""

from __future__ import annotations

import json

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError, shown

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


def test_a_value_in_an_error_is_kept_short() -> None:
    assert len(shown("x" * 10_000)) < 80
    assert shown(10**5000) == "a number of more than 60 digits"
