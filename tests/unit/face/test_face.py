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


def test_opening_and_checking_a_small_log_loads_neither_numba_nor_the_web() -> None:
    program = (
        "import sys, plyscope; "
        'plyscope.check(plyscope.open(\'{"plyscope": 1, "root": {"score": 1}}\')); '
        "print([name for name in ('numba', 'flask', 'waitress', 'click') if name in sys.modules])"
    )
    assert run(program) == "[]\n"


def test_every_public_name_is_there_and_listed() -> None:
    assert plyscope.__all__ == sorted(plyscope.__all__)
    for name in plyscope.__all__:
        assert getattr(plyscope, name) is not None
        assert name in dir(plyscope)


def test_public_names_are_imported_one_by_one_and_all_at_once() -> None:
    assert run(
        "from plyscope import Log, open; from plyscope import *; print(Log.__name__, view.__name__)"
    ) == ("Log view\n")


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


def test_a_name_that_is_not_there_is_an_attribute_error_and_parts_are_still_modules() -> None:
    with pytest.raises(AttributeError, match="module 'plyscope' has no attribute 'serch'"):
        plyscope.serch  # type: ignore[attr-defined]  # noqa: B018
    assert run("from plyscope import engine, visualizer; import plyscope.log; print('ok')") == "ok\n"


def test_every_public_class_and_function_says_what_it_is() -> None:
    for name in plyscope.__all__:
        assert name == "__version__" or getattr(plyscope, name).__doc__


def test_types_are_shipped() -> None:
    assert (Path(plyscope.__file__).parent / "py.typed").is_file()
