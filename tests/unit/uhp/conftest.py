"""A session to talk to."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyscope.visualizer.uhp.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path / "logs", compiled=False)


def ask(session: Session, line: str) -> list[str]:
    """The answer's lines before `ok`."""
    *lines, last = session.answer(line)
    assert last == "ok"
    return lines
