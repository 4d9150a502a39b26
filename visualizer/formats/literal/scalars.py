"""The scalars of pasted literals: patterns of texts, numbers and names, and their values."""

from __future__ import annotations

import re
from typing import Any, Final

NAME: Final = re.compile(r"[^\W\d][\w$]*+|\$[\w$]*+")
SIGNED_NAME: Final = re.compile(r"([+-]?)\s*+([^\W\d][\w$]*+|\$[\w$]*+)")
NUMBER: Final = re.compile(
    r"[+-]?\s*+(?:0[xX][0-9a-fA-F_]++|0[bB][01_]++|0[oO][0-7_]++"
    r"|(?:\d[\d_]*+(?:\.[\d_]*+)?|\.\d[\d_]*+)(?:[eE][+-]?\d++)?)n?+"
)
STRING: Final = {
    '"': re.compile(r'"([^"\\\n\r]*+(?:\\(?:\r\n|[\s\S])[^"\\\n\r]*+)*)"'),
    "'": re.compile(r"'([^'\\\n\r]*+(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*+)*)'"),
    "`": re.compile(r"`([^`\\]*+(?:\\[\s\S][^`\\]*+)*)`"),
}
ESCAPE: Final = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\n\r\u2028\u2029])|([\s\S]))"
)
LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
SURROGATE: Final = re.compile("[\ud800-\udfff]")

CONSTANTS: Final[dict[str, Any]] = {
    "true": True,
    "false": False,
    "null": None,
    "undefined": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    # As Python prints them.
    "True": True,
    "False": False,
    "None": None,
    "nan": float("nan"),
    "inf": float("inf"),
}


def read_number(text: str) -> int | float:
    """The number in `text`: whole ones to their last digit, beyond the largest float infinite.

    >>> read_number("0x1F"), read_number("-.5"), read_number("1_000n"), read_number("1e3")
    (31, -0.5, 1000, 1000.0)
    """
    digits = "".join(text.replace("_", "").split()).removesuffix("n").lower()
    sign = -1 if digits.startswith("-") else 1
    plain = digits.lstrip("+-")
    if plain[:2] in ("0x", "0b", "0o"):
        whole = int(plain, 0)
    elif not plain.isdigit() or float(plain) == float("inf"):
        return sign * float(plain)
    else:
        plain = plain if plain.isascii() else "".join(str(int(digit)) for digit in plain)
        whole = int(plain.lstrip("0") or "0")  # zeros count for the limit of digits that Python has
    try:
        float(whole)
    except OverflowError:
        return sign * float("inf")
    return sign * whole


def unescape(body: str) -> tuple[str, int | None]:
    """The text of `body` without its escapes, and the place of a bad escape; mends half characters.

    >>> unescape(r"a\\n\\x41\\ud83d\\ude00")[0] == "a\\nA\\U0001f600"
    True
    """
    bad: list[int] = []

    def one(match: re.Match[str]) -> str:
        braced, four, two, line, other = match.groups()
        digits = braced or four or two
        if digits:
            code = int(digits, 16)
            if code <= 0x10FFFF:
                return chr(code)
        elif line:
            return ""
        elif other not in "ux":
            return LETTERS.get(other, other)
        bad.append(match.start())
        return ""

    text = ESCAPE.sub(one, body)
    if SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text, bad[0] if bad else None
