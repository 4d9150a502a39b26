"""Foreign documents and what they are read as, in text that a person can check line by line.

After a change that is meant, write the texts anew, read the difference, and commit it:

    python -m tests.shapes.dump
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.words import BOUNDS, LAYERS, OUTCOMES

FOLDER = Path(__file__).parent
SHOWN = ("static", "pre_score", "alpha", "beta", "depth", "visits", "mean", "prior", "count")
TEXTS = ("position", "board")


def documents() -> list[Path]:
    """The foreign documents of this folder."""
    return sorted(path for path in FOLDER.iterdir() if path.suffix in (".json", ".js", ".txt"))


def golden(document: Path) -> Path:
    """The file that holds the text of a document."""
    return document.with_name(f"{document.name}.dump")


def dump(log: Log) -> str:
    """A log as text: notices, the mapping, the header, and one line a node, indented by level."""
    lines = [
        *log.notices,
        f"mapping: {', '.join(f'{ours}={theirs}' for ours, theirs in log.mapping.items())}",
    ]
    if log.header:
        lines.append(f"header: {dict(log.header)}")
    if log.players:
        lines.append(f"players: {', '.join(log.players)}")
    lines.append("")
    lines += [f"{'  ' * int(log.columns['level'][row])}{_line(log, row)}" for row in range(log.n_rows)]
    return "\n".join(lines) + "\n"


def _line(log: Log, row: int) -> str:
    return "  ".join(_pieces(log, row))


def _pieces(log: Log, row: int) -> Iterator[str]:
    columns = log.columns
    yield LAYERS[columns["layer"][row]] or "-"
    yield log.text(int(columns["ply"][row])) or "(no ply)"
    yield _number(float(columns["score"][row]))
    if bound := BOUNDS[columns["bound"][row]]:
        yield bound
    if outcome := OUTCOMES[columns["outcome"][row]]:
        yield outcome
    for root in log.roots:
        if root.row == row and root.iteration is not None:
            yield f"iteration {root.iteration}"
    for name in SHOWN:
        value = float(columns[name][row]) if name in columns else math.nan
        if not math.isnan(value) and not (name == "count" and value < 0):
            yield f"{name} {_number(value)}"
    for name in TEXTS:
        if name in columns and (text := log.text(int(columns[name][row]))) is not None:
            yield f"{name} {text!r}"
    if "player" in columns and columns["player"][row] >= 0:
        yield f"player {log.players[columns['player'][row]]}"
    for matrix, entries in (
        ("factors", [f.name for f in log.factors]),
        ("contributions", log.contribution_names),
    ):
        if matrix in columns:
            values = zip(entries, columns[matrix][row].tolist(), strict=True)
            known = [f"{name} {_number(value)}" for name, value in values if not math.isnan(value)]
            if known:
                yield f"{matrix} [{', '.join(known)}]"
    if log.stub_plies is not None and len(texts := log.stub_plies.of(row)[0]):
        yield f"plies [{', '.join(log.texts[text] for text in texts)}]"
    if log.extras is not None and (extras := log.extras.of(row)):
        yield extras.decode()


def _number(value: float) -> str:
    return "?" if math.isnan(value) else f"{value:g}"


def regenerate() -> None:
    """Write the text of every document anew."""
    for document in documents():
        golden(document).write_text(dump(read_log(document.read_bytes())), "utf-8")


if __name__ == "__main__":
    regenerate()
