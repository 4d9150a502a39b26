"""What every test starts from, and how the tests are shared out between processes.

A parent may have had us ignore Ctrl+C (`nohup make test &`, a shell's background job), and what a test
starts would ignore it as well. So it is heard here as in the foreground, and by every child.

`make test` runs two or more processes of pytest (pytest-xdist) and ends with one summary. A group of tests
stays in one process: those of the page, which share a browser, a page and an address; those that compile,
which find the machine code that an earlier one left; else the tests of one file. The two large groups begin
first, so that the others fill what time is left.

How a new test shares what is expensive:

* a page, a browser, a viewer: the fixtures of `tests/page/conftest.py`;
* a compiled search: ask for a game of the registry (`engine.games.find`), of which the run has machine code.
  A game written in a test is compiled anew (5 to 20 s): search it with `compiled=False`, or mark the test
  `slow`. The test stands in one of `COMPILING`, or its folder gets there;
* what `plyscope` prints: the fixture `plyscope` of `tests/unit/cli/conftest.py` calls it in this process;
  only signals, pipes and exit codes want a process of their own;
* a cache: the run has one. No test may pass only where it is warm.
"""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
COMPILING: Final = (
    "tests/hive",
    "tests/property",
    "tests/unit/analysis",
    "tests/unit/cli",
    "tests/unit/engine",
    "tests/unit/uhp",
    "tests/zoo/test_both_ways.py",
)
"""Folders and files of tests that call machine code: it is compiled once, by one process."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(val: object) -> str | None:
    """A name that is the same in every process: gzip notes the time."""
    return "packed" if isinstance(val, bytes) and val.startswith(b"\x1f\x8b") else None


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        return
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))
    items.sort(key=_turn)  # stable: the order within a file stays


def _file(item: pytest.Item) -> str:
    return item.path.relative_to(ROOT).as_posix()


def _group(item: pytest.Item) -> str:
    file = _file(item)
    if file.startswith("tests/page/"):
        return "page"
    return "compiling" if file.startswith(COMPILING) else file


def _turn(item: pytest.Item) -> int:
    """When the group of the item begins: the two large ones first, then tests before doctests."""
    file = _file(item)
    large = ("page", "compiling")
    return large.index(_group(item)) if _group(item) in large else 2 + (not file.startswith("tests/"))
