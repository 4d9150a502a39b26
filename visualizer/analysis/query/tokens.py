"""The words, numbers, texts and signs of an expression; whatever is none of these is refused."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

from plyscope.engine.quoting import quoted
from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.syntax import Place

LONGEST: Final = 4000
"""Characters of an expression."""

KEYWORDS: Final = frozenset(
    {"and", "or", "not", "in", "is", "null", "like", "ilike", "between", "true", "false", "inf"}
)
"""Words with a meaning of their own, in whatever case; a field of such a name stands in double quotes."""

Kind = Literal["number", "text", "name", "keyword", "sign", "end"]

_TOKEN: Final = re.compile(
    r"""(?P<space>[ \t\r\n]+)
      | (?P<comment>--|/\*|\#)
      | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | '(?P<text>(?:[^']|'')*)'
      | "(?P<quoted>(?:[^"]|"")*)"
      | (?P<name>[^\W\d]\w*)
      | (?P<sign><=|>=|!=|<>|==|[-+*/%=<>(),.])
    """,
    re.VERBOSE,
)
_CURLY: Final = "‘’‚‛“”„‟´`"
_SAME: Final = {"<>": "!=", "==": "="}


@dataclass(frozen=True)
class Token:
    """One piece of an expression; a keyword in small letters, a text without its quotes."""

    kind: Kind
    text: str
    place: Place

    @property
    def said(self) -> str:
        """The token as a message names it."""
        return "the end" if self.kind == "end" else quoted(self.text, 40)


def tokens_of(expression: str) -> list[Token]:
    """The tokens of an expression, with one of the kind `end` behind them; raises QueryError.

    >>> [token.text for token in tokens_of("score <= -5 AND ply = 'it''s'")]
    ['score', '<=', '-', '5', 'and', 'ply', '=', "it's", '']
    """
    if len(expression) > LONGEST:
        raise QueryError(f"the expression has {len(expression):,} characters, at most {LONGEST:,} are read")
    found: list[Token] = []
    at = 0
    while at < len(expression):
        match = _TOKEN.match(expression, at)
        if match is None:
            raise _refused(expression, at)
        place = Place(at, match.end())
        at = match.end()
        kind = match.lastgroup
        text = match[kind or ""] if kind else ""
        if kind == "space":
            continue
        if kind == "comment":
            hint = "; an id is asked for by `id = 5`" if text == "#" else ""
            raise QueryError(f"found {text}: there are no comments{hint}", start=place.start, end=place.end)
        if kind == "number" and (follower := _TOKEN.match(expression, at)) and follower["name"]:
            whole = expression[place.start : follower.end()]
            raise QueryError(f"{quoted(whole, 40)} is no number", start=place.start, end=follower.end())
        found.append(_token(kind or "", text, place))
    return [*found, Token("end", "", Place(len(expression), len(expression)))]


def _token(kind: str, text: str, place: Place) -> Token:
    match kind:
        case "text":
            return Token("text", text.replace("''", "'"), place)
        case "quoted":
            return Token("name", text.replace('""', '"'), place)
        case "name" if text.lower() in KEYWORDS and text.isascii():
            return Token("keyword", text.lower(), place)
        case "sign":
            return Token("sign", _SAME.get(text, text), place)
    return Token("number" if kind == "number" else "name", text, place)


def _refused(expression: str, at: int) -> QueryError:
    sign = expression[at]
    end = at + 1
    if sign == "'":
        message, end = "this text has no end; texts stand between single quotes", len(expression)
    elif sign == '"':
        message, end = "this name has no end; names may stand between double quotes", len(expression)
    elif sign in _CURLY:
        message = f"found {sign}; texts stand between straight quotes, as in ply = 'c6'"
    elif sign == ";":
        message = "found ;: a query is one expression"
    else:
        name = unicodedata.name(sign, "")
        named = f" ({name.lower()})" if name and not sign.isascii() else ""
        message = f"{quoted(sign, 10)}{named} has no meaning here"
    return QueryError(message, start=at, end=end)
