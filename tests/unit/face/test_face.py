"""The public names: few, cheap to import, and known to editors."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import plyscope
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
