"""The distribution as a stranger installs it: page and examples ride along, the page is served from it."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

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
    for folder in ("static", "templates", "examples"):
        shipped = {
            f"plyscope/visualizer/{path.relative_to(ROOT).as_posix()}"
            for path in (ROOT / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
        }
        assert shipped
        assert shipped <= names, sorted(shipped - names)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"plyscope"}
    assert not [name for name in names if name.startswith("plyscope/tests/")]


@pytest.mark.slow
def test_an_installed_wheel_serves_the_page(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run(install, check=True, timeout=600)
    command = [str(python.with_name("plyscope")), "view", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as viewer:
        try:
            assert viewer.stdout is not None
            line = viewer.stdout.readline()
            address = next(word for word in line.split() if word.startswith("http://"))
            with urllib.request.urlopen(address, timeout=30) as answer:
                assert b"plyscope" in answer.read().lower()
            with urllib.request.urlopen(address + "static/main.js", timeout=30) as answer:
                assert answer.headers["Content-Type"].startswith("text/javascript")
            with urllib.request.urlopen(address + "api/logs", timeout=30) as answer:
                assert b'"source":"example"' in answer.read()
        finally:
            viewer.terminate()
