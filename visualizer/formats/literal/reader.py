"""Values as people paste them: JSON, JavaScript literals, Python's prints; nothing is ever run.

The reader has its own stack, so depth is no limit, and every error gives line and column, what was found and
what was expected. It reads texts that are no strict JSON; on strict JSON it agrees with the library."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from plyscope.engine.quoting import visible
from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.literal.scalars import (
    CONSTANTS,
    NAME,
    NUMBER,
    SIGNED_NAME,
    STRING,
    read_number,
    unescape,
)

# Groups repeat greedily, not possessively: before Python 3.11.5 a possessive group could match in part.
SKIPPED: Final = re.compile(r"(?:[\s\ufeff]++|//[^\n\r]*+|/\*[\s\S]*?\*/|<!--[^\n\r]*+)*")
SIMPLE: Final = re.compile(
    r'\s*+(?:"([^"\\\x00-\x1f]*+)"|(-?(?:0|[1-9]\d{0,14})(?:\.\d++)?(?:[eE][+-]?\d++)?)(?=[\s,\]}])|([\[{]))'
)
"""The bulk of any real file: a text without escapes, a number as JSON has it, an opening bracket."""
SIMPLE_KEY: Final = re.compile(r'\s*+(?:"([^"\\\x00-\x1f]*+)"|([A-Za-z_$][\w$]*+))\s*+:')
TUPLE_KEY: Final = re.compile(r"\(([^()\[\]{}\n]*)\)(?=\s*+:)")
"""A key of a Python dictionary by move, `{(0, 2): …}`."""
BEYOND: Final = (float("inf"), float("-inf"))
TOO_LARGE: Final = "Numbers beyond 1.8e308, the largest that 64 bits hold, were read as infinite."
EXPONENT: Final = re.compile(r"[eE][+-]?")
DIRECTIVE: Final = re.compile(r"""(?:'use strict'|"use strict")\s*+;?""")
ASSIGNED: Final = re.compile(
    r"(?:export\s++default\b(?!\s*+=)"
    r"|(?:export\s++)?(?:var|let|const)\s++[\w$]++(?:\s*+:\s*+[\w$<>\[\], ]++)?\s*+=(?![=>])"
    r"|[A-Za-z_$][\w$]*+(?:\s*+\.\s*+[\w$]++|\[(?:\d++|'[^'\n]*+'|\"[^\"\n]*+\")\])*\s*+=(?![=>]))"
)
LONGEST_FOUND: Final = 100
"""The characters of a text that an error looks at to show its beginning."""
CODE: Final = frozenset({"new", "function", "async", "await", "typeof", "void", "class", "return", "import"})

WRITTEN_FIRST: Final = (
    "what an engine prints has to be written as JSON first, as docs/logging-from-your-engine.md shows"
)

PAREN: Final = "("
MENDED: Final = "Halves of characters (lone surrogates) were replaced by \N{REPLACEMENT CHARACTER}."


@dataclass(frozen=True)
class Literal:
    """A value, and notices for the user."""

    value: Any
    notices: tuple[str, ...] = ()
    twice: tuple[tuple[str, int, int], ...] = ()
    """Duplicate keys, each with line and column of the first object that has it twice."""


def read_literal(text: str, *, first_line: int = 1) -> Literal:
    """Read the only value in `text`; lines are counted from `first_line`.

    Raises LogError with line and column, its subclass CutShort where the text ends within the value.

    >>> read_literal("var json = {name: 'c6', data: {score: .5, 'max': true,}};").value
    {'name': 'c6', 'data': {'score': 0.5, 'max': True}}
    >>> read_literal("[f()]")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: line 1, column 2: found a call of `f`, expected a value; ...
    """
    return Reader(text, first_line).read()


class Reader:
    """A parser of one text: the stack of open containers, and notices for the user."""

    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        self.notices: dict[str, None] = {}
        self.stack: list[tuple[Any, str, int]] = []
        """Open containers: the list, object or parenthesis, the key that waits for its value, its place."""
        self.twice: dict[str, int] = {}
        """Keys that some object has already, and where the first such object begins."""

    def read(self) -> Literal:
        """The value of the whole text."""
        position = self.skip(0)
        if position == len(self.text):
            raise self.error(LogError, 0, "the text is empty, expected a log")
        position = self.skip_prefixes(position)
        value, position = self.value(position)
        inner = value.strip() if isinstance(value, str) else ""
        if inner[:1] in ("{", "[") and inner:
            try:
                literal = read_literal(inner)
            except LogError as error:
                error.message = f"inside the quoted text: {error.message}"
                raise
            return Literal(literal.value, (*self.notices, *literal.notices), literal.twice)
        self.check_rest(position)
        return Literal(value, tuple(self.notices), self.places_of_twice())

    def places_of_twice(self) -> tuple[tuple[str, int, int], ...]:
        """Duplicate keys, each with line and column of the first object that has it twice."""
        return tuple((key, *self.line_and_column(start)) for key, start in self.twice.items())

    def skip_prefixes(self, position: int) -> int:
        """The place after `"use strict"`, `export default`, `var tree =`, `module.exports =` and the like."""
        for pattern in (DIRECTIVE, ASSIGNED, ASSIGNED):
            if match := pattern.match(self.text, position):
                position = self.skip(match.end())
        return position

    def value(self, position: int) -> tuple[Any, int]:
        """The value at `position`, and its end."""
        text, stack = self.text, self.stack
        simple = SIMPLE.match
        while True:
            if match := simple(text, position):
                position = match.end()
                kind = match.lastindex
                if kind == 1:
                    value: Any = match[1]
                elif kind == 2:
                    digits = match[2]
                    value = float(digits) if "." in digits or "e" in digits or "E" in digits else int(digits)
                    if value in BEYOND:
                        self.notices[TOO_LARGE] = None
                elif match[3] == "{":
                    self.open({}, "", position - 1)
                    value, position = self.key_or_end(position)
                    if value is None:
                        continue
                else:
                    self.open([], "", position - 1)
                    value, position = self.item_or_end(position)
                    if value is None:
                        continue
            else:
                position = self.skip(position)
                if text.startswith(PAREN, position):
                    position += 1
                    if not text.startswith(")", after := self.skip(position)):
                        self.open(PAREN, "", position - 1)
                        continue
                    value, position = [], after + 1  # Python's empty tuple
                elif text[position : position + 1] in ("{", "["):
                    continue
                else:
                    value, position = self.scalar(position)
            # A value is complete: put it into its container, and close the containers that end with it.
            while stack:
                container, key, _ = stack[-1]
                if type(container) is dict:
                    if key in container:
                        self.twice.setdefault(key, stack[-1][2])
                    container[key] = value
                    position, closed = self.after_value(position, "}")
                    if not closed:
                        inner, position = self.key_or_end(position)
                        if inner is None:
                            break
                    value = container if closed else inner
                elif type(container) is list:
                    container.append(value)
                    position, closed = self.after_value(position, ")" if key == PAREN else "]")
                    if not closed:
                        inner, position = self.item_or_end(position)
                        if inner is None:
                            break
                    value = container if closed else inner
                else:
                    position, closed = self.after_value(position, ")")
                    if not closed:  # a tuple, as Python writes it, is a list
                        stack[-1] = ([value], PAREN, stack[-1][2])
                        inner, position = self.item_or_end(position)
                        if inner is None:
                            break
                        value = inner
            else:
                return value, position

    def open(self, container: Any, key: str, position: int) -> None:
        """Put a container that begins at `position` on the stack."""
        if self.stack:
            outer, name, start = self.stack[-1]
            if type(outer) is dict and name in outer:
                self.twice.setdefault(name, start)
        self.stack.append((container, key, position))

    def after_value(self, position: int, closing: str) -> tuple[int, bool]:
        """The place after the comma (False) or the closing bracket (True) that follows a value."""
        text = self.text
        character = text[position : position + 1]
        if character != "," and character != closing:
            position = self.skip(position)
            character = text[position : position + 1]
        if character == closing:
            self.stack.pop()
            return position + 1, True
        if character == ",":
            return position + 1, False
        expected = '")"' if self.stack[-1][0] == PAREN else f'"," or "{closing}"'
        self.fail(position, expected)

    def key_or_end(self, position: int) -> tuple[Any, int]:
        """Read a key and its colon (returns None), or the end of the object (returns the object)."""
        container, _, start = self.stack[-1]
        if match := SIMPLE_KEY.match(self.text, position):
            key = match[1] if match[1] is not None else match[2]
            self.stack[-1] = (container, key, start)
            return None, match.end()
        position = self.skip(position)
        character = self.text[position : position + 1]
        if character == "}":
            self.stack.pop()
            return container, position + 1
        key_at = position
        if character in ('"', "'"):
            key, position = self.string(position)
        elif match := NUMBER.match(self.text, position):
            number = read_number(match[0])
            key = str(int(number) if number == number // 1 and abs(number) < 1e15 else number)
            position = match.end()
        elif match := NAME.match(self.text, position):
            key, position = match[0], match.end()
        elif match := TUPLE_KEY.match(self.text, position):
            key = ",".join(part.strip(" \"'") for part in match[1].split(",") if part.strip())
            position = match.end()
        elif self.text.startswith(("[", "..."), position):
            raise self.error(LogError, position, "found a computed key, expected a name; code is not run")
        else:
            self.fail(position, 'a key or "}"')
        position = self.skip(position)
        if not self.text.startswith(":", position):
            if self.text.startswith("(", position):
                message = f"found the method `{key}`, expected a value; code is not run"
                raise self.error(LogError, key_at, message)
            self.fail(position, f'":" after the key `{short_name(key)}`')
        self.stack[-1] = (container, key, start)
        return None, position + 1

    def item_or_end(self, position: int) -> tuple[Any, int]:
        """Go to the next item of the list (returns None) or past its end (returns it); a hole is null."""
        container, key, _ = self.stack[-1]
        while True:
            position = self.skip(position)
            character = self.text[position : position + 1]
            if character == (")" if key == PAREN else "]"):
                self.stack.pop()
                return container, position + 1
            if character != ",":
                return None, position
            container.append(None)
            position += 1

    def scalar(self, position: int) -> tuple[Any, int]:
        """A text, a number or a constant."""
        text = self.text
        if text[position : position + 1] in ('"', "'", "`"):
            return self.string(position)
        if match := NUMBER.match(text, position):
            following = NAME.match(text, match.end())
            if following and EXPONENT.fullmatch(text, match.end()):
                self.fail(len(text), "the end of a number")
            if following or text.startswith(".", match.end()):
                self.fail(match.end(), "a number that ends here")
            read = read_number(match[0])
            if read in BEYOND:
                self.notices[TOO_LARGE] = None
            return read, match.end()
        if match := SIGNED_NAME.match(text, position):
            sign, name = match[1], match[2]
            if name in CONSTANTS and (not sign or isinstance(CONSTANTS[name], float)):
                value = CONSTANTS[name]
                return (-value if sign == "-" else value), match.end()
            if match.end() == len(text) and any(word.startswith(name) for word in CONSTANTS):
                self.fail(match.end(), "a value")
            after = self.skip(match.end())
            if position == self.skip(0):
                begins = f"it begins with the name `{short_name(name)}`"
                message = f"this is no JSON: {begins}, expected an object or a list; {WRITTEN_FIRST}"
            elif name in CODE:
                message = f"found `{name}`, expected a value; code is not run"
            elif text.startswith("(", after):
                message = f"found a call of `{short_name(name)}`, expected a value; code is not run"
            else:
                message = f"found the name `{short_name(name)}`, expected a value; only constants are known"
            raise self.error(LogError, position, message)
        if text[position:] in ("-", "+", ".", "-.", "+."):
            self.fail(len(text), "a number")
        self.fail(position, "a value")

    def string(self, position: int) -> tuple[str, int]:
        """The quoted text at `position`, and its end."""
        quote = self.text[position]
        match = STRING[quote].match(self.text, position)
        if match is None:
            line_end = len(self.text) if quote == "`" else _line_end(self.text, position)
            if line_end == len(self.text):
                raise self.error(CutShort, position, "the text ends inside the quoted text that begins here")
            message = f"found a quoted text that its line does not close, expected {quote} before its end"
            raise self.error(LogError, position, message)
        body = match[1]
        if quote == "`" and (code := re.search(r"(?<!\\)(?:\\\\)*\$\{", body)):
            at = match.start(1) + code.end() - 2
            raise self.error(LogError, at, "found `${` in a template, expected a plain text; code is not run")
        if "\\" in body or not body.isascii():
            read, bad = unescape(body)
            if bad is not None:
                message = "found an escape that is no character, expected one such as \\n or \\u00e9"
                raise self.error(LogError, match.start(1) + bad, message)
            if "\N{REPLACEMENT CHARACTER}" in read and "\N{REPLACEMENT CHARACTER}" not in body:
                self.notices[MENDED] = None
            body = read
        return body, match.end()

    def skip(self, position: int) -> int:
        """The place after white space and comments."""
        match = SKIPPED.match(self.text, position)
        assert match is not None
        position = match.end()
        if self.text.startswith("/*", position):
            raise self.error(CutShort, position, "the text ends inside the comment that begins here")
        return position

    def check_rest(self, end: int) -> None:
        """Ignore statements after the literal, with a notice; refuse a continued expression."""
        text = self.text
        position = self.skip(end)
        if position == len(text):
            return
        same_line = _line_end(text, end) >= position
        character = text[position]
        if character != ";":
            another = character == "," and NAME.match(text, self.skip(position + 1))
            if (character in ",:)]}" and not another) or (same_line and character in ".([+-*/%?&|<>=^`"):
                self.fail(position, "the end of the text")
        else:
            position = self.skip(position + 1)
        if position < len(text):
            line, _ = self.line_and_column(position)
            self.notices[f"What follows the literal, from line {line} on, was ignored."] = None

    def fail(self, position: int, expected: str) -> NoReturn:
        """Raise LogError for the text at `position`."""
        if position < len(self.text):
            found, character = NAME.match(self.text, position), self.text[position]
            quoted = self.text[position + 1 : position + LONGEST_FOUND].partition(character)[0]
            shown = f"`{short_name(found[0])}`" if found else f'"{character}"'
            if character in "\"'":
                shown = f'the text "{short_name(quoted)}"'
            raise self.error(LogError, position, f"found {shown}, expected {expected}")
        inside = ""
        if self.stack:
            container, _, start = self.stack[-1]
            kind = {"dict": "object", "list": "list", "str": "parenthesis"}[type(container).__name__]
            line, column = self.line_and_column(start)
            inside = f" inside the {kind} that begins at line {line}, column {column}"
        raise self.error(CutShort, position, f"the text ends{inside}, expected {expected}")

    def error(self, kind: type[LogError], position: int, message: str) -> LogError:
        """The error about the text at `position`."""
        line, column = self.line_and_column(position)
        return kind(message, line=line, column=column)

    def line_and_column(self, position: int) -> tuple[int, int]:
        """The line and column, from 1, of `position`."""
        before = self.text[:position].replace("\r\n", " \n").replace("\r", "\n")
        return self.first_line + before.count("\n"), len(before) - before.rfind("\n")


def _line_end(text: str, position: int) -> int:
    match = re.compile(r"[\n\r]").search(text, position)
    return match.start() if match else len(text)


def short_name(text: str) -> str:
    """The beginning of a name, on one line."""
    return visible(text if len(text) <= 40 else f"{text[:37]}…")
