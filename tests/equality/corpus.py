"""Every case of the harness, in the order in which they are asked: quick ones first, large ones last."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from tests.equality import binary, changes, fuzzed, hard_values, large, verbs
from tests.equality.case import LARGE, PLAIN, QUICK, Case, of_parts
from tests.equality.forms import ROOT, forms

SHARED: Final = Path(os.environ.get("PLYSCOPE_SHARED", ROOT.parent / "shared")) / "cases"
"""Logs that may lie beside the repository."""
CHANGES: Final[dict[str, Callable[[bytes], changes.Parts]]] = {
    "whole": changes.whole,
    "cut": changes.cut,
    "damaged": changes.damaged,
    "rewritten": changes.rewritten,
}
PACKED: Final[dict[str, Callable[[bytes], changes.Parts]]] = {
    "gzip": changes.packed,
    "zstd": changes.packed_by_zstd,
    "encoded": changes.encoded,
}
PACKED_FORMS: Final = (
    "ours rich.json",
    "lines late parent.jsonl",
    "other nested.json",
    "shapes homework_minimax.js",
)
WRITTEN: Final = ("ours ", "lines ", "other ", "road ")
QUICK_CHANGES: Final[dict[str, tuple[str, ...]]] = {
    "whole": (*WRITTEN, "shapes "),
    "cut": ("ours ", "lines "),
    "damaged": ("ours ",),
    "rewritten": ("ours ",),
}
MAPPINGS: Final[dict[str, list[dict[str, str]]]] = {
    "other nested.json": [
        *({"score": "move"}, {"ply": "score"}, {"children": "kids"}, {"static": "score"}, {"x": "y"}),
    ],
    "other nested branches.json": [
        *({"children": "branches"}, {"children": "branches", "score": "score", "ply": "move"}),
    ],
    "other rows.json": [{"id": "id", "parent": "parent"}, {"parent": "id"}, {"score": "parent"}],
    "other maps of plies.json": [{"score": "score", "visits": "score"}],
    "other labelled pairs.json": [{"score": "value"}],
    "other toolkit.json": [{"score": "data.score", "ply": "data.move"}, {"children": "adjacencies"}],
    "other network.json": [{"ply": "move", "id": "score"}],
    "other maps with fields.json": [{"mean": "score"}, {"score": "visits"}],
    "shapes mcts.json": [{"score": "wins"}, {"mean": "value"}],
    "shapes homework_minimax.js": [{"score": "value", "ply": "name"}, {"score": "name"}],
    "ours rich.json": [{"score": "static"}],
    "lines late parent.jsonl": [{"score": "static"}],
}  # fmt: skip
ENDINGS: Final = (".json", ".jsonl", ".plyb", ".parquet")
PACKED_ENDINGS: Final = (".json.gz", ".jsonl.zst")
EXAMPLES: Final = ("hive-midgame.json.gz", "reversi-midgame.json.gz", "connect-four-deepening.jsonl.gz")


@cache
def all_cases() -> list[Case]:
    """Every case, those that are asked first in front."""
    return sorted(_cases(), key=lambda case: case.dearness)


def _cases() -> Iterator[Case]:
    yield from _of_forms()
    for number, (place, parts) in enumerate(hard_values.documents().items()):
        yield _read(f"hard {place}", partial(_given, parts), PLAIN if number % 6 else QUICK)
    for name, parts in hard_values.odd_texts().items():
        yield _read(f"text/{name}", partial(_given, parts), QUICK)
    yield _read("text/blanks", partial(_given, [("blanks", b" ")]))
    for name, make in binary.parts().items():
        yield _read(f"binary/{name}", make, QUICK if "small" in name or "whole" in name else PLAIN)
    yield Case("binary/large", "read", binary.many_records, {}, LARGE)
    yield from fuzzed.cases()
    yield from large.cases()
    yield from verbs.cases()
    for name in EXAMPLES:
        yield _read(f"examples/{name}", partial(_file, ROOT / "examples" / name), by="path")
    yield from _shared()


def _of_forms() -> Iterator[Case]:
    for form, data in forms().items():
        for change, make in CHANGES.items():
            is_quick = form.startswith(QUICK_CHANGES[change])
            yield _read(f"form/{form}/{change}", partial(make, data), QUICK if is_quick else PLAIN)
        yield Case(
            f"form/{form}/again", "read again", of_parts(partial(changes.whole, data)), {"endings": ENDINGS}
        )
        for number, mapping in enumerate(MAPPINGS.get(form, ())):
            yield _read(f"form/{form}/mapped {number}", partial(changes.whole, data), QUICK, mapping=mapping)
    for form in PACKED_FORMS:
        data = forms()[form]
        for change, make in PACKED.items():
            yield _read(f"form/{form}/{change}", partial(make, data), QUICK)
        for most in (10, 200, 10_000):
            yield _read(f"form/{form}/at most {most}", partial(changes.packed, data), most=most)
            name = f"form/{form}/at most {most} by path"
            yield _read(name, partial(changes.whole, data), by="path", most=most)
        yield Case(
            f"form/{form}/again, packed",
            "read again",
            of_parts(partial(changes.whole, data)),
            {"endings": PACKED_ENDINGS},
        )


def _shared() -> Iterator[Case]:
    if not SHARED.is_dir():
        return
    for path in sorted(SHARED.rglob("*")):
        if path.is_file() and path.suffix not in (".md", ".py"):
            name = f"shared/{path.relative_to(SHARED).as_posix()}"
            dearness = LARGE if path.suffix == ".parquet" else PLAIN
            yield _read(name, partial(_file, path), dearness, by="path")
            if path.stat().st_size < 20_000:
                data = path.read_bytes()
                yield _read(f"{name}/cut", partial(changes.cut, data))


def _read(name: str, parts: Callable[[], changes.Parts], dearness: int = PLAIN, **asked: Any) -> Case:
    return Case(name, "read", of_parts(parts), asked, dearness)


def _given(parts: list[tuple[str, bytes]]) -> changes.Parts:
    yield from parts


def _file(path: Path) -> changes.Parts:
    yield path.name, path.read_bytes()
