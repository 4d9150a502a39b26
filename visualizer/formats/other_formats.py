"""Files of other formats: recognised, and refused by their name, with advice."""

from __future__ import annotations

import re
from typing import Final

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.literal.print_outs import is_print_out

EXPECTED: Final = "expected JSON, JSON Lines, Parquet or a literal, plain or packed by gzip or Zstandard"
ROWS: Final = (
    'write its rows as JSON objects that name their parent: [{"id": 0, "parent": null, "score": 3}, …]'
)
NODES: Final = 'write its nodes as JSON: {"name": "root", "children": [{"name": "c6", "score": 3}]}'
LOOKED_AT: Final = 8_192
"""The bytes of a text by which its format is recognised."""

MAGIC: Final = (
    (b"SQLite format 3", "an SQLite database", ROWS),
    (b"PK\x03\x04", "a Zip archive", "unpack it and open what is in it"),
    (b"BZh", "packed by bzip2", "unpack it with `bunzip2`"),
    (b"\xfd7zXZ", "packed by xz", "unpack it with `unxz`"),
    (b"%PDF", "a PDF document", NODES),
    (b"\x89PNG", "a PNG picture", NODES),
    (b"\x93NUMPY", "a NumPy array", NODES),
    (b"\x89HDF", "an HDF5 file", NODES),
)
PACKINGS: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
"""The magic numbers of gzip and Zstandard."""
PICKLE: Final = re.compile(rb"\x80[\x02-\x05]")
DOT: Final = re.compile(
    r'\s*(?:(?://|#)[^\n]*\n\s*|/\*.*?\*/\s*)*(?:strict\s+)?(?:di)?graph\b\s*(?:[\w.]+|"[^"\n]*")?\s*\{',
    re.IGNORECASE | re.DOTALL,
)
LOGGED: Final = (
    "let the engine log the nodes that it visits, as docs/logging-from-your-engine.md shows: "
    '{"id": 1, "parent": 0, "ply": "e4", "score": 3} on a line each'
)
GLYPHS: Final = "\u2580-\u259f\u25a0-\u25ff\u2654-\u265f\u26aa\u26ab\u2b1b\u2b1c\U0001f534-\U0001f7eb"
CELL_OF_BOARD: Final = r"[.XOxo#*_\-12pnbrqkPNBRQK]"
BOARD_LINE: Final = re.compile(
    rf"[^\w\n]*(?:[{GLYPHS}][ |]?){{3,}}.*"
    rf"|[ \d]*(?:{CELL_OF_BOARD} +){{2,}}{CELL_OF_BOARD} *"
    rf"|[ \d]*[|│+]?(?: ?{CELL_OF_BOARD}? ?[|│]|-+\+){{2,}}(?: ?{CELL_OF_BOARD}? ?|-*)"
    r"|[ \d]*(?:[.XOxo#*_\-]{3,}|[.pnbrqkPNBRQK]{8})"
)
RANKS: Final = r"\s*(?:[pnbrqkPNBRQK1-8]+/){7}[pnbrqkPNBRQK1-8]+\s+[wb]\s+[KQkqA-Ha-h-]+\s+[a-h1-8-]+"
NAMED: Final = tuple(
    (re.compile(pattern), what, advice)
    for pattern, what, advice in (
        (r"\s*\(\s*;\s*[A-Za-z]{1,12}\s*\[", "SGF (a record of a game)", LOGGED),
        (r'\s*EFG\s+\d+\s+[RD]\s+"', "Gambit's EFG (a game in extensive form)", NODES),
        (r'\s*NFG\s+\d+\s+[RD]\s+"', "Gambit's NFG (a game in strategic form)", NODES),
        (r"#(?i:NEXUS)\b", "NEXUS (trees of names and branch lengths)", NODES),
        (rf"{RANKS}\s+[a-zA-Z]\w*\s[^;\n]*;", "EPD (chess positions)", LOGGED),
        (rf"{RANKS}(?:\s|$)", "FEN (chess positions)", LOGGED),
        (
            r"\s*\((?:[^;{}=\"']|'[^']*')*\)[^;{}()=\"]*;\s*(?:\(|$)",
            "Newick (a tree of names and branch lengths)",
            NODES,
        ),
        (
            r"(?:info .*\n)*(?:info string )?\s*\S+\s*\(\s*\d+\s*\)\s+N:\s*\d+",
            "Lc0's move statistics, the root's moves and nothing below",
            LOGGED,
        ),
        (
            r"(?:(?:position|go|setoption|isready|uci|readyok)\b.*\n)*(?:bestmove|uciok|id name"
            r"|info (?:depth|string|currmove|score|nodes|seldepth|time|multipv|pv))\b",
            "what an engine printed over UCI, without a score of a search",
            "let it search (`go depth 10`), and open what it prints",
        ),
    )
)
"""Formats of texts recognised by their beginning, each with its name and advice."""
PGN: Final = re.compile(r'\s*\[[A-Z]\w*\s+"[^"\n]*"\]\s*\n|\s*1\.\s*[a-hNBRQKO]\S*\s')
XML: Final = re.compile(r"\s*<(?:\?xml|!DOCTYPE|[A-Za-z][\w:.-]*[\s/>])", re.IGNORECASE)
YAML_LINE: Final = re.compile(r"""\s*(?:- .*|-|(?:- )?(?:[\w .-]+|"[^"]*"|'[^']*')\s*:(?:\s.*)?)""")
CELL: Final = re.compile(r"""[\w .:+%/#'\u2212-]*|"[^"]*\"""")


