"""The suite itself: what it must not depend on, and the examples in docstrings."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import GROUPS, group_of
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


def test_children_of_the_tests_hear_an_interrupt_though_our_parent_ignored_it() -> None:
    """As under `nohup make test &`, or as a job in a script's background."""
    child = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('not heard')"
    tests = f"import subprocess, sys, tests.conftest; subprocess.run([sys.executable, '-c', {child!r}])"
    command = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", tests]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True, timeout=PATIENCE)
    assert done.stdout == ""
    assert "KeyboardInterrupt" in done.stderr


def test_a_run_of_ci_is_make_targets_with_caches_of_its_own(tmp_path: Path) -> None:
    """With a `make` that tells what it was asked and leaves something in each folder."""
    make = tmp_path / "make"
    both = '"$PLYSCOPE_CACHE" "$PLYSCOPE_DATA"'
    make.write_text(f'#!/bin/sh\nmkdir -p {both}\necho "$1" {both}\n')
    make.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PLYSCOPE_CACHE": "warm", "PLYSCOPE_DATA": "kept"}
    folders: set[str] = set()
    for _ in range(2):
        run = subprocess.run(
            [ROOT / ".ci" / "run"], env=environment, capture_output=True, text=True, check=True
        )
        targets, caches, data = zip(*(line.split() for line in run.stdout.splitlines()), strict=True)
        assert targets == ("lint", "test")
        folders |= {caches[0], data[0]}
    assert len(folders) == 4
    assert not any(Path(folder).exists() for folder in folders)


@pytest.mark.parametrize("lock", ["run", "test"])
def test_the_locks_have_all_that_is_required_by_digest_and_name_no_place(lock: str) -> None:
    text = (ROOT / ".ci" / f"{lock}.txt").read_text()
    assert "//" not in text
    locked: dict[str, list[str]] = {}
    for name, version, digests in re.findall(r"(?m)^([\w.-]+)==(\S+)([^\n]*(?:\n {4}.*)+)", text):
        assert "--hash=sha256:" in digests
        locked.setdefault(name, []).append(version)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], "hatchling"]
    wanted += project["optional-dependencies"]["test"] if lock == "test" else []
    for each in map(Requirement, wanted):
        versions = locked[canonicalize_name(each.name)]
        assert versions
        assert all(each.specifier.contains(version) for version in versions), each


def test_tests_of_a_group_stay_in_one_process_and_those_of_other_files_in_one_each() -> None:
    assert group_of("tests/page/test_tree.py") == "tests/page/test_tree.py"
    assert group_of("tests/unit/engine/montecarlo/test_run.py") == "growing"
    assert group_of("tests/unit/engine/test_run.py") == "searching"
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    for place in (place for places in GROUPS.values() for place in places):
        assert any(file.startswith(place) for file in files), place


def test_each_property_takes_its_number_of_examples_from_the_run() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        assert not re.search(r"max_examples=\d", path.read_text("utf-8")), path


def test_the_docs_say_what_each_benchmark_prints() -> None:
    modules = (ROOT / "tests/benchmarks").glob("[a-z]*.py")
    benchmarks = {path.stem for path in modules if '__name__ == "__main__"' in path.read_text("utf-8")}
    text = (ROOT / "docs/benchmarks.md").read_text("utf-8")
    named = re.findall(r"^\| `python -m tests\.benchmarks\.(\w+)", text, re.M)
    assert sorted(named) == sorted(benchmarks)


FOLDERS = {"plyscope": "", "engine": "plyscope.", "visualizer": "plyscope.", "tests": ""}
"""What stands before the names of the modules in a folder."""


def modules_with_examples() -> list[str]:
    """Their names, found by reading: nothing is imported before its test runs."""
    return sorted(
        package + ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for folder, package in FOLDERS.items()
        for path in (ROOT / folder).rglob("*.py")
        if path != Path(__file__) and ">>> " in path.read_text("utf-8")
    )


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings_are_true(name: str) -> None:
    results = doctest.testmod(import_module(name))
    assert results.attempted
    assert not results.failed, "standard output says which"
