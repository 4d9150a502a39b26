"""Runs programs that use the loggers in examples/loggers, in each of their languages."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log
from tests.patience import PATIENCE

LOGGERS = Path(__file__).parents[3] / "examples" / "loggers"
PROGRAMS = Path(__file__).parent
LANGUAGES = ("c", "cpp", "mjs", "cjs", "py")
COMPILERS = {"c": ("gcc", "cc", "clang"), "cpp": ("g++", "c++", "clang++")}
STANDARDS = {"c": "-std=c99", "cpp": "-std=c++17"}


def compiler(language: str) -> list[str]:
    """The command of a compiler for "c" or "cpp": one of the machine, else that of the package `ziglang`."""
    for name in COMPILERS[language]:
        if found := shutil.which(name):
            return [found]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", {"c": "cc", "cpp": "c++"}[language]]
    names = " or ".join(COMPILERS[language])
    pytest.fail(f"no compiler: install {names}, or `pip install -e '.[cxx]'`")


def program(name: str, language: str, folder: Path, *options: str) -> list[str]:
    """The command that runs a program beside this file; what has to be made for it goes to `folder`.

    A compiler gets the `options` besides ours.
    """
    if language == "cjs":
        text = (PROGRAMS / f"{name}.mjs").read_text("utf-8")
        source = folder / f"{name}.cjs"
        source.write_text(as_commonjs(text), "utf-8")
    else:
        source = PROGRAMS / f"{name}.{language}"
    return command_for(source, folder, *options)


def as_commonjs(module: str) -> str:
    """A program that imports, as one that requires."""
    module = module.replace('import fs from "node:fs";', 'const fs = require("node:fs");')
    module = module.replace("await import(`file://", "require(`")
    module = module.replace('import { SearchLog } from "', 'const { SearchLog } = require("')
    module = module.replace('search_log.mjs";', 'search_log.mjs");')
    return module.replace(".mjs", ".cjs")


def command_for(source: Path, folder: Path, *options: str) -> list[str]:
    """The command that runs a source: an interpreter and the source, or the program compiled from it."""
    language = source.suffix[1:]
    if language == "py":
        return [sys.executable, "-B", str(source)]
    if language in ("mjs", "cjs"):
        return [str(compute_driver_executable()[0]), str(source)]
    made = folder / source.stem
    ours = [STANDARDS[language], "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", f"-I{LOGGERS}"]
    command = [*compiler(language), *ours, *options, str(source), "-o", str(made), "-lm"]
    subprocess.run(command, check=True, timeout=300)
    return [str(made)]


def logged(command: list[str], log: Path, *arguments: str) -> Log:
    """The log that a program writes."""
    subprocess.run([*command, str(log), *arguments], check=True, timeout=PATIENCE)
    return read_log(log.read_bytes())
