"""Each kind of bad input is refused with one sentence: where, what was found, what was expected."""

from __future__ import annotations

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError, shown

NODES = '{"id":0}\n{"id":1,"parent":0}\n'

REFUSED = {
    # Nothing, or no log.
    "": "line 1, column 1: the text is empty, expected a log",
    " \n\t": "line 1, column 1: the text is empty, expected a log",
    "node depth 3 pv e2e4": (
        "line 1, column 1: this is no JSON: it begins with the name `node`, expected an object or a list; "
        "what an engine prints has to be written as JSON first, as docs/logging-from-your-engine.md shows"
    ),
    "<3": 'line 1, column 1: found "<", expected a value',
    # Cut short.
    '{"plyscope":1,\n "search":{"engine":"mine"': (
        "line 2, column 27: the text ends inside the object that begins at line 2, column 11, "
        'expected "," or "}"'
    ),
    '{"plyscope":1,"root":{"ply":"c': (
        "line 1, column 29: the text ends inside the quoted text that begins here"
    ),
    # Not JSON.
    '{"plyscope":1,\n"root":{"score":1 "a":2}}': 'line 2, column 19: found the text "a", expected "," or "}"',
    '{"root":{"p" "c"}}': 'line 1, column 14: found the text "c", expected ":" after the key `p`',
    '{"plyscope":1,"root":{}}}': 'line 1, column 25: found "}", expected the end of the text',
    # The document.
    '{"plyscope":2,"root":{}}': "$.plyscope: this is a log of version 2, expected version 1",
    '{"plyscope":"1","root":{}}': '$.plyscope: this is a log of version "1", expected version 1',
    '{"plyscope":1,"root":{},"roots":[]}': "$: found both `root` and `roots`, expected exactly one of them",
    '{"plyscope":1,"roots":[]}': "$.roots: found an empty list, expected a list of nodes",
    '{"plyscope":1,"roots":{}}': "$.roots: found an object, expected a list of nodes",
    '{"plyscope":1,"roots":[{}, 3]}': "$.roots[1]: found 3, expected a node (an object)",
    '{"plyscope":1,"root":null}': "$.root: found null, expected a node (an object)",
    '{"plyscope":1,"roots":[{"iteration":1},{"ply":"a"}]}': (
        "$.roots[1]: one of 2 roots has no `iteration`, expected one on each"
    ),
    '{"plyscope":1,"root":{"children":5}}': "$.root.children: found 5, expected a list of nodes",
    '{"plyscope":1,"root":{"children":{}}}': "$.root.children: found an object, expected a list of nodes",
    '{"plyscope":1,"root":{"children":[{},7]}}': "$.root.children[1]: found 7, expected a node (an object)",
    # Wrong types on nodes.
    '{"plyscope":1,"root":{"children":[{},{"children":[{"score":true}]}]}}': (
        '$.root.children[1].children[0].score: found true, expected a number, "inf", "-inf" or "nan"'
    ),
    '{"plyscope":1,"root":{"score":[1]}}': (
        '$.root.score: found a list, expected a number, "inf", "-inf" or "nan"'
    ),
    '{"plyscope":1,"root":{"alpha":"low"}}': (
        '$.root.alpha: found "low", expected a number, "inf", "-inf" or "nan"'
    ),
    '{"plyscope":1,"root":{"ply":6}}': "$.root.ply: found 6, expected a text",
    '{"plyscope":1,"root":{"layer":"maximum"}}': (
        '$.root.layer: found "maximum", expected one of "max", "min", "chance", "other"'
    ),
    '{"plyscope":1,"root":{"bound":3}}': '$.root.bound: found 3, expected one of "upper", "lower", "exact"',
    '{"plyscope":1,"root":{"outcome":["leaf"]}}': (
        '$.root.outcome: found a list, expected one of "searched", "cutoff", "leaf", "terminal", '
        '"tt", "stopped", '
        '"open", "pruned", "limited", "skipped", "unlogged"'
    ),
    '{"plyscope":1,"root":{"moves":2.5}}': (
        "$.root.moves: found 2.5, expected a whole number from 0 to 2147483647"
    ),
    '{"plyscope":1,"root":{"moves":-1}}': (
        "$.root.moves: found -1, expected a whole number from 0 to 2147483647"
    ),
    '{"plyscope":1,"root":{"in_check":"yes"}}': '$.root.in_check: found "yes", expected true or false',
    '{"plyscope":1,"root":{"in_check":2}}': "$.root.in_check: found 2, expected true or false",
    '{"plyscope":1,"root":{"iteration":"a"}}': (
        '$.root.iteration: found "a", expected a whole number from 0 to 2147483647'
    ),
    '{"plyscope":1,"root":{"player":[]}}': "$.root.player: found a list, expected the name of a player",
    '{"plyscope":1,"players":["x","o"],"root":{"player":"y"}}': (
        '$.root.player: found "y", expected one of the players: x, o'
    ),
    f'{{"plyscope":1,"players":["{"x" * 5000}","o"],"root":{{"player":"y"}}}}': (
        f'$.root.player: found "y", expected one of the players: {"x" * 39}…, o'
    ),
    '{"plyscope":1,"root":{"key":1.5}}': (
        "$.root.key: found 1.5, expected a position key, a text or a whole number of 64 bits"
    ),
    '{"plyscope":1,"root":{"factors":3}}': "$.root.factors: found 3, expected a list of numbers",
    '{"plyscope":1,"root":{"factors":[1,"x"]}}': (
        '$.root.factors[1]: found "x", expected a number, "inf", "-inf", "nan" or null'
    ),
    '{"plyscope":1,"factors":[{"name":"a"}],"root":{"factors":[1,2]}}': (
        "$.root.factors: found a list of 2 numbers, expected 1, as many as the header names factors"
    ),
    '{"plyscope":1,"root":{"scores":[1,[]]}}': (
        '$.root.scores[1]: found a list, expected a number, "inf", "-inf", "nan" or null'
    ),
    '{"plyscope":1,"root":{"contributions":[1]}}': (
        '$.root.contributions: found a list, expected an object such as {"mobility": 15}'
    ),
    '{"plyscope":1,"root":{"contributions":{"a":1,"b":false}}}': (
        '$.root.contributions.b: found false, expected a number, "inf", "-inf", "nan" or null'
    ),
    '{"plyscope":1,"root":{"tt":"cut"}}': (
        '$.root.tt: found "cut", expected an object such as {"use": "cut", "score": 9.5}'
    ),
    '{"plyscope":1,"root":{"tt":{"use":"cut","score":{}}}}': (
        '$.root.tt.score: found an object, expected a number, "inf", "-inf" or "nan"'
    ),
    '{"plyscope":1,"root":{"tt":{"from":1.5}}}': (
        "$.root.tt.from: found 1.5, expected a whole number of 64 bits or a text"
    ),
    '{"plyscope":1,"root":{"plies":"a1"}}': '$.root.plies: found "a1", expected a list of plies',
    '{"plyscope":1,"root":{"plies":["a1",2]}}': "$.root.plies[1]: found 2, expected a text",
    '{"plyscope":1,"root":{"pre_scores":{}}}': (
        "$.root.pre_scores: found an object, expected a list of numbers"
    ),
    '{"plyscope":1,"root":{"pre_scores":[1,"x"]}}': (
        '$.root.pre_scores[1]: found "x", expected a number, "inf", "-inf", "nan" or null'
    ),
    '{"plyscope":1,"root":{"plies":["a","b"],"pre_scores":[1]}}': (
        "$.root.pre_scores: found 1 pre_scores of 2 plies, expected one a ply"
    ),
    '{"plyscope":1,"root":{"outcome":"pruned","children":[{}]}}': (
        '$.root.outcome: found "pruned" on a node with children, expected none, or '
        '"cutoff", the word for a node '
        "that was left early"
    ),
    # Numbers beyond 64 bits.
    '{"plyscope":1,"root":{"count":9223372036854775808}}': (
        "$.root.count: found 9223372036854775808, expected a whole number from 0 to 9223372036854775807"
    ),
    '{"plyscope":1,"root":{"id":18446744073709551615}}': (
        "$.root.id: found 18446744073709551615, expected a whole number of 64 bits or a text"
    ),
    '{"plyscope":1,"root":{"children":[{"id":4},{"id":4}]}}': (
        "$.root.children[1].id: the id 4 was seen before, expected each once"
    ),
    '{"plyscope":1,"root":{"children":[{"id":"a"},{"id":"a"}]}}': (
        '$.root.children[1].id: the id "a" was seen before, expected each once'
    ),
    # The header.
    '{"plyscope":1,"players":"x","root":{}}': '$.players: found "x", expected a list of the players\' names',
    '{"plyscope":1,"players":["x",1],"root":{}}': "$.players[1]: found 1, expected a text",
    '{"plyscope":1,"players":["x","x"],"root":{}}': '$.players[1]: found "x" twice, expected each once',
    '{"plyscope":1,"factors":{},"root":{}}': "$.factors: found an object, expected a list of factors",
    '{"plyscope":1,"factors":[{"weight":1}],"root":{}}': (
        '$.factors[0]: found an object, expected an object such as {"name": "mobility", "weight": 5}'
    ),
    '{"plyscope":1,"factors":[{"name":"a","meaning":["x"]}],"root":{}}': (
        "$.factors[0].meaning: found a list, expected a text"
    ),
    '{"plyscope":1,"factors":[{"name":"a","weight":"x"}],"root":{}}': (
        '$.factors[0].weight: found "x", expected a number, "inf", "-inf" or "nan"'
    ),
    '{"plyscope":1,"search":[],"root":{}}': "$.search: found a list, expected an object",
    '{"plyscope":1,"result":4,"root":{}}': "$.result: found 4, expected an object",
    '{"plyscope":1,"result":{"bound":"at least"},"root":{}}': (
        '$.result.bound: found "at least", expected one of "upper", "lower", "exact"'
    ),
    '{"plyscope":1}\n{"id":0}\n{"result":{"bound":3}}': (
        'line 3, $.result.bound: found 3, expected one of "upper", "lower", "exact"'
    ),
    '{"plyscope":1,"search":{"perspective":"me"},"root":{}}': (
        '$.search.perspective: found "me", expected "root" or "mover" or "parent" or "first"'
    ),
    '{"plyscope":1,"search":{"perspective":"first"},"root":{}}': (
        '$.search.perspective: found "first", but neither `search.root_player` nor `player` on '
        "a node says who is "
        "at the root"
    ),
    '{"plyscope":1,"search":{"root_player":"x"},"root":{}}': (
        '$.search.root_player: found "x", but `players` names none'
    ),
    '{"plyscope":1,"players":["x","o"],"search":{"root_player":2},"root":{}}': (
        "$.search.root_player: found 2, expected one of the players: x, o"
    ),
    '{"plyscope":1,"search":{"draw":"even"},"root":{}}': (
        '$.search.draw: found "even", expected a number, "inf", "-inf" or "nan"'
    ),
    '{"plyscope":1,"search":{"table_carried":1},"root":{}}': (
        "$.search.table_carried: found 1, expected true or false"
    ),
    '{"plyscope":1,"search":{"unit":1},"root":{}}': "$.search.unit: found 1, expected a text",
    '{"plyscope":1,"search":{"range":[1]},"root":{}}': (
        "$.search.range: found a list, expected a list of two numbers"
    ),
    # JSON Lines.
    '{"plyscope":1}\n': (
        'the log has no node, expected a `root` in it or lines such as {"id": 0, "score": 1.5}'
    ),
    '{"plyscope":1}\n{"ply":"c6"}\n': "line 2: this line has no `id`, expected one on every node",
    '{"plyscope":1}\n7\n{"id":0}\n': "line 2: found 7, expected an object",
    '{"plyscope":1}\n{"id":0}\n{"plyscope":1}\n': (
        "line 3: found a second header, expected it on the first line only"
    ),
    '{"id":0}\n{"plyscope":1}\n': "line 2: found a second header, expected it on the first line only",
    '{"plyscope":1,"search":5}\n{"id":0}\n': "line 1, $.search: found 5, expected an object",
    NODES + '{"id":true,"parent":0}': "line 3, $.id: found true, expected a whole number or a text",
    NODES + '{"id":2,"parent":[]}': "line 3, $.parent: found a list, expected the id of a node or null",
    NODES + '{"id":2,"parent":9}\n{"id":3,"parent":0}\n': (
        "line 3: the parent 9 never comes, expected the id of a node"
    ),
    NODES + '{"id":2,"parent":0,"score":"x"}': (
        'line 3, $.score: found "x", expected a number, "inf", "-inf" or "nan"'
    ),
    NODES + '{"id":1,"score":"x"}': 'line 3, $.score: found "x", expected a number, "inf", "-inf" or "nan"',
    NODES + '{"id":2,"parent":0,"children":[]}': (
        "line 3, $.children: found `children`, expected each child on a line of "
        "its own that names its `parent`"
    ),
    NODES + '{"id":2,"parent":0}\n{"id":2,"parent":1}': (
        "line 4, $.parent: node 2 is under 1 here, but it was under 0 before, expected the same parent"
    ),
    NODES + '{"id":0,"parent":1}': (
        "line 3, $.parent: node 0 is under 1 here, but it was a root before, expected the same parent"
    ),
    '{"id":0}\n{"id":2,"parent":3}\n{"id":3,"parent":2}\n': (
        "line 2: this node is its own ancestor, expected a tree"
    ),
    '{"id":0}\n{"id":2,"parent":2}\n': "line 2: this node is its own ancestor, expected a tree",
    '{"id":0}\n{"id":1,"iteration":1}\n': "line 1: one of 2 roots has no `iteration`, expected one on each",
    '{"id":0}\n{"id":1,"par\n{"id":2}\n': (
        "line 2, column 9: the text ends inside the quoted text that begins here"
    ),
    NODES + '{"result":[]}': "line 3, $.result: found a list, expected an object",
    # Code.
    "{root: build(3)}": "line 1, column 8: found a call of `build`, expected a value; code is not run",
    "[1, new Tree()]": "line 1, column 5: found `new`, expected a value; code is not run",
    "{a: `${x}`}": "line 1, column 6: found `${` in a template, expected a plain text; code is not run",
    "{[a]: 1}": "line 1, column 2: found a computed key, expected a name; code is not run",
    "{a() {}}": "line 1, column 2: found the method `a`, expected a value; code is not run",
    "{a: b}": "line 1, column 5: found the name `b`, expected a value; only constants are known",
    "{a: 1}.b": 'line 1, column 7: found ".", expected the end of the text',
    "{a: 'b\n'}": (
        "line 1, column 5: found a quoted text that its line does not close, expected ' before its end"
    ),
    r"{a: '\u12'}": (
        r"line 1, column 6: found an escape that is no character, expected one such as \n or \u00e9"
    ),
    "{a: 1.2.3}": 'line 1, column 8: found ".", expected a number that ends here',
    "[1 /* two": "line 1, column 4: the text ends inside the comment that begins here",
    '"{a: }"': 'line 1, column 5: inside the quoted text: found "}", expected a value',
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.items(), ids=range(len(REFUSED)))
def test_bad_input_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(LogError) as caught:
        read_log(text.encode())
    assert str(caught.value) == sentence


def test_a_header_nested_without_end_is_refused() -> None:
    with pytest.raises(LogError, match=r"^\$: the header is nested deeper than 100 levels, expected fewer$"):
        read_log(b'{"plyscope":1,"deep":' + b"[" * 2000 + b"]" * 2000 + b',"root":{}}')


def test_the_first_bad_node_is_named_among_thousands() -> None:
    nodes = ["{}"] * 50_000
    nodes[40_000] = '{"score": false}'
    nodes[45_000] = '{"ply": 1}'
    with pytest.raises(LogError) as caught:
        read_log(f'{{"plyscope":1,"root":{{"children":[{",".join(nodes)}]}}}}'.encode())
    assert caught.value.path == "$.root.children[40000].score"


def test_a_value_in_an_error_is_kept_short() -> None:
    assert len(shown("x" * 10_000)) < 80
    assert shown(10**5000) == "a number of more than 60 digits"
