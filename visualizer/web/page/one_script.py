"""The modules with which the page begins as one script, so that a browser asks once and not a hundred times.

Each module becomes a function that is called once and returns its exports. Only the forms of `import` and
`export` in our modules are understood; if there is another one, the modules stay files. Modules that are
loaded late stay files, and import the modules in the script through modules of one line. A source map gives a
browser's tools the line and module of each line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import Final, NamedTuple

IMPORT: Final = re.compile(r'import (?:(\{[^}]*\}) from )?"(\.[^"]+)";')
PASSED_ON: Final = re.compile(r'export \{([^}]*)\} from "(\.[^"]+)";')
LISTED: Final = re.compile(r"export \{([^}]*)\};")
DECLARED: Final = re.compile(r"export ((?:async )?function\*?|const|class) (\w+)")
LATE: Final = re.compile(r'\bimport\("(\.[^"]+)"\)')
LATE_HERE: Final = re.compile(r'\bimport\("\./([^"]+)"\)')
BEGINNINGS: Final = ("\nimport ", "\nexport ", "\nawait ")
"""The beginnings of statements that only a module may have; all others may be in a function."""
DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class UnknownFormError(ValueError):
    """A module says something that is not understood here."""


def one_script(content: Mapping[str, bytes], names: Sequence[str], script: str) -> dict[str, bytes]:
    """The files that take the place of the modules of these names: `script`, and some lines for each other.

    Raises UnknownFormError.

    >>> files = one_script({"a.js": b'import { b } from "./b.js";', "b.js": b"export const b = 1;"},
    ...                    ["a.js", "b.js"], "a.js")
    >>> files["b.js"].decode()
    'import { b_js as held } from "./a.js";\\nexport const { b } = held;\\n'
    """
    modules = {name: as_function(name, content[name].decode()) for name in names}
    order = imported_first(modules)
    lines = [modules[name].function for name in order]
    lines += [f"export {{ {', '.join(map(held_as, order))} }};", f"//# sourceMappingURL={script}.map", ""]
    written = {script: "\n".join(lines).encode()}
    for name in order:
        if name != script:
            way = "../" * name.count("/") or "./"
            held = f'import {{ {held_as(name)} as held }} from "{way}{script}";\n'
            exports = ", ".join(modules[name].exports)
            written[name] = (held + (f"export const {{ {exports} }} = held;\n" if exports else "")).encode()
    return written


def whole_script(content: Mapping[str, bytes], script: str) -> str:
    """All modules that `script` may come to load as one, which loads none: those that are loaded late, too.

    Raises UnknownFormError.

    >>> print(whole_script({"a.js": b'void import("./b.js");', "b.js": b"export const b = 1;"}, "a.js"))
    const b_js = (() => {
    const b = 1;
    return { b };})();
    const a_js = (() => {
    void Promise.resolve(b_js);
    return {  };})();
    """
    modules: dict[str, Module] = {}
    waiting = [script]
    while waiting:
        name = waiting.pop()
        if name not in modules:
            modules[name] = as_function(name, content[name].decode())
            waiting += [*modules[name].imports, *LATE_HERE.findall(modules[name].function)]
    order = [*(name for name in imported_first(modules) if name != script), script]
    return "\n".join(
        LATE_HERE.sub(lambda found: f"Promise.resolve({held_as(found[1])})", modules[name].function)
        for name in order
    )


def source_map(content: Mapping[str, bytes], names: Sequence[str]) -> bytes:
    """The source map of `one_script`: the line and module of each of its lines."""
    sources = {name: content[name].decode() for name in names}
    order = imported_first({name: as_function(name, source) for name, source in sources.items()})
    lines, number_before, line_before = [], 0, 0
    for number, name in enumerate(order):
        lines.append("")
        for line in range(sources[name].count("\n") + 1):
            steps = (0, number - number_before, line - line_before, 0)
            lines.append("".join(map(_base64_vlq, steps)))
            number_before, line_before = number, line
        lines.append("")
    whole = {"version": 3, "sources": order, "sourcesContent": [sources[name] for name in order], "names": []}
    return json.dumps(whole | {"mappings": ";".join(lines)}).encode()


def imported_first(modules: Mapping[str, Module]) -> list[str]:
    """The modules so ordered that each comes after those which it imports; refuses circles."""
    order: dict[str, None] = {}
    waiting = {name: module.imports for name, module in modules.items()}
    while waiting:
        ready = [name for name, needed in waiting.items() if all(each in order for each in needed)]
        if not ready:
            raise UnknownFormError(f"modules import each other in a circle: {', '.join(waiting)}")
        for name in ready:
            order[name] = None
            del waiting[name]
    return list(order)


def held_as(name: str) -> str:
    """The script's name for the exports of a module, which no edit of another module changes."""
    return re.sub(r"\W", "_", name)


class Module(NamedTuple):
    """A module as a function that is called once; its lines are one below those of the module."""

    function: str
    imports: tuple[str, ...]
    exports: tuple[str, ...]


def as_function(name: str, source: str) -> Module:
    """Make a function of a module. Raises UnknownFormError."""
    imports: list[str] = []
    exports: list[str] = []
    parts: list[str] = []
    done = 0

    def held(path: str) -> str:
        imports.append(normpath(join(dirname(name), path)))
        return held_as(imports[-1])

    text = f"\n{source}"
    for at in sorted(at + 1 for beginning in BEGINNINGS for at in _places(text, beginning)):
        if found := IMPORT.match(text, at):
            names = " ".join((found[1] or "").split()).replace(" as ", ": ")
            module = held(found[2])
            stands = f"const {names} = {module};" if names else ""
        elif found := PASSED_ON.match(text, at):
            exports += _names(found[1])
            stands = f"const {{{' '.join(found[1].split())}}} = {held(found[2])};"
        elif found := LISTED.match(text, at):
            exports += _names(found[1])
            stands = ""
        elif found := DECLARED.match(text, at):
            exports.append(found[2])
            stands = f"{found[1]} {found[2]}"
        else:
            raise UnknownFormError(f"{name}: this form is not known here: {text[at : at + 60]}")
        parts += (text[done:at], stands, "\n" * found[0].count("\n"))
        done = found.end()
    body = "".join((*parts, text[done:]))
    if "import.meta" in body:
        raise UnknownFormError(f"{name}: import.meta is not known here")
    if 'import("' in body:
        body = LATE.sub(lambda found: f'import("./{normpath(join(dirname(name), found[1]))}")', body)
    whole = f"const {held_as(name)} = (() => {{{body}\nreturn {{ {', '.join(exports)} }};}})();"
    return Module(whole, tuple(imports), tuple(exports))


def _places(text: str, beginning: str) -> Iterator[int]:
    at = text.find(beginning)
    while at >= 0:
        yield at
        at = text.find(beginning, at + 1)


def _names(listed: str) -> list[str]:
    """The names between the braces of an export; refuses other names for them."""
    names = [each.strip() for each in listed.split(",") if each.strip()]
    if not all(name.isidentifier() for name in names):
        raise UnknownFormError(f"an export under another name: {listed}")
    return names


def _base64_vlq(number: int) -> str:
    """A number as source maps write it: five bits a digit, the sign in the lowest bit.

    >>> _base64_vlq(0), _base64_vlq(-1), _base64_vlq(16)
    ('A', 'D', 'gB')
    """
    rest = -number << 1 | 1 if number < 0 else number << 1
    digits = ""
    while True:
        rest, digit = rest >> 5, rest & 31
        digits += DIGITS[digit | 32 if rest else digit]
        if not rest:
            return digits
