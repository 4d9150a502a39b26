"""The setting that all tests share, and the distribution of the tests over processes.

A parent may have had us ignore Ctrl+C (`nohup make test &`, a shell's background job), and what a test
starts would ignore it as well. So it is heard here as in the foreground, and by every child.

`make test` runs two processes of pytest (pytest-xdist) more than cores: a test often waits for
what it started. A group of tests stays in one process. `GROUPS` are the tests that compile most, each by what
it compiles: the first test that needs a kernel makes it, and the run's one cache keeps it for all others. Any
other file is a group of its own. `GROUPS` begin first, then the random examples, the files of the page and
the rest: the smaller the later, so that all processes end at about the same time.

How a new test shares what is expensive:

* a page, a browser, a viewer: the fixtures of `tests/page/conftest.py`;
* a compiled search: ask for Connect Four, else Reversi or an explicit tree: the run has their code. Each
  further game, recorded or not, is compiled for 15 to 30 seconds: search it with `compiled=False`, or mark
  the test `sweep`. The test stands in a place of `GROUPS`, or its file gets there;
* what `plyscope` prints: the fixture `plyscope` of `tests/unit/cli/conftest.py` calls it in this process;
  only signals, pipes and exit codes want a process of their own;
* a cache: the run has one. No test may pass only where it is warm;
* what takes long and repeats what another test holds: the mark `sweep`, for `make sweep` alone.

No example of hypothesis has a time limit: a shared machine may be slow at any moment. The number of examples
is one of `tests/property/examples.py`, where none is stated as well.
"""

from __future__ import annotations

import gc
import math
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import hypothesis
import pytest

from plyscope.engine import step
from plyscope.engine.games import outside
from tests.property.examples import examples

hypothesis.settings.register_profile("shared machine", deadline=None, max_examples=examples(100))
hypothesis.settings.load_profile("shared machine")

ROOT: Final = Path(__file__).parents[1]
GROUPS: Final = {
    "hive": ("tests/hive/", "tests/unit/uhp/", "tests/property/test_ply_texts.py"),
    "growing": ("tests/unit/engine/montecarlo/",),
    "searching": (
        "tests/unit/engine/",
        "tests/unit/cli/test_search_options.py",
        "tests/unit/cli/test_cli.py",
        "tests/property/test_diff.py",
        "tests/property/test_in_place.py",
        "tests/property/test_techniques.py",
    ),
    "checking": ("tests/unit/analysis/check/", "tests/unit/cli/test_check.py", "tests/zoo/"),
    "reading": ("tests/unit/formats/", "tests/property/test_foreign", "tests/property/test_formats.py"),
}
"""Tests that share machine code, by the beginnings of their paths: the search of Hive, searches by play-outs,
searches of the other games, rules, readers. A file belongs to the first that fits."""
RANDOM: Final = "tests/property/"
PAGE: Final = "tests/page/"

for each, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(each) is signal.SIG_IGN:  # as nohup and shells without jobs leave them
        signal.signal(each, handler)

step.PATIENCE = math.inf
"""A search of a test that takes longer than half a second would leave a process behind that compiles for
twenty seconds what nobody asks for."""


@pytest.fixture(autouse=True)
def _no_game_is_brought() -> Iterator[None]:
    """No test knows the games that another one was given."""
    before, outside._brought = outside._brought, {}
    yield
    outside._brought = before


def pytest_make_parametrize_id(val: object) -> str | None:
    """A name that is the same in every process: gzip notes the time."""
    return "packed" if isinstance(val, bytes) and val.startswith(b"\x1f\x8b") else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Load the files of tests from another place on than other processes do that collect at the same time.

    Where none has byte code yet, each process compiles a part of them, not all.
    """
    given = getattr(session.config, "workerinput", None)
    if given is None or session.config.args_source != pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    first = len(files) * int(given["workerid"].removeprefix("gw")) // given["workercount"]
    for file in files[first:] + files[:first]:
        with suppress(Exception, pytest.skip.Exception):  # it is told where the file is collected
            import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn)  # stable: the order within a file stays


def pytest_collection_finish() -> None:
    """Leave what was collected out of every later collection of garbage: it stays to the end."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes more than cores: a browser, server or program that is waited for leaves a core idle."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out the tests by group; pytest-xdist asks for the group of each."""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    return Groups(config, log)


def group_of(nodeid: str) -> str:
    """The name of the group of a test, whose id begins with the path of its file; by default the file."""
    named = (name for name, places in GROUPS.items() if nodeid.startswith(places))
    return next(named, nodeid.partition("::")[0])


def _turn(item: pytest.Item) -> int:
    """When the group of the item begins: `GROUPS` first, then random examples, the page and the rest."""
    group = group_of(item.nodeid)
    if group in GROUPS:
        return [*GROUPS].index(group)
    return len(GROUPS) + (0 if group.startswith(RANDOM) else 1 if group.startswith(PAGE) else 2)
