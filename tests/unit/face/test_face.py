"""The public names and their page: few, cheap to import, shown; and the line of progress."""

from __future__ import annotations

import doctest
import inspect
import io
import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import plyscope
from plyscope.status import StatusLine
from tests.patience import PATIENCE

EXAMPLES = Path(__file__).parents[3] / "examples"


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_loads_nothing_but_ourselves() -> None:
    loaded = run(
        "import json, sys; before = set(sys.modules); import plyscope; "
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    assert set(json.loads(loaded)) == {"plyscope", "plyscope.version"}


def test_the_logger_is_the_file_that_engines_copy_and_loads_nothing_else_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    loaded = run(
        f"import json, sys; from plyscope import Logger; log = Logger({str(path)!r}, search={{'depth': 1}}); "
        "log.enter(); log.enter('c6'); log.score(3, outcome='leaf'); log.score(3); log.done(ply='c6'); "
        "print(json.dumps(sorted(name for name in sys.modules if name.startswith('plyscope'))))"
    )
    home = "plyscope.examples.loggers.search_log"
    names = {"plyscope", "plyscope.version", "plyscope.logger", home}
    assert set(json.loads(loaded)) - {"plyscope.examples", "plyscope.examples.loggers"} == names
    assert Path(inspect.getfile(plyscope.Logger)) == EXAMPLES / "loggers" / "search_log.py"
    log = plyscope.open(path)
    assert (len(log), log.header["search"], log.header["result"]) == (2, {"depth": 1}, {"ply": "c6"})
    assert log.main_root.children[0].score == 3


def test_every_public_name_is_there_listed_and_says_what_it_is() -> None:
    assert plyscope.__all__ == sorted(plyscope.__all__)
    assert {*plyscope.__all__} <= {*dir(plyscope)}
    assert all(getattr(plyscope, name).__doc__ for name in plyscope.__all__ if name != "__version__")
    with pytest.raises(AttributeError, match="module 'plyscope' has no attribute 'serch'"):
        plyscope.serch  # type: ignore[attr-defined]  # noqa: B018
    parts = "from plyscope import engine, visualizer; import plyscope.log; "
    assert run(f"from plyscope import *; {parts} print(view.__name__)") == "view\n"
    assert (Path(plyscope.__file__).parent / "py.typed").is_file()


ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "python.md"


def test_the_examples_are_true(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PLYSCOPE_DATA", str(tmp_path))
    results = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert results.attempted > 20
    assert not results.failed, capsys.readouterr().out


def test_every_public_function_and_exception_is_shown() -> None:
    text = PAGE.read_text("utf-8")
    shown = [name for name in plyscope.__all__ if name[0].islower()]
    shown += [name for name in plyscope.__all__ if name.endswith("Error") or name == "Interrupted"]
    assert [name for name in shown if f"plyscope.{name}" not in text and f" {name}" not in text] == []


class Terminal(io.StringIO):
    """A terminal that knows when a second was counted."""

    def __init__(self) -> None:
        super().__init__()
        self.has_counted = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text.endswith(" 1 s"):
            self.has_counted.set()
        return super().write(text)


class OutputOfACell(io.StringIO):
    """As a notebook has it, which would keep every line that is written."""

    __module__ = "ipykernel.iostream"


@pytest.mark.parametrize(
    ("kind", "is_shown"), [(Terminal, True), (OutputOfACell, False), (io.StringIO, False)]
)
def test_the_line_is_shown_in_a_terminal_alone(
    kind: type[io.StringIO], is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = kind()
    monkeypatch.setattr(sys, "stderr", stream)
    with StatusLine() as status:
        status.show("half done")
    assert stream.getvalue() == ("\rhalf done\r         \r" if is_shown else "")


def test_what_is_done_at_once_or_has_no_standard_error_shows_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed one, or none, as programs without a console have it on Windows."""
    stream, closed = Terminal(), Terminal()
    closed.close()
    for errors in (closed, None):
        monkeypatch.setattr(sys, "stderr", errors)
        with StatusLine() as status:
            status.show("half done")
    monkeypatch.setattr(sys, "stderr", stream)
    with StatusLine.of_call(True) as status:
        status.show("half done")
        status.wait("compiling …")
    assert stream.getvalue() == ""


@pytest.mark.slow
def test_seconds_pass_behind_work_that_cannot_say_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock has counted a second when the work is done; nothing of it is left then."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with StatusLine() as status:
        status.wait("compiling …")
        status.wait("compiling …")
        assert terminal.has_counted.wait(PATIENCE)
        status.show("done")
        threads = [thread for thread in threading.enumerate() if thread.daemon and "count" in thread.name]
    shown = terminal.getvalue()
    assert re.fullmatch("\rcompiling …\rcompiling … 1 s(\rcompiling … [2-9] s)*\rdone *\r *\r", shown), shown
    assert threads == []


def test_where_there_is_no_terminal_work_that_takes_long_is_told_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with StatusLine(tells_waits=True) as status:
        status.show("reading …")
        status.wait("compiling …")
        status.show("done")
    with StatusLine() as status:
        status.wait("compiling …")
    assert capsys.readouterr() == ("", "plyscope: compiling …\n")
