"""An expression read into its tree, by recursive descent; nothing of the text goes any further.

or: and ("or" and)*            and: not ("and" not)*          not: "not"* test
test: sum [comparison sum | "is" ["not"] "null" | ["not"] ("in" "(" literals ")" | "between" sum "and" sum
      | ("like" | "ilike") text)]
sum: product (("+" | "-") product)*      product: sign (("*" | "/" | "%") sign)*      sign: ("-" | "+")* value
value: number | text | "true" | "false" | "inf" | field | function "(" or ")" | "(" or ")"
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Final, NoReturn, cast, get_args

from plyscope.engine.quoting import quoted
from plyscope.visualizer.analysis.query.errors import Place, QueryError, wrong
from plyscope.visualizer.analysis.query.syntax import (
    Among,
    Arithmetic,
    Call,
    Chain,
    Compare,
    Comparison,
    Expression,
    Function,
    IsNull,
    Like,
    Name,
    Not,
    Number,
    Operation,
    Text,
    Token,
    Truth,
    tokens_of,
)

DEEPEST: Final = 60
"""How deep an expression may nest: brackets, signs, and operations one after the other."""
MOST_ITEMS: Final = 1000
"""Literals of one `in (…)`."""

FUNCTIONS: Final[tuple[Function, ...]] = get_args(Function)
_COMPARISONS: Final = get_args(Comparison)


def parse(expression: str) -> Expression:
    """The tree of an expression; raises QueryError with the place where it ends to be one.

    >>> parse("level > 3")
    Compare(comparison='>', left=Name(parts=('level',), place=Place(start=0, end=5)), \
right=Number(value=3, place=Place(start=8, end=9)), place=Place(start=0, end=9))
    """
    parser = _Parser(expression)
    if parser.is_at_end:
        raise QueryError("the expression is empty; one such as score < -50 is expected")
    found = parser.either()
    if not parser.is_at_end:
        parser.refuse()
    return found


class _Parser:
    """The tokens of an expression and how many of them are read."""

    def __init__(self, expression: str) -> None:
        self._expression = expression
        self._tokens = tokens_of(expression)
        self._at = 0
        self._depth = 0

    @property
    def next(self) -> Token:
        """The token that is read next."""
        return self._tokens[self._at]

    @property
    def is_at_end(self) -> bool:
        """Whether all is read."""
        return self.next.kind == "end"

    def refuse(self, expected: str = "") -> NoReturn:
        """Raise QueryError for the next token."""
        token = self.next
        hint = ""
        if token.kind == "sign" and token.text in _COMPARISONS and not expected:
            hint = "; two comparisons are joined by and, as in 1 < score and score < 5"
        elif token.kind == "sign" and token.text in "*%" and not expected:
            expected = "a field, a number or a text"
        wanted = f", expected {expected}" if expected else ", expected and, or, or the end"
        raise wrong(f"found {token.said}{'' if hint else wanted}{hint}", token.place)

    def either(self) -> Expression:
        """Conditions of which one must hold."""
        self._go_deeper()
        values = [self._both()]
        while self._take("keyword", "or"):
            values.append(self._both())
        self._depth -= 1
        return values[0] if len(values) == 1 else Chain("or", tuple(values), _around(values[0], values[-1]))

    def _both(self) -> Expression:
        values = [self._opposite()]
        while self._take("keyword", "and"):
            values.append(self._opposite())
        return values[0] if len(values) == 1 else Chain("and", tuple(values), _around(values[0], values[-1]))

    def _opposite(self) -> Expression:
        if (word := self._take("keyword", "not")) is None:
            return self._test()
        self._go_deeper()
        value = self._opposite()
        self._depth -= 1
        return Not(value, Place(word.place.start, value.place.end))

    def _test(self) -> Expression:
        left = self._sum()
        token = self.next
        if token.kind == "sign" and token.text in _COMPARISONS:
            self._at += 1
            if self.next.kind == "keyword" and self.next.text == "null":
                said = "is null" if token.text == "=" else "is not null"
                message = f"found {token.text} null; what is not stated is asked for by `{said}`"
                raise wrong(message, Place(token.place.start, self.next.place.end))
            right = self._sum()
            return Compare(cast(Comparison, token.text), left, right, _around(left, right))
        if self._take("keyword", "is"):
            is_negated = self._take("keyword", "not") is not None
            if (end := self._take("keyword", "null")) is None:
                self.refuse("null")
            place = Place(left.place.start, end.place.end)
            return _negated(IsNull(left, place), is_negated)
        is_negated = self._take("keyword", "not") is not None
        if self._take("keyword", "in"):
            return _negated(self._among(left), is_negated)
        if self._take("keyword", "between"):
            return _negated(self._between(left), is_negated)
        for word in ("like", "ilike"):
            if self._take("keyword", word):
                if self.next.kind != "text":
                    self.refuse("a text such as 'c%'")
                pattern = self._pass()
                place = Place(left.place.start, pattern.place.end)
                return _negated(Like(left, pattern.text, word == "ilike", place), is_negated)
        if is_negated:
            self.refuse("in, between or like")
        return left

    def _among(self, value: Expression) -> Expression:
        self._expect("(")
        items = [self._literal()]
        while self._take("sign", ","):
            items.append(self._literal())
        if len(items) > MOST_ITEMS:
            raise wrong(f"{len(items):,} values, at most {MOST_ITEMS:,} are read", value.place)
        return Among(value, tuple(items), Place(value.place.start, self._expect(")").place.end))

    def _between(self, value: Expression) -> Expression:
        low = self._sum()
        if self._take("keyword", "and") is None:
            self.refuse("and")
        high = self._sum()
        place = _around(value, high)
        return Chain("and", (Compare(">=", value, low, place), Compare("<=", value, high, place)), place)

    def _literal(self) -> Number | Text | Truth:
        first = self.next
        value = self._signed()
        match value:
            case Number() | Text() | Truth():
                return value
        place = Place(first.place.start, value.place.end)
        raise wrong("the values of in (…) are numbers or texts", place)

    def _sum(self) -> Expression:
        return self._operations(("+", "-"), self._product)

    def _product(self) -> Expression:
        return self._operations(("*", "/", "%"), self._signed)

    def _operations(self, signs: tuple[str, ...], operand: Callable[[], Expression]) -> Expression:
        left: Expression = operand()
        depth = self._depth
        while self.next.kind == "sign" and self.next.text in signs:
            self._go_deeper()  # the tree grows to the left
            operation = cast(Operation, self._pass().text)
            right = operand()
            left = Arithmetic(operation, left, right, _around(left, right))
        self._depth = depth
        return left

    def _signed(self) -> Expression:
        sign = self._take("sign", "-") or self._take("sign", "+")
        if sign is None:
            return self._value()
        self._go_deeper()
        value = self._signed()
        self._depth -= 1
        place = Place(sign.place.start, value.place.end)
        if isinstance(value, Number):
            return Number(-value.value if sign.text == "-" else value.value, place)
        return Call("-", value, place) if sign.text == "-" else value

    def _value(self) -> Expression:
        token = self.next
        match token.kind, token.text:
            case "number", text:
                self._at += 1
                return Number(int(text) if text.isdigit() else float(text), token.place)
            case "text", text:
                self._at += 1
                return Text(text, token.place)
            case "keyword", "true" | "false" as word:
                self._at += 1
                return Truth(word == "true", token.place)
            case "keyword", "inf":
                self._at += 1
                return Number(float("inf"), token.place)
            case "keyword", "null":
                raise wrong("found null; what is not stated is asked for by `is null`", token.place)
            case "sign", "(":
                self._at += 1
                value = self.either()
                self._expect(")")
                return value
            case "name", _:
                return self._name()
        self.refuse("a field, a number or a text")

    def _name(self) -> Expression:
        first = last = self._pass()
        parts = [first.text]
        while True:
            number = self.next
            if number.kind == "number" and number.text[0] == "." and number.text[1:].isdigit():
                if number.place.start != last.place.end:  # `scores.0` is a name, `score .5` is none
                    break
                last = self._pass()
                parts.append(last.text[1:])
            elif self._take("sign", "."):
                if self.next.kind not in ("name", "keyword"):
                    self.refuse("a name")
                last = self._pass()
                is_quoted = self._expression[last.place.start] == '"'
                parts.append(last.text if is_quoted else self._expression[last.place.start : last.place.end])
            else:
                break
        if self.next.text == "(" and self.next.kind == "sign":
            return self._call(first, len(parts))
        return Name(tuple(parts), Place(first.place.start, last.place.end))

    def _call(self, name: Token, n_parts: int) -> Expression:
        function = name.text.lower()
        if n_parts > 1 or function not in FUNCTIONS:
            _no_function(name)
        self._expect("(")
        value = self.either()
        end = self._expect(")")
        return Call(function, value, Place(name.place.start, end.place.end))

    def _take(self, kind: str, text: str) -> Token | None:
        """Pass the next token where it is this one."""
        return self._pass() if self.next.kind == kind and self.next.text == text else None

    def _expect(self, sign: str) -> Token:
        return self._take("sign", sign) or self.refuse(sign)

    def _pass(self) -> Token:
        token = self.next
        self._at += 1
        return token

    def _go_deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise wrong(f"the expression nests deeper than {DEEPEST} levels here", self.next.place)


def _no_function(name: Token) -> NoReturn:
    near = get_close_matches(name.text.lower(), FUNCTIONS, n=1)
    listed = ", ".join(f"{function}()" for function in FUNCTIONS)
    message = f"no function {quoted(name.text, 40)}; there are {listed}"
    raise wrong(message, name.place, near[0] if near else "")


def _negated(condition: Expression, is_negated: bool) -> Expression:
    return Not(condition, condition.place) if is_negated else condition


def _around(first: Expression, last: Expression) -> Place:
    return Place(first.place.start, last.place.end)
