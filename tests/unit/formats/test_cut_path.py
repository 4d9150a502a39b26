"""A file that was cut: its last path is open, and nothing is concluded from what it lost."""

from __future__ import annotations

from io import BytesIO

import pytest

from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store import words


@pytest.fixture(scope="module")
def lines() -> bytes:
    """A search as our writer prints it: parents first, each node once."""
    options = SearchOptions(depth=3, iterative=True, algorithm="pvs")
    printed = BytesIO()
    write_jsonl(log_from_recording(search(GAME, "XO. ... ...", options, compiled=False)), printed)
    return printed.getvalue()


def test_a_cut_at_any_place_gives_nothing_wrong(lines: bytes) -> None:
    first = lines.index(b"\n", lines.index(b'"id"'))
    for at in range(first, len(lines), 997):
        try:
            log = read_log(lines[:at])
        except LogError:
            assert lines[:at].count(b'"id"') <= 1
            continue
        wrong = [finding.message for finding in check(log).findings(severity="wrong")]
        assert wrong == [], at


def test_a_node_heard_of_again_is_not_opened() -> None:
    """An engine that prints on entry and on exit left its nodes open itself where it was cut."""
    log = read_log(
        b'{"plyscope": 1}\n{"id": 0}\n{"id": 1, "parent": 0, "ply": "a"}\n'
        b'{"id": 1, "score": 1, "outcome": "searched"}\n{"id": 0, "sco'
    )
    assert [words.OUTCOMES[code] for code in log.columns["outcome"]] == ["", "searched"]
