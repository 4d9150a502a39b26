"""No circle of files: whoever reads a module need not have read it before.

An arrow goes from a file to each file that it imports, within a function and for types alone too: a type that
a file speaks of has to be known to read it. The package around a module is no arrow. Nor is what `str()` of
an answer calls: the words know the answer, and nobody has to know them to read it.
"""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
EXCEPTED: Final = {
    ("plyscope.visualizer.analysis.statistics.figures", "plyscope.visualizer.analysis.statistics.text")
}
"""Arrows that may close a circle: a value whose text is imported when `str()` asks for it."""


def modules() -> dict[str, Path]:
    """The files of the three folders by the names that they are imported by."""
    files = [
        path for folder in ("engine", "visualizer", "plyscope") for path in (ROOT / folder).rglob("*.py")
    ]
    return {_name_of(path): path for path in files}


def _name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts if parts[0] == "plyscope" else ("plyscope", *parts))


def imported(text: str, known: dict[str, Path]) -> set[str]:
    """The modules among those known that a file imports, wherever it does."""
    found = set()
    tree = ast.parse(text)
    told = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == "__str__"]
    words = {node for each in told for node in ast.walk(each)}
    for node in set(ast.walk(tree)) - words:
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            whole = {f"{node.module}.{each.name}" for each in node.names}
            found |= {each if each in known else node.module for each in whole}
    return found & known.keys()


def test_no_file_imports_itself_by_way_of_others() -> None:
    known = modules()
    graph = {name: imported(path.read_text("utf-8"), known) - {name} for name, path in known.items()}
    for one, other in EXCEPTED:
        graph[one].discard(other)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" <- ".join(error.args[1])) from None


def test_imports_within_functions_and_for_types_are_arrows() -> None:
    known = dict.fromkeys(("plyscope.a", "plyscope.a.b", "plyscope.c", "plyscope.d"), ROOT)
    text = "def f():\n    from plyscope.a import b, g\nif TYPE_CHECKING:\n    import plyscope.c\nimport os"
    text += "\ndef __str__(self):\n    import plyscope.d"
    assert imported(text, known) == {"plyscope.a", "plyscope.a.b", "plyscope.c"}