def refuse_magic(data: bytes) -> None:
    """Raise LogError where the first bytes are those of another format."""
    for magic, what, advice in MAGIC:
        if data.startswith(magic):
            raise LogError(f"this is {what}, {EXPECTED}; {advice}")
    if PICKLE.match(data) and data.rstrip().endswith(b"."):
        advice = "a pickle is never opened, for it may run code: write the tree by `json.dump`"
        raise LogError(f"this is a Python pickle, {EXPECTED}; {advice}")


def refuse_other(data: bytes) -> None:
    """Raise LogError where unpacked bytes, which are no JSON, have another known format.

    >>> refuse_other(b"digraph { a -> b }")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: this is Graphviz DOT, expected JSON, ...; convert it ...
    """
    refuse_magic(data)
    if data.startswith(PACKINGS):
        raise LogError(f"this is packed twice, {EXPECTED}; unpack it once")
    start = data[:LOOKED_AT]
    if is_binary(start):
        raise LogError(f"this is a binary file, {EXPECTED}; {NODES}")
    text = start.decode(errors="ignore")
    if DOT.match(text):
        raise LogError(f"this is Graphviz DOT, {EXPECTED}; convert it with `dot -Tjson0 FILE > tree.json`")
    if PGN.match(text):
        advice = f"a game has no search in it: {LOGGED}"
        raise LogError(f"this is PGN (a record of games), {EXPECTED}; {advice}")
    if XML.match(text):
        is_page = re.match(r"\s*<(?:!DOCTYPE\s+html|html)\b", text, re.IGNORECASE)
        raise LogError(f"this is {'an HTML page' if is_page else 'XML'}, {EXPECTED}; {NODES}")
    for pattern, what, advice in NAMED:
        if pattern.match(text):
            raise LogError(f"this is {what}, {EXPECTED}; {advice}")
    lines = [line for line in text.splitlines() if line.strip()]
    n_drawn = sum(BOARD_LINE.fullmatch(line) is not None for line in lines)
    if n_drawn >= 2 and 3 * n_drawn >= len(lines):
        raise LogError(f"these are boards drawn in text, {EXPECTED}; {LOGGED}")


def refuse_lines(data: bytes) -> None:
    """Raise LogError where lines, which are no JSON, are a table, YAML, boards or a print-out.

    >>> refuse_lines(b"a,b\\n1,2\\n")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: this is CSV (a table), expected JSON, ...; write its rows ...
    """
    text = data[:LOOKED_AT].decode(errors="ignore")
    lines = [line for line in text.splitlines()[:50] if line.strip()]
    if len(data) > LOOKED_AT:
        lines = lines[:-1]
    if _is_yaml(lines):
        advice = "convert it: `json.dumps(yaml.safe_load(text))` in Python"
        raise LogError(f"this is YAML, {EXPECTED}; {advice}")
    for separator, name in (("\t", "TSV"), (",", "CSV"), (";", "CSV")):
        if _is_table(lines, separator):
            raise LogError(f"this is {name} (a table), {EXPECTED}; {ROWS}")
    if is_print_out(text):
        what = "a print-out of a search, in which no order tells what lies below what"
        raise LogError(f"this is {what}, {EXPECTED}; {LOGGED}")


def is_binary(data: bytes) -> bool:
    """Whether bytes are no text: they have a zero, or many control characters.

    >>> is_binary(bytes([1, 0, 0, 0, 255])), is_binary("Größe: 3".encode("latin-1"))
    (True, False)
    """
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in data)
    return b"\0" in data or 20 * controls > len(data)


def _is_yaml(lines: list[str]) -> bool:
    """Whether nearly all lines are keys with a colon, or items: at least two, or one after `---`."""
    lines = [line for line in lines if not line.lstrip().startswith("#")]
    if not lines or lines[0].lstrip()[:1] in ("{", "["):
        return False
    begins = lines[0].startswith("---") or lines[0].startswith("%YAML")
    rest = lines[1:] if begins else lines
    n_fit = sum(YAML_LINE.fullmatch(line) is not None for line in rest)
    return len(rest) >= (1 if begins else 2) and 10 * n_fit >= 9 * len(rest)


def _is_table(lines: list[str], separator: str) -> bool:
    """Whether all lines have the same number of cells, at least two, and the first only plain ones."""
    if len(lines) < 2 or lines[0].lstrip()[:1] in ("{", "["):
        return False
    quoted = re.compile(r'"[^"]*"')
    counts = {quoted.sub("", line).count(separator) for line in lines}
    return counts != {0} and len(counts) == 1 and all(map(CELL.fullmatch, lines[0].split(separator)))
