"""Large trees, made when they are asked for: every form at 300,000 nodes, some cut; shapes of one extreme."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from tests.benchmarks import road_forms
from tests.equality.case import LARGE, PLAIN, QUICK, Case
from tests.fuzz.shapes import SHAPES, shape

N_NODES: Final = 300_000
N_SMALL_ONES: Final = 800_000
"""Of maps in maps, which have seven bytes a node."""
N_SPOILT: Final = 200_000
SPOILT: Final = (
    "ours.json",
    "ours, unknown.json",
    "lines.jsonl",
    "infovis.json",
    "rows.json",
    "adjacencies.json",
)
SHAPE_SIZES: Final = {"small": (300, QUICK), "large": (20_000, PLAIN)}


def cases() -> Iterator[Case]:
    """All of these; the large ones have a process of their own."""
    for form in road_forms.FORMS:
        yield Case(f"large/{form}/whole", "read", partial(_write, form), {}, LARGE)
    for form in SPOILT:
        yield Case(f"large/{form}/spoilt", "read", partial(_write_spoilt, form), {}, LARGE)
    yield Case("large/lines.jsonl/gzip", "read", partial(_write_packed, "lines.jsonl"), {}, LARGE)
    mapping = {"score": "data.mobility", "ply": "name"}
    asked = {"mapping": mapping, "by": "path"}
    yield Case("large/infovis.json/mapped", "read", partial(_write, "infovis.json"), asked, LARGE)
    for ending in (".jsonl", ".parquet"):
        name, asked_again = "ours, unknown.json", {"endings": [ending]}
        yield Case(f"large/{name}/again {ending}", "read again", partial(_write, name), asked_again, LARGE)
    for name in SHAPES:
        for size, (n, dearness) in SHAPE_SIZES.items():
            make = partial(_shape, name, n)
            yield Case(f"shape/{name}/{size}", "read", make, {}, dearness)


def _write(form: str, folder: Path) -> None:
    path = folder / form
    road_forms.write(path, N_SMALL_ONES if form == "maps in maps.json" else N_NODES)
    path.rename(folder / f"0000 {form}")


def _write_spoilt(form: str, folder: Path) -> None:
    """Cut, and with a wrong or hard field behind two thirds of it."""
    whole = folder / form
    road_forms.write(whole, N_SPOILT)
    data = whole.read_bytes()
    whole.unlink()
    at = data.index(b'"score"', len(data) * 2 // 3)
    parts = {
        "cut at nine tenths": data[: len(data) * 9 // 10],
        "without its last byte": data[:-1],
        "a colon is missing": data[:at] + data[at:].replace(b":", b" ", 1),
        "a score is true": data[:at] + b'"score":true,' + data[at:],
        "a score is there twice": data[:at] + b'"score":-0.0,' + data[at:],
        "a number is too large": data[:at] + b'"much":1e400,' + data[at:],
        "a name is of JavaScript": data[:at] + b"much:1," + data[at:],
        "a name is escaped": data[:at] + b'"sc\\u006fre"' + data[at + 7 :],
    }
    for number, (label, spoilt) in enumerate(parts.items()):
        (folder / f"{number:04} {label}").write_bytes(spoilt)


def _write_packed(form: str, folder: Path) -> None:
    _write(form, folder)
    whole = folder / f"0000 {form}"
    data = gzip.compress(whole.read_bytes(), 1, mtime=0)
    whole.unlink()
    (folder / f"0000 {form}.gz").write_bytes(data)
    (folder / f"0001 cut {form}.gz").write_bytes(data[: len(data) * 2 // 3])


def _shape(name: str, n: int, folder: Path) -> None:
    (folder / f"0000 {name}").write_bytes(shape(name, n))
