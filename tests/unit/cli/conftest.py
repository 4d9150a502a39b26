"""The command as a person types it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plyscope.visualizer.cli.main import run

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def plyscope(capsys: pytest.CaptureFixture[str]) -> Command:
    """`plyscope("stats", path)`: exit code, standard output and standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = 0
        try:
            run([str(argument) for argument in arguments])
        except SystemExit as leave:
            code = int(leave.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
