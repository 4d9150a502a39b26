"""The line of progress: who sees it, and from when on."""

from __future__ import annotations

import io
import sys

import pytest

from plyscope.status import StatusLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


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
    for errors, is_asked in ((stream, True), (closed, None), (None, None)):
        monkeypatch.setattr(sys, "stderr", errors)
        with StatusLine.of_call(is_asked) as status:
            status.show("half done")
            status.wait("compiling …")
    assert stream.getvalue() == ""
