"""The distribution as a stranger installs it: page and examples ride along, the page is served from it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import urllib.request
import venv
import zipfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.patience import PATIENCE
from tests.unit.users_project import use, write_project

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(folder.glob("*.whl"))


def test_a_wheel_carries_the_page_and_the_examples_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for home, folder in (("visualizer/", "static"), ("visualizer/", "templates"), ("", "examples")):
        shipped = {
            f"plyscope/{home}{path.relative_to(ROOT).as_posix()}"
            for path in (ROOT / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
        }
        assert shipped
        assert shipped <= names, sorted(shipped - names)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"plyscope"}
    assert not [name for name in names if name.startswith("plyscope/tests/")]


def wanted_by(requirements: Iterable[str]) -> set[str]:
    """The names of the distributions that are required here, and of those that these require in turn."""
    wanted: set[str] = set()
    waiting = [*requirements]
    while waiting:
        requirement = Requirement(waiting.pop())
        is_meant = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if is_meant and requirement.name not in wanted:
            wanted.add(requirement.name)
            waiting += metadata.requires(requirement.name) or []
    return wanted


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheel, and links to what it wants, which is installed here."""
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--disable-pip-version-check"]
    subprocess.run([*pip, "--quiet", "--no-deps", str(wheel)], check=True, timeout=600)
    (site,) = folder.rglob("site-packages")
    (own,) = site.glob("plyscope-*.dist-info")
    for name in wanted_by(metadata.PathDistribution(own).requires or []):
        one = metadata.distribution(name)
        for top in {file.parts[0] for file in one.files or []} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(str(one.locate_file(top)))
    return python


@pytest.mark.slow
def test_a_game_of_a_project_is_searched_checked_and_opened(installed: Path, tmp_path: Path) -> None:
    write_project(tmp_path)
    use([str(installed), "-P", "-c"], [str(installed.with_name("plyscope"))], tmp_path)


@pytest.mark.slow
def test_an_installed_wheel_writes_a_log_and_leaves_names_at_the_top_to_others(
    installed: Path, tmp_path: Path
) -> None:
    program = "from plyscope import Logger, open; log = Logger('a.jsonl'); log.enter(); log.score(1); "
    program += "log.done(score=1); assert open('a.jsonl').main_root.score == 1; "
    program += "import plyscope, importlib.util; assert len(plyscope.__path__) == 1; "
    program += "assert not [*filter(importlib.util.find_spec, ('engine', 'visualizer', 'tests'))]"
    subprocess.run([str(installed), "-P", "-c", program], check=True, timeout=PATIENCE, cwd=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "home", ["Zoë Müller's home", "/proc/no home"], ids=["odd letters", "nothing is kept"]
)
def test_its_first_minute_needs_neither_a_compiler_nor_a_place_to_write(
    installed: Path, tmp_path: Path, home: str
) -> None:
    """Whoever runs this may be allowed to write everywhere; nobody is in /proc."""
    log = tmp_path / "Größe 1.json"
    shutil.copy(ROOT / "examples" / "textbook-alpha-beta.json", log)
    if not home.startswith("/"):
        (tmp_path / home).mkdir()
    for asked in (
        ["check", str(log)],
        ["stats", str(log)],
        ["convert", str(log), str(log.with_suffix(".parquet"))],
        ["query", str(log.with_suffix(".parquet")), "score > 0", "--limit", "1"],
        ["check", "--list"],  # reads pages of rules
        ["picture", str(log)],
    ):
        answer = subprocess.run(
            [str(installed), "-P", "-m", "plyscope", *asked],
            env={"PATH": "", "HOME": str(tmp_path / home), "LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            timeout=PATIENCE,
            cwd=tmp_path,
            check=False,
        )
        assert answer.returncode == 0, answer.stderr.decode()
        assert b"Traceback" not in answer.stderr


@pytest.mark.slow
def test_an_installed_wheel_serves_the_page(installed: Path, tmp_path: Path) -> None:
    command = [str(installed.with_name("plyscope")), "view", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as viewer:
        try:
            assert viewer.stdout is not None
            line = viewer.stdout.readline()
            address = next(word for word in line.split() if word.startswith("http://"))
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                assert b"plyscope" in answer.read().lower()
            with urllib.request.urlopen(address + "static/main.js", timeout=PATIENCE) as answer:
                assert answer.headers["Content-Type"].startswith("text/javascript")
            with urllib.request.urlopen(address + "api/logs", timeout=PATIENCE) as answer:
                assert b'"source":"example"' in answer.read()
        finally:
            viewer.terminate()
