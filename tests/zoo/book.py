"""The page of the docs that lists the zoo, printed from the zoo itself.

python -m tests.zoo.book > docs/bug-zoo.md
"""

from __future__ import annotations

from tests.zoo.fault import CLASSES, Fault
from tests.zoo.faults import FAULTS

HEAD = """# The bug zoo

{n} searches, each with exactly one fault, and what `plyscope check` says of them. They are seeded into the
second engine and the Monte Carlo search of the tests (`tests/second_engine`), and into small searches for
chance and for more than two players (`tests/foreign_engines`), which share no line with the search that
people use. The tests play each on random games until the fault shows, and see that the right rule finds it
where it happened, and that the same search without the fault has nothing wrong. This page is printed by
`python -m tests.zoo.book > docs/bug-zoo.md`.

A fault falls into one of these classes:
"""

CLASS_NOTES = {
    "wrong": "the log contradicts itself, whatever the engine meant",
    "waste": "the scores are right, the work was for nothing",
    "odd": "legitimate in some engines, usually a bug",
    "declared": "the log must say how it was meant (`fail`, `mate`, `draw`, `table`)",
    "twice": "the log must meet one position, or one path, at least twice",
    "replay": "the log must name a game that we know, and its plies are played again",
    "against": "each log is sound in itself; `plyscope check LOG --against OTHER` compares two",
}


def page() -> str:
    """The whole page."""
    kinds = [kind for kind in CLASSES if any(fault.kind == kind for fault in FAULTS)]
    lines = [HEAD.format(n=len(FAULTS))]
    lines += [f"* **{CLASSES[kind]}**: {CLASS_NOTES[kind]}." for kind in kinds]
    for kind in kinds:
        found = [fault for fault in FAULTS if fault.kind == kind]
        lines += [
            "",
            f"## {CLASSES[kind].capitalize()}",
            "",
            "| fault | what it is | found by |",
            "|---|---|---|",
        ]
        lines += [f"| {fault.name} | {fault.what} | {_found_by(fault)} |" for fault in found]
    return "\n".join(lines) + "\n"


def _found_by(fault: Fault) -> str:
    if fault.kind == "against":
        other = ", ".join(f"{name} off" for name in fault.other)
        return f"`--against` {'the same search, ' + other if other else 'a sound search'}"
    return f"`{fault.rule}`" + (f", with `{fault.declaration}`" if fault.declaration else "")


if __name__ == "__main__":
    print(page(), end="")
