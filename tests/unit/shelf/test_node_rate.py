"""The rate at which nodes come."""

from __future__ import annotations

import pytest

from plyscope.visualizer.shelf.follow import growing
from plyscope.visualizer.shelf.follow.growing import SECONDS, NodeRate


def test_the_rate_is_that_of_the_last_seconds_and_none_once_nothing_came_in_these(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(growing.time, "monotonic", lambda: now)
    rate = NodeRate()
    for second in range(1, 11):
        now = 100.0 + second
        rate.note(50 * second)
    assert rate.a_second(500) == 50
    now += SECONDS
    assert 0 < rate.a_second(500) < 50
    now += 0.1
    assert rate.a_second(500) == 0
    now += 20  # compiling, or another search
    rate.note(800)
    now += 1
    assert rate.a_second(800) == 150
