"""Trees printed with a node on each line, by indentation, by bars, or by a depth on each line.

`depth=1 move=e4 score=3`, `│   ├── e4 0.3`, `| | minimax(depth=2, alpha=-inf)`. They become rows that name
their parents, which are read as any table is. Lines without a regular order are no tree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from plyscope.visualizer.formats.literal.scalars import read_number

FEWEST: Final = 3
"""The fewest nodes of a tree."""
MOST: Final = 0.6
"""The share of lines that must have the same field, or a number."""
ODD: Final = 0.1
"""The share of lines that may be no node, or break the order."""
BARS: Final = re.compile(
    r"(?:[ \t|│┃║]|[├└╰┌┬┼╠╚+`\\](?=[ \t─━═-])[─━═-]{0,4}>?|[─━═]+>?"
    r"|-+>?(?=[A-Za-z(\[])|-{2,}>?|\.{2,}|[-*•>](?=\s))*"
)
DRAWN: Final = re.compile(r"[ \t]*(?:[|│┃║├└╰┬┼╠╚]|[+`\\]-|-{2}|[-.]{2}|-+>)")
MOST_WORDS: Final = 8
PAIR: Final = re.compile(
    r"(?<![\w.])([^\W\d]\w*)\s*[=:]\s*(\"[^\"]*\"|'[^']*'|\([^()]*\)|\[[^\[\]]*\]|[^\s,;|()\[\]{}]+)"
)
SPELLED: Final = re.compile(
    r"(?i)\b(depth|level|move|score|eval|value|alpha|beta|visits)\s+([+\-−]?[\w.]+|\([^()]*\))(?!\s*[=:])"
)
"""A field with only a space before its value, as in `depth 2, move e4`."""
TOKEN: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|[^\s,;|]+")
DEPTH: Final = re.compile(r"(?i)d(?:epth)?(\d{1,3})")
CALLED: Final = re.compile(r"^\w+\(\s*(?=['\"])")
"""The beginning of `Node('/e4', score=3)`."""
LAYERS: Final = ("max", "min", "chance")
LAST_NUMBER: Final = re.compile(r"^(.*?)([\s:=(\[|]+)([+\-−]?(?:\d+\.?\d*|\.\d+|inf(?:inity)?))\s*[)\]]?$")
EXIT: Final = re.compile(r"(?i)(?:return(?:s|ed|ing)?\b|exit(?:s|ing)?\b|leav(?:e|es|ing)\b|<-+|->|=>)")
NUMBER: Final = re.compile(r"[+\-−]?(?:\d+\.?\d*|\.\d+|inf(?:inity)?\b)(?:[eE][+-]?\d+)?")
LEVELS: Final = ("depth", "level", "lvl", "d", "ply")
OURS: Final = ("id", "parent")


@dataclass
class Line:
    """A line: its number in the text, the column behind its bars, its words and its fields."""

    number: int
    column: int
    words: str
    pairs: dict[str, Any] = field(default_factory=dict)
    is_exit: bool = False


def printed_rows(text: str) -> tuple[list[dict[str, Any]], str] | None:
    """The nodes of a print-out as rows that name their parents, and a sentence about it; None if it is none.

    >>> rows, said = printed_rows("root score=3\\n  e4 score=3\\n  d4 score=1\\n")
    >>> rows[1], said
    ({'id': 2, 'parent': 1, 'name': 'e4', 'score': 3}, 'A print-out: 3 nodes read by their indentation.')
    >>> printed_rows("x = 1\\ny = 2\\nz = 3\\n") is None
    True
    """
    lines = _lines(text)
    if lines is None or len(lines) < FEWEST:
        return None
    nodes = [line for line in lines if not line.is_exit]
    if not _take_fields(nodes, is_drawn=_is_drawn(text, len(nodes))) or _is_prose(nodes):
        return None
    if len({line.column for line in nodes}) > 1:
        order = _by_columns(lines)
        how = "by their indentation"
    else:
        order = _by_stated_level(nodes)
        how = "by the depth that they state"
    if order is None or _is_list(order):
        return None
    rows = []
    for line, above in order:
        pairs = {f"own {name}" if name in OURS else name: value for name, value in line.pairs.items()}
        named = {"name": line.words} if line.words else {}
        rows.append({"id": line.number, "parent": above, **named, **pairs})
    _shorten_paths(rows)
    if len({row.get("name") for row in rows}) == 1:
        for row in rows:
            row.pop("name", None)
    return rows, f"A print-out: {len(rows):,} nodes read {how}."


def _is_drawn(text: str, n_nodes: int) -> bool:
    """Whether most lines but roots have bars before them; rows of a table end with bars too."""
    drawn = [line for line in text.splitlines() if DRAWN.match(line) and not line.rstrip().endswith("|")]
    return len(drawn) >= FEWEST - 1 and len(drawn) > MOST * (n_nodes - 1)


def _is_prose(nodes: Sequence[Line]) -> bool:
    """Whether lines have too many words beside their fields for names and remarks of nodes."""
    return sum(len(line.words.split()) > MOST_WORDS for line in nodes) > ODD * len(nodes)


def _is_list(order: Sequence[tuple[Line, int | None]]) -> bool:
    """Whether most lines at the left margin have none below, so that they are no roots of trees."""
    above = {parent for _, parent in order}
    roots = [line.number for line, parent in order if parent is None]
    return len(roots) > 1 and 2 * sum(root in above for root in roots) < len(roots)


def _shorten_paths(rows: Sequence[dict[str, Any]]) -> None:
    """Remove the parent's name from each node's name, where names are paths: `/e4/e5` under `/e4`."""
    names = {row["id"]: row.get("name", "") for row in rows}
    below = [(row, names[row["parent"]]) for row in rows if row["parent"] is not None]
    if below and all(above and row.get("name", "").startswith(f"{above}/") for row, above in below):
        for row, above in below:
            row["name"] = row["name"][len(above) + 1 :]


def is_print_out(text: str) -> bool:
    """Whether lines print nodes of a search, in whatever order.

    >>> is_print_out("depth 3 score 5\\ndepth 1 eval 2\\n"), is_print_out("milk\\nbread\\n")
    (True, False)
    """
    lines = [line for line in text.splitlines()[:200] if line.strip()]
    if 5 * sum(any(bracket in line for bracket in "{}[]") for line in lines) > len(lines):
        return False  # a literal, or a program
    words = re.compile(r"(?i)\b(?:depth|score|eval|value|alpha|beta|minimax|negamax|visits|nodes?|move)\b")
    told = [line for line in lines if words.search(line) and NUMBER.search(line)]
    return len(lines) > 1 and 2 * len(told) >= len(lines)


def _lines(text: str) -> list[Line] | None:
    """The lines that are not empty; None where they belong to a literal or a program."""
    lines = []
    for number, written in enumerate(text.splitlines(), start=1):
        bars = BARS.match(written)
        assert bars is not None
        rest = written[bars.end() :].strip()
        if not rest:
            continue
        if rest[0] in "{}" or rest[-1] in "{}" or rest[:2] in ('["', "[[", "[{", "//", "/*"):
            return None
        column = len(bars[0].expandtabs(8))
        lines.append(Line(number, column, rest, is_exit=EXIT.match(rest) is not None))
    return lines


def _take_fields(nodes: Sequence[Line], *, is_drawn: bool) -> bool:
    """Take the fields out of lines; False where too few lines have any."""
    found = [_pairs(line.words) for line in nodes]
    names = Counter(name for pairs in found for name in {pair[1] for pair in pairs})
    common = {name for name, n in names.items() if n >= FEWEST - 1 and n > MOST * len(nodes)}
    n_told = 0
    for line, pairs in zip(nodes, found, strict=True):
        if any(pair[1] in common for pair in pairs):
            n_told += 1
            line.pairs |= {pair[1]: _value(pair[2]) for pair in pairs}
            line.words = CALLED.sub("", line.words[: pairs[0].start()]).strip(" \t,;:|-([\"'")
        elif (number := LAST_NUMBER.match(line.words)) and number[1] and {":", "="} & {*number[2]}:
            n_told += 1
            line.pairs["score"] = _value(number[3])
            line.words = number[1].strip()
        else:
            n_told += _take_columns(line)
    return n_told > (1 - 2 * ODD) * len(nodes) or (is_drawn and len(nodes) >= FEWEST)


def _pairs(words: str) -> list[re.Match[str]]:
    """The fields in a line, in order."""
    pairs = list(PAIR.finditer(words))
    spelled = [
        pair
        for pair in SPELLED.finditer(words)
        if not any(pair.start() < other.end() and other.start() < pair.end() for other in pairs)
    ]
    return sorted([*pairs, *spelled], key=lambda pair: pair.start())


def _take_columns(line: Line) -> bool:
    """Take a layer, a depth and the only number of a line without names; False where it has no number."""
    left, numbers = [], []
    for token in TOKEN.findall(line.words):
        plain = token.strip(":,()").lower()
        if plain in LAYERS:
            line.pairs["layer"] = plain
        elif depth := DEPTH.fullmatch(token):
            line.pairs["depth"] = int(depth[1])
        elif NUMBER.fullmatch(token.strip("()[]:")):
            numbers.append(token.strip("()[]:"))
        elif any(letter.isalnum() for letter in token):
            left.append(token)
    is_sure = bool(line.pairs) or (len(numbers) == 1 and bool({".", "-", "+", "−"} & {*numbers[0]}))
    if len(numbers) == 1 and is_sure:
        line.pairs["score"] = _value(numbers[0])
        line.words = " ".join(left)
    return bool(numbers)


def _value(text: str) -> Any:
    """A value as JSON has it."""
    text = text.strip("\"'").rstrip(".") if text[:1] in "\"'" else text
    if NUMBER.fullmatch(text):
        plain = text.replace("−", "-")
        return _written(read_number(plain) if re.fullmatch(r"[+-]?\d+", plain) else float(plain))
    return {"true": True, "false": False, "none": None, "null": None}.get(text.lower(), text)


def _written(number: float) -> float | str:
    return number if abs(number) != float("inf") else ("inf" if number > 0 else "-inf")


def _by_columns(lines: Sequence[Line]) -> list[tuple[Line, int | None]] | None:
    """The nodes by indentation, each with the number of its parent's line; None where there is no order.

    If only the last line begins furthest left, children were printed before their parents.
    """
    nodes = [line for line in lines if not line.is_exit]
    least = min(line.column for line in nodes)
    is_reversed = nodes[0].column > least
    if is_reversed and (nodes[-1].column > least or len(nodes) < len(lines)):
        return None
    stack: list[Line] = []
    closed: set[int] = set()
    above: dict[int, int | None] = {}
    n_odd = 0
    for line in reversed(lines) if is_reversed else lines:
        if line.is_exit:
            _leave(line, stack, closed)
            continue
        left = [stack.pop() for _ in range(sum(each.column >= line.column for each in stack))]
        n_odd += bool(left) and left[-1].column != line.column
        above[line.number] = stack[-1].number if stack else None
        stack.append(line)
    return None if n_odd > ODD * len(nodes) else [(line, above[line.number]) for line in nodes]


def _leave(line: Line, stack: list[Line], closed: set[int]) -> None:
    """Give the fields of a line that reports a return to the node that was left."""
    while stack and stack[-1].column > line.column:
        stack.pop()
    place = len(stack) - 1
    while place >= 0 and stack[place].number in closed:
        place -= 1
    if place < 0:
        return
    node = stack[place]
    closed.add(node.number)
    pairs = {pair[1]: _value(pair[2]) for pair in _pairs(line.words)}
    numbers = NUMBER.findall(line.words)
    if numbers and not pairs:
        pairs["score"] = _value(numbers[-1])
    node.pairs |= {name: value for name, value in pairs.items() if name not in node.pairs}


def _by_stated_level(nodes: Sequence[Line]) -> list[tuple[Line, int | None]] | None:
    """The nodes by the depth on each line, be it the level or the plies left; parents come first or last."""
    for name in LEVELS:
        stated = [line.pairs.get(name) for line in nodes]
        levels = [value for value in stated if isinstance(value, int)]
        if len(levels) < len(nodes) or len(set(levels)) < 2:
            continue
        for from_root in (
            [value - min(levels) for value in levels],
            [max(levels) - value for value in levels],
        ):
            for is_reversed in (False, True):
                in_order = from_root[::-1] if is_reversed else from_root
                if in_order[0] or any(after > before + 1 for before, after in pairwise(in_order)):
                    continue
                above: dict[int, int | None] = {}
                path: list[int] = []
                for line, level in zip(nodes[::-1] if is_reversed else nodes, in_order, strict=True):
                    above[line.number] = path[level - 1] if level else None
                    path[level:] = [line.number]
                return [(line, above[line.number]) for line in nodes]
    return None
