"""Large trees in the forms that programs write, for benchmarks of reading: the same tree in each."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TextIO

FACTORS: Final = ("mobility", "corners", "edges")
HEADER: Final = '{"plyscope":1,"factors":[{"name":"mobility"},{"name":"corners"},{"name":"edges"}]'
FORMS: Final = (
    *("ours.json", "ours, unknown.json", "ours, contributions.json", "ours, table.json"),
    *("lines.jsonl", "lines, unknown.jsonl", "lines, contributions.jsonl"),
    *("infovis.json", "factors.json", "maps.json", "many names.json", "escapes.json"),
    *("rows.json", "rows.jsonl", "shuffled rows.json", "rows by id.json"),
    *("maps in maps.json", "sides.json", "named.json"),
    *("adjacencies.json", "transpositions.json", "edges.json", "elements.json"),
)
N_NAMES: Final = 80
"""Names of fields in the form that has many; a node has a few of them."""


def write(path: Path, n_nodes: int) -> None:
    """Write a tree of so many nodes, two to nine children each, in the form that the name says."""
    draw = random.Random(5)
    with path.open("w", encoding="utf-8") as file:
        if path.suffix == ".jsonl":
            if path.name.startswith("lines"):
                file.write(HEADER + "}\n")
            for number, parent, level in nodes(n_nodes):
                file.write(_compact(fields(path, draw, number, level, parent)) + "\n")
        elif "rows" in path.stem:
            is_by_id = path.stem == "rows by id"
            rows = [
                (f'"{number}": ' if is_by_id else "") + json.dumps(fields(path, draw, number, level, parent))
                for number, parent, level in nodes(n_nodes)
            ]
            if path.stem.startswith("shuffled"):
                draw.shuffle(rows)
            file.write(("{%s}" if is_by_id else "[%s]") % ",\n".join(rows))
        elif path.stem in ("adjacencies", "transpositions", "edges", "elements"):
            _link(path, n_nodes, draw, file)
        elif path.stem in ("maps in maps", "sides"):
            _hold(path, n_nodes, draw, file)
        else:
            _nest(path, n_nodes, draw, file)


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _nest(path: Path, n_nodes: int, draw: random.Random, file: TextIO) -> None:
    """Write the nodes inside one another: children in lists, or by ply in maps."""
    is_ours, is_map, is_named = path.name.startswith("ours"), path.stem == "maps", path.stem == "named"
    children, end = ("{", "}}") if is_map else ("[", "]}}" if is_named else "]}")
    file.write(HEADER + ',"root":' if is_ours else "")
    depth = before = -1
    places = [0] * 100
    for number, _, level in nodes(n_nodes):
        while depth >= level:
            file.write(end)
            depth -= 1
        places[level] = 0 if before < level else places[level] + 1
        name = (
            f'{{"n{number}":' if is_named else f"{_ply(places, level, number)}:" if is_map and level else ""
        )
        own = _compact(fields(path, draw, number, level, None))
        file.write(("," if before >= level else "") + name + own[:-1] + f',"children":{children}')
        depth = before = level
    file.write(end * (depth + 1) + ("}" if is_ours else ""))


def _ply(places: list[int], level: int, number: int) -> str:
    return f'"{"abcdefghi"[places[level]]}{1 + number % 8}"'


def _hold(path: Path, n_nodes: int, draw: random.Random, file: TextIO) -> None:
    """Write nodes as fields of one another: by ply with numbers at the ends, or as sides of a full tree."""
    if path.stem == "sides":
        waiting: list[tuple[int, str]] = [(0, "")]
        while waiting:
            number, text = waiting.pop()
            file.write(text)
            if number >= 0:
                own = _compact(fields(path, draw, number, (number + 1).bit_length() - 1, None))
                children = [
                    (child, f',"{side}":')
                    for side, child in zip(("left", "right"), _two(number), strict=True)
                ]
                file.write(own[:-1])
                waiting += [(-1, "}"), *reversed([each for each in children if each[0] < n_nodes])]
        return
    before, places = -1, [0] * 100
    for number, _, level in nodes(n_nodes):
        if number == 0:
            continue
        if 0 < level <= before:
            file.write(f"{draw.randrange(-9, 10)}" + "}" * (before - level))
        else:
            file.write("{")
        places[level] = 0 if level > before else places[level] + 1
        file.write(("," if places[level] else "") + f"{_ply(places, level, number)}:")
        before = level
    file.write("0" + "}" * before)


def _two(number: int) -> tuple[int, int]:
    return 2 * number + 1, 2 * number + 2


def _link(path: Path, n_nodes: int, draw: random.Random, file: TextIO) -> None:
    """Write a graph: nodes that list those next to them, or nodes and edges.

    With transpositions every fiftieth node is reached twice, and edges have a colour, as the toolkit's have.
    """
    below: list[list[int]] = [[] for _ in range(n_nodes)]
    if path.stem == "edges":
        file.write('{"nodes":')
    for number, parent, _ in nodes(n_nodes):
        if parent is not None:
            below[parent].append(number)
            if path.stem == "transpositions" and number % 50 == 0:
                below[number // 2].append(number)
    data = {"$color": "#557EAA"} if path.stem == "transpositions" else {}
    for number, _, level in nodes(n_nodes):
        own = fields(path, draw, number, level, None)
        if path.stem == "elements":
            own = {"data": own}
        elif path.stem != "edges":
            own["adjacencies"] = [
                {"nodeFrom": f"n{number}", "nodeTo": f"n{child}", "data": data} for child in below[number]
            ]
        file.write(("," if number else "[") + _compact(own))
    if path.stem == "elements":
        ends = ({"id": f"e{c}", "source": at, "target": c} for at, each in enumerate(below) for c in each)
        file.write("".join(f",{_compact({'data': each})}" for each in ends))
    file.write("]")
    if path.stem == "edges":
        edges = ({"source": at, "target": child} for at, each in enumerate(below) for child in each)
        file.write(',"edges":[' + ",".join(map(_compact, edges)) + "]}")


def fields(path: Path, draw: random.Random, number: int, level: int, parent: int | None) -> dict[str, Any]:
    """The fields of a random node, in the form of the file at `path`."""
    ply, score = f"{'abcdefgh'[number % 8]}{1 + number // 8 % 8}", round(draw.gauss(0, 10), 3)
    layer, terms = ("max", "min")[level % 2], [round(draw.gauss(0, 10), 3) for _ in FACTORS]
    by_name = dict(zip(FACTORS, terms, strict=True))
    if path.stem in ("infovis", "adjacencies", "transpositions"):
        data = {"type": layer, "score": score, **by_name, "move": ply}
        return {"id": f"n{number}", "name": ply, "data": data}
    if path.stem.endswith("rows") or path.stem == "rows by id":
        name = "node" if path.suffix == ".jsonl" else "id"
        row = {"parent": parent, "move": ply, "score": score, "layer": layer, "note": f"c{number}"}
        return row if path.stem == "rows by id" else {name: number} | row
    if path.stem == "factors":
        return {"move": ply, "type": layer, "score": score, "factors": by_name}
    if path.stem in ("maps", "sides"):
        return {"type": layer, "score": score, "depth": 9 - level}
    if path.stem in ("edges", "elements"):
        return {"id": number, "move": ply, "score": score, "type": layer}
    if path.stem == "named":
        return {"data": {"move": ply, "score": score, "type": layer}}
    if path.stem == "many names":
        first = number * 7 % N_NAMES
        own = {f"count{(first + at) % N_NAMES}": int(terms[0]) + at for at in range(4)}
        return {"move": ply, "score": score, "type": layer} | own
    if path.stem == "escapes":
        return {"zug": ply, "score": score, "type": layer, "größe": terms[0], 'der "Wert"': terms[1]}
    ids = {"id": number} if parent is None else {"id": number, "parent": parent}
    known: dict[str, Any] = {"ply": ply, "layer": layer, "score": score, "alpha": -1000, "beta": 1000}
    if "contributions" in path.stem:
        known["contributions"] = by_name
    else:
        known["factors"] = terms
    if "table" in path.stem and number % 3 == 0:
        known["tt"] = {"use": "narrow", "depth": level, "bound": "lower", "score": score}
    own = {"myEval": terms[0], "note": f"n{number}", "hash": f"{number * 2654435761:016x}"}
    return (ids if path.suffix == ".jsonl" else {}) | known | (own if "unknown" in path.stem else {})


def nodes(n_nodes: int) -> Iterator[tuple[int, int | None, int]]:
    """Number, parent and level of each node, in pre-order."""
    draw = random.Random(3)
    waiting: list[tuple[int | None, int, int]] = [(None, n_nodes, 0)]
    number = 0
    while waiting:
        parent, size, level = waiting.pop()
        yield number, parent, level
        rest, n_children = size - 1, draw.randint(2, 9)
        parts = [rest // n_children + (at < rest % n_children) for at in range(n_children)]
        waiting += [(number, part, level + 1) for part in reversed(parts) if part]
        number += 1
