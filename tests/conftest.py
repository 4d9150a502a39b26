"""The setting that all tests share, and the distribution of the tests over processes.

A parent may have had us ignore Ctrl+C (`nohup make test &`, a shell's background job), and what a test
starts would ignore it as well. So it is heard here as in the foreground, and by every child.

`make test` runs one process of pytest (pytest-xdist) more than there are cores, since a test often waits for
what it started, and ends with one summary. A group of tests stays in one process: random examples, those that
search and those that check, which find the machine code that an earlier one left; else the tests of one file.
These groups, which are the largest, begin first, then the files of the page, then all others: the smaller the
later, so that all processes end at about the same time. A process starts one browser for all its files of the
page.

How a new test shares what is expensive:

* a page, a browser, a viewer: the fixtures of `tests/page/conftest.py`;
* a compiled search: ask for a game of the registry (`plyscope.engine.games.find`): the run has its code.
  A game written in a test is compiled anew (5 to 20 s): search it with `compiled=False`, or mark the test
  `slow`. The test stands in a folder of `GROUPS`, or its folder gets there;
* what `plyscope` prints: the fixture `plyscope` of `tests/unit/cli/conftest.py` calls it in this process;
  only signals, pipes and exit codes want a process of their own;
* a cache: the run has one. No test may pass only where it is warm.

No example of hypothesis has a time limit: a shared machine may be slow at any moment.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Final

import hypothesis
import pytest

hypothesis.settings.register_profile("shared machine", deadline=None)
hypothesis.settings.load_profile("shared machine")

ROOT: Final = Path(__file__).parents[1]
RANDOM: Final = ("tests/property/",)
SEARCHING: Final = ("tests/hive/", "tests/unit/engine/", "tests/unit/face/")
CHECKING: Final = (
    "tests/unit/analysis/",
    "tests/unit/cli/",
    "tests/unit/uhp/",
    "tests/zoo/test_both_ways.py",
)
GROUPS: Final = {"random": RANDOM, "searching": SEARCHING, "checking": CHECKING}
"""Tests that share machine code: that of readers, of searches, of rules."""
PAGE: Final = "tests/page/"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(val: object) -> str | None:
    """A name that is the same in every process: gzip notes the time."""
    return "packed" if isinstance(val, bytes) and val.startswith(b"\x1f\x8b") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn)  # stable: the order within a file stays


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than cores: a browser, a server or a program that is waited for leaves a core idle."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out the tests by group; pytest-xdist asks for the group of each."""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid.partition("::")[0])

    return Groups(config, log)


def group_of(file: str) -> str:
    """The name of the group of the tests in `file`, a path from the root; by default the file itself."""
    return next((name for name, places in GROUPS.items() if file.startswith(places)), file)


def _turn(item: pytest.Item) -> int:
    """When the group of the item begins: the large ones first, then the files of the page, then the rest."""
    file = item.path.relative_to(ROOT).as_posix()
    group = group_of(file)
    if group in GROUPS:
        return [*GROUPS].index(group)
    return len(GROUPS) + (not file.startswith(PAGE))
