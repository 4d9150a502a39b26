"""The page with its modules concatenated: what the benchmark of the first page compares with.

Only for measuring: it understands the few forms of `import` and `export` that our modules have, and stops at
any other. Modules that are loaded late stay files of their own.
"""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath

from plyscope.visualizer.web.page_files import SCRIPT, SHEET, PageFiles

IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"(\.[^"]+)";', re.M)
PASSED_ON = re.compile(r'^export \{([^}]*)\} from "(\.[^"]+)";', re.M)
LISTED = re.compile(r"^export \{([^}]*)\};", re.M)
DECLARED = re.compile(r"^export ((?:async )?function\*?|const|class) (\w+)", re.M)
LATE = re.compile(r'\bawait import\("(\.[^"]+)"\)')
LEFT = re.compile(r"^(?:import\b(?! ?\()|export\b).*", re.M)


def write_as_one_file(static: Path, folder: Path) -> None:
    """Write the page below `static` into `folder`, all modules that it begins with as one `main.js`."""
    files = PageFiles(static).now()
    sources = {name: files.content[name].decode() for name in files.first_modules}
    order = imported_first(sources)
    bodies = "\n".join(as_function(name, sources[name], order) for name in order)
    written = {name: data.decode() for name, data in files.content.items() if name not in sources}
    for name in order:
        main = "../" * name.count("/") + SCRIPT
        held = f"import {{ {held_as(name, order)} as held }} from './{main}';\n"
        names = ", ".join(exported(sources[name]))
        written[name] = f"{held}export const {{ {names} }} = held;\n" if names else held
    together = ", ".join(held_as(name, order) for name in order)
    written[SCRIPT] = f"{bodies}\nexport {{ {together} }};\n"
    written[SHEET] = files.content[SHEET].decode()
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def imported_first(sources: dict[str, str]) -> list[str]:
    """The modules so ordered that each comes after those which it imports; stops at a circle."""
    order: list[str] = []
    waiting = list(sources)
    while waiting:
        ready = [name for name in waiting if all(each in order for each in imports(name, sources[name]))]
        if not ready:
            raise ValueError(f"these modules import each other in a circle: {', '.join(waiting)}")
        order += ready
        waiting = [name for name in waiting if name not in ready]
    return order


def imports(name: str, source: str) -> list[str]:
    found = [path for _, path in IMPORT.findall(source)] + [path for _, path in PASSED_ON.findall(source)]
    return [normpath(join(dirname(name), path)) for path in found]


def exported(source: str) -> list[str]:
    listed = [each for pattern in (PASSED_ON, LISTED) for found in pattern.finditer(source)
              for each in found[1].split(",")]  # fmt: skip
    return [found[2] for found in DECLARED.finditer(source)] + [each.strip() for each in listed]


def held_as(name: str, order: list[str]) -> str:
    return f"module_{order.index(name)}"


def as_function(name: str, source: str, order: list[str]) -> str:
    """A module as a function that is called once and gives what it exports."""

    def held(path: str) -> str:
        return held_as(normpath(join(dirname(name), path)), order)

    def taken(found: re.Match[str]) -> str:
        return f"const {found[1].replace(' as ', ': ')} = {held(found[2])};" if found[1] else ""

    body = IMPORT.sub(taken, source)
    body = PASSED_ON.sub(lambda found: f"const {{{found[1]}}} = {held(found[2])};", body)
    body = DECLARED.sub(r"\1 \2", LISTED.sub("", body))
    body = LATE.sub(lambda found: f'await import("./{normpath(join(dirname(name), found[1]))}")', body)
    if left := LEFT.search(body):
        raise ValueError(f"{name}: this form is not known here: {left[0]}")
    names = ", ".join(exported(source))
    return f"const {held_as(name, order)} = (() => {{\n{body}\nreturn {{ {names} }};\n}})();"
