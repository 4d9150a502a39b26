"""What commands print, on which stream, with which exit code, and which files they leave."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, Final

from tests.equality.log_text import digest
from tests.equality.masks import masked

MOST_LINES: Final = 3_000
"""Of what is shown of a file or stream; a digest stands for the rest."""
TEXTS: Final = (".json", ".jsonl", ".csv", ".svg", ".txt", ".md", ".toml")
PATIENCE: Final = 600


def run_commands(folder: Path, asked: Mapping[str, Any]) -> str:
    """Run each of `commands` in a copy of the folder, whose files are named as their labels.

    apart   runs each in a process of its own, with empty folders for what it keeps, and `input` to read
    """
    said = []
    with _copy(folder) as place:
        for arguments in asked["commands"]:
            before = _files(place)
            if asked.get("apart"):
                code, out, err = _run_apart(arguments, place, asked.get("input", ""))
            else:
                code, out, err = run_here(arguments)
            said.append(f"== plyscope {' '.join(arguments)}\nexit {code}\n")
            said += [f"out: {line}\n" for line in _shown(out)]
            said += [f"err: {line}\n" for line in _shown(err)]
            for name in sorted(_files(place) - before):
                said += [f"{name}: {line}\n" for line in _file(place / name)]
    return "".join(said)


@contextmanager
def _copy(folder: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as beside:
        place = Path(beside) / "here"
        place.mkdir()
        for path in folder.iterdir():
            shutil.copy(path, place / path.name[5:])
        former = Path.cwd()
        os.chdir(place)
        try:
            yield place
        finally:
            os.chdir(former)


def _files(place: Path) -> set[str]:
    return {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}


def run_here(arguments: Sequence[str]) -> tuple[int | str, bytes, bytes]:
    """The exit code and both streams of a command in this process."""
    from plyscope.visualizer.cli.main import run

    out, err = io.BytesIO(), io.BytesIO()
    code: int | str = 0
    with (
        redirect_stdout(io.TextIOWrapper(out, "utf-8", write_through=True)) as text_out,
        redirect_stderr(io.TextIOWrapper(err, "utf-8", write_through=True)) as text_err,
    ):
        try:
            run([*arguments])
        except SystemExit as leave:
            code = int(leave.code or 0)
        except Exception as error:  # whatever it is, it is what a person sees
            code = f"by {type(error).__name__}: {error}"
        for stream in (text_out, text_err):
            if not stream.closed:
                stream.flush()
    return code, out.getvalue(), err.getvalue()


def _run_apart(arguments: Sequence[str], place: Path, given: str) -> tuple[int, bytes, bytes]:
    with tempfile.TemporaryDirectory() as kept:
        folders = {"PLYSCOPE_DATA": f"{kept}/data", "PLYSCOPE_CACHE": f"{kept}/cache"}
        done = subprocess.run(
            [sys.executable, "-m", "plyscope", *arguments],
            cwd=place,
            env={**os.environ, **folders, "PLYSCOPE_LIBRARY": "1G"},
            input=given.encode(),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    return done.returncode, done.stdout, done.stderr


def _shown(data: bytes) -> list[str]:
    """The lines of a stream; JSON on lines of its own, behind a digest of it as it came."""
    text = masked(data.decode("utf-8", "backslashreplace"))
    lines = text.splitlines()
    if len(lines) == 1 and len(text) > 200 and text[0] in "{[":
        with suppress(ValueError):
            lines = [f"digest {digest(text.encode())}", *_indented(text)]
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"… {len(lines):,} lines, {digest(text.encode())}"]
    return lines


def _indented(text: str) -> list[str]:
    return json.dumps(json.loads(text.replace("…", "0")), indent=1, ensure_ascii=False).splitlines()


def _file(path: Path) -> list[str]:
    """A written file: its lines, or what stands for its bytes."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        return _shown(gzip.decompress(data))
    if path.suffix in TEXTS:
        return _shown(data)
    if path.suffix == ".png":
        size = [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)]
        return [f"a picture of {size[0]} by {size[1]} dots"]
    if path.suffix == ".pdf":
        return [f"begins with {data[:5]!r}"]
    return [f"{len(data):,} bytes, {digest(data)}"]
