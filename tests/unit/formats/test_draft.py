"""A log in the making: nothing half-loaded stays, places are named, notices said once."""

from __future__ import annotations

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.draft import Draft
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.log import Log
from tests.unit.logs import log_of
from tests.unit.same_logs import assert_same


def test_nothing_half_loaded_stays_after_an_error() -> None:
    def refused() -> None:
        with pytest.raises(LogError):
            read_log(b'{"plyscope":1,"root":{"children":[{"score":"bad"}]}}')

    before = log_of({"score": 1})
    refused()
    assert_same(log_of({"score": 1}), before)


def test_an_empty_draft_is_no_log() -> None:
    with pytest.raises(LogError, match="the log has no node, expected at least a root"):
        Draft().seal({})


def test_a_draft_names_places_as_it_was_told() -> None:
    def failing(where: object) -> str:
        draft = Draft()
        draft.add({"score": []}, None, where)  # type: ignore[arg-type]
        with pytest.raises(LogError) as caught:
            draft.seal({})
        return str(caught.value).split(":")[0]

    assert failing("$[3].adjacencies[0]") == "$[3].adjacencies[0].score"
    assert failing(lambda: "$.data") == "$.data.score"
    assert failing(12) == "line 12, $.score"


def test_extras_beside_the_fields_are_kept_whatever_their_names() -> None:
    draft = Draft()
    draft.add({"score": 2}, None, extras={"score": "two", "depth": "?"})
    log: Log = draft.seal({})
    assert log.columns["score"].tolist() == [2]
    assert log.extras is not None
    assert log.extras.of(0) == b'{"score":"two","depth":"?"}'


def test_a_notice_said_twice_is_shown_once() -> None:
    draft = Draft()
    draft.add({}, None)
    draft.notice("Mended.")
    draft.notice("Mended.")
    assert draft.seal({}).notices == ("Mended.",)
