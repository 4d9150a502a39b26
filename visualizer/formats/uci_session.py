"""The text of a UCI session, read as a log of the lines that the engine printed about its search.

Each depth is a root, its lines (MultiPV) are plies below, a principal variation is a chain. The session has
only these lines of the tree that the engine searched.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.read.own import read_own_document
from plyscope.visualizer.store.log import Log

LOOKED_AT: Final = 1 << 16
"""The bytes in which a session must have its first score."""
LONGEST_SHOWN: Final = 40
"""The most characters of a mapping that a message quotes."""
START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE: Final = {"score": 100_000, "step": 1, "threshold": 50_000}
"""A distance to mate in plies, written as a score in pawns."""
MAPPED: Final = ("go", "position")
"""The roles that a mapping may have for a session: the number of its search, and its position."""
NO_POSITION: Final = (
    "The session has no `position` line, so who moves and what stands on the board are not known: write "
    '`position startpos moves e2e4 …` before it, or state it by `--map "position=FEN"`.'
)
_SCORE: Final = re.compile(rb"\binfo\b[^\n]*\bscore\s+(?:cp|mate)\s+[-+]?\d")
_DOCUMENT: Final = re.compile(rb"\s*(?:\{|\[\s*[\[{\"\]])")
_COMMAND: Final = re.compile(
    r"(?P<before>|.*?[\s:>\]])"
    r"(?P<word>info|bestmove|position|go|id name|setoption name)(?:\s+(?P<rest>.*))?"
)
_SPEAKER: Final = re.compile(r"(\S*)\s*(?:<[-<]*|[->]*>)\s*([^<>]*?)[\s:]*$")
_WHOLE: Final = ("depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull", "tbhits")
_WORDS: Final = frozenset(
    (
        *_WHOLE,
        "pv",
        "score",
        "wdl",
        "currmove",
        "currmovenumber",
        "sbhits",
        "cpuload",
        "refutation",
        "currline",
    )
)
_OF_ROOT: Final = ("seldepth", "nps", "hashfull", "tbhits", "time")
_SCORE_OF: Final = ("score", "bound")
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,18}")
_PLY: Final = re.compile(r"[a-h][1-8][a-h][1-8][a-z]?|[PNBRQK]@[a-h][1-8]|0000")


@dataclass
class Search:
    """The lines between a `go` and its `bestmove`.

    `position` is a FEN and the plies played since, as in `position fen …`; "" where the session has none.
    """

    position: str = ""
    go: str = ""
    engine: str = ""
    options: dict[str, str] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)
    best: str | None = None
    told: list[str] = field(default_factory=list)
    """The lines as the engine wrote them."""

    def __str__(self) -> str:
        """A session with this search alone."""
        before = [f"id name {self.engine}"] if self.engine else []
        before += [f"setoption name {name} value {value}" for name, value in self.options.items()]
        before += [f"position fen {self.position}"] if self.position else []
        return "\n".join([*before, f"go {self.go}", *self.told, f"bestmove {self.best or ''}", ""])


def is_session(data: bytes) -> bool:
    """Whether a text is a UCI session, by its beginning; a program may prefix the lines.

    >>> is_session(b"12 <mine(0): info depth 1 score cp 18 pv e2e4"), is_session(b'["info score cp 1"]')
    (True, False)
    """
    start = data[:LOOKED_AT]
    return _SCORE.search(start) is not None and _DOCUMENT.match(start) is None


def searches_of(data: bytes) -> list[Search]:
    """The searches of a session; none where `data` is no session."""
    return [*searches_in(data.decode(errors="replace").split("\n"))] if is_session(data) else []


def read_session(text: str, mapping: Mapping[str, str] | None = None) -> Log:
    """The log of one search of a session: the last, or the one that `mapping` numbers by `go`, from 1.

    `position` of the mapping is the position searched. Raises LogError.

    >>> read_session("info depth 1 score cp 18 nodes 20 pv e2e4 e7e5").columns["score"].tolist()[:2]
    [0.18, 0.18]
    """
    told = dict.fromkeys(MAPPED, "") | dict(mapping or {})
    if odd := set(told) - set(MAPPED):
        cannot = f"mapping: of a session over UCI {', '.join(sorted(odd))} cannot be mapped"
        raise LogError(f"{cannot}, only {' and '.join(MAPPED)}")
    searches = list(searches_in(text.split("\n")))
    is_number = _NUMBER.fullmatch(told["go"]) is not None
    number = int(told["go"]) if is_number else len(searches)
    if not 1 <= number <= len(searches) or (told["go"] and not is_number):
        raise LogError(
            f"mapping: go={told['go'][:LONGEST_SHOWN]}, expected the number of a search, 1 to {len(searches)}"
        )
    search = searches[number - 1]
    if position := told["position"]:
        search = replace(search, position=position_of(position) or position)
    notices = [] if search.position else [NO_POSITION]
    if len(searches) > 1:
        others = "`--map go=1` shows the first" if number > 1 else "`--map go=2` shows the second"
        notices.append(f"Search {number} of {len(searches)} in this session is shown; {others}.")
    log = read_own_document(document_of(search), notices=notices)
    shape = "uci " + hashlib.sha256(text.encode()).hexdigest()[:16]
    mapping = {role: value for role, value in told.items() if value}
    return replace(log, mapping=mapping, shape=shape, fields=MAPPED)


def searches_in(lines: Iterable[str]) -> Iterator[Search]:
    """The searches with lines, in order; the lines of several engines may be mixed."""
    speaking: dict[str, Search] = defaultdict(Search)
    for text in lines:
        if (found := _COMMAND.fullmatch(text.strip())) is None:
            continue
        word, rest, now = found["word"], found["rest"] or "", speaking[_speaker(found["before"])]
        if word == "info":
            if (line := line_of(rest)) is not None:
                now.lines.append(line)
                now.told.append(f"info {rest}")
        elif word in ("bestmove", "go"):
            if now.lines:
                now.best = rest.split()[0] if word == "bestmove" and rest else None
                yield replace(now, options=dict(now.options))
            now.lines, now.told, now.best = [], [], None
            now.go = rest if word == "go" else ""
        elif word == "position":
            now.position = position_of(rest)
        elif word == "id name":
            now.engine = rest
        else:
            name, _, value = rest.partition(" value ")
            now.options[name] = value
    yield from (each for each in speaking.values() if each.lines)


def _speaker(before: str) -> str:
    """The engine named in a program's prefix of a line: `Stockfish(0)`, `1`, "" for none.

    >>> [_speaker(text) for text in ("12 <mine(0): ", "12:00:00.123 -->1:", "mine <--- ", "[12:00] >> ", "")]
    ['mine(0)', '1', 'mine', '', '']
    """
    named = _SPEAKER.search(before)
    if named is None:
        return ""
    return named[2] or (named[1] if re.search("[A-Za-z]", named[1]) else "")


def position_of(text: str) -> str:
    """The FEN of a `position` command, and after `moves` the plies since; "" where it has no FEN.

    >>> position_of("startpos moves e2e4").removeprefix(START), position_of("kiwipete")
    (' moves e2e4', '')
    """
    text = " ".join(text.split())
    if text.startswith("startpos"):
        return START + text.removeprefix("startpos")
    return text.removeprefix("fen ") if text.startswith("fen ") else ""


def line_of(text: str) -> dict[str, Any] | None:
    """The values of an `info` line by their words; None where it has neither a score nor a variation.

    >>> line_of("depth 3 score mate -2 upperbound time 5 pv e2e4 e7e5")  # doctest: +NORMALIZE_WHITESPACE
    {'depth': 3, 'score': -99996, 'bound': 'upper', 'time': 5, 'pv': ['e2e4', 'e7e5']}
    >>> line_of("depth 3 currmove e2e4 currmovenumber 1")
    """
    line: dict[str, Any] = {}
    said: dict[str, list[str]] = {}
    word = ""
    for token in text.split():
        if token == "string":
            break
        if token in _WORDS:
            word = token
            said.setdefault(word, [])
        elif word:
            said[word].append(token)
    for word, values in said.items():
        numbers = [int(each) for each in values if _NUMBER.fullmatch(each)]
        if word in _WHOLE and numbers:
            line[word] = numbers[0]
        elif word == "wdl" and len(numbers) == 3:
            line[word] = numbers
        elif word == "score" and numbers:
            line["score"] = _mate(numbers[0]) if "mate" in values else numbers[0] / 100
            bounds = [each.removesuffix("bound") for each in values if each.endswith("bound")]
            line["bound"] = bounds[0] if bounds else "exact"
        elif word == "pv" and values:
            line["pv"] = values
    return line if "score" in line or "pv" in line else None


def _mate(n_moves: int) -> int:
    """The score of a mate in `n_moves` by the side to move, or against it if negative."""
    return MATE["score"] - (2 * n_moves - 1) if n_moves > 0 else -MATE["score"] - 2 * n_moves


def document_of(search: Search) -> dict[str, Any]:
    """A search as a document of our log format."""
    roots: list[dict[str, Any]] = []
    lines: list[list[dict[str, Any]]] = []
    for line in search.lines:
        is_further = lines and line.get("multipv", 1) > lines[-1][-1].get("multipv", 1)
        if is_further and line.get("depth", 0) <= lines[-1][0].get("depth", 0):
            lines[-1].append(line)
        else:
            lines.append([line])
    sides = _sides(search.position)
    nodes = milliseconds = 0
    for group in lines:
        best, last = group[0], group[-1]
        root: dict[str, Any] = {"layer": "max", "iteration": best.get("depth"), "depth": best.get("depth")}
        root |= {name: best[name] for name in _SCORE_OF if name in best}
        root |= {name: line[name] for line in group for name in _OF_ROOT if name in line}
        if "nodes" in last:
            root |= {"nodes": max(0, last["nodes"] - nodes), "total_nodes": last["nodes"]}
            nodes = last["nodes"]
        if "time" in last:
            root["seconds"] = max(0, last["time"] - milliseconds) / 1000
            milliseconds = last["time"]
        children = [_chain(line, best, sides) for line in group if "pv" in line]
        roots.append(_moved(root, sides, 0) | {"children": [*children, {"outcome": "unlogged"}]})
    header: dict[str, Any] = {"plyscope": 1}
    if sides:
        header |= {"position": search.position, "players": ["white", "black"]}
        if not {"UCI_Variant", "UCI_Chess960"} & set(search.options):
            header["game"] = "chess"
    engine = {"engine": search.engine, "go": search.go, "options": search.options}
    depth = max((line.get("depth", 0) for line in search.lines), default=0)
    says = {"said_over": "UCI", "depth": depth, "unit": "pawns", "mate": MATE}
    header["search"] = says | {name: value for name, value in engine.items() if value}
    header["result"] = _result(search, lines, nodes, milliseconds)
    return header | {"roots": roots}


def _sides(position: str) -> tuple[str, ...]:
    """The side to move at the root and the other one; empty where the position is unknown."""
    fen, _, plies = position.partition(" moves")
    words = fen.split()
    if len(words) < 2 or words[1] not in ("w", "b"):
        return ()
    is_black = (words[1] == "b") != bool(len(plies.split()) % 2)
    return ("black", "white") if is_black else ("white", "black")


def _moved(node: dict[str, Any], sides: tuple[str, ...], level: int) -> dict[str, Any]:
    """A node at `level`, with its layer and player added."""
    node["layer"] = ("max", "min")[level % 2]
    return node | ({"player": sides[level % 2]} if sides else {})


def _chain(line: dict[str, Any], best: dict[str, Any], sides: tuple[str, ...]) -> dict[str, Any]:
    worth = {name: line[name] for name in _SCORE_OF if name in line}
    node: dict[str, Any] = {}
    for level, ply in reversed([*enumerate(_whole(line["pv"]), start=1)]):
        node = _moved({"ply": ply} | ({"children": [node]} if node else {}) | worth, sides, level)
    node |= {name: line[name] for name in ("seldepth", "wdl") if name in line}
    if line.get("depth", 0) > 0 and line["depth"] != best.get("depth"):
        node["depth"] = line["depth"] - 1
    return node


def _whole(plies: list[str]) -> list[str]:
    """The plies of a variation, without a last one that was cut short."""
    is_cut = len(plies) > 1 and not _PLY.fullmatch(plies[-1]) and all(map(_PLY.fullmatch, plies[:-1]))
    return plies[:-1] if is_cut else plies


def _result(search: Search, lines: list[list[dict[str, Any]]], nodes: int, time: int) -> dict[str, Any]:
    """The result of a search: the ply that was chosen, and the last exact line that begins with it."""
    exact = [number for number, group in enumerate(lines) if group[0].get("bound") == "exact"] or [
        len(lines) - 1
    ]
    ply = None if search.best in (None, "(none)", "0000", "NULL") else search.best
    found = [number for number in exact if ply in (None, *lines[number][0].get("pv", [])[:1])]
    root = (found or exact)[-1]
    best = lines[root][0]
    result: dict[str, Any] = {"root": root, "nodes": nodes, "seconds": time / 1000}
    result |= {name: best[name] for name in _SCORE_OF if name in best}
    if "pv" in best:
        result["pv"] = _whole(best["pv"])
    if ply or "pv" in best:
        result["ply"] = ply or best["pv"][0]
    return result
