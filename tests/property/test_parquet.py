"""Nothing is lost between the forms: logs go through Parquet and come back, to the byte of their JSON."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.parquet import write_parquet
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.formats.write.write_json import write_json
from plyscope.visualizer.store.log import Log
from tests.property.documents import documents, odd_documents
from tests.property.examples import examples
from tests.shapes.dump import documents as shapes
from tests.unit.same_logs import assert_same

pytestmark = pytest.mark.slow
FORMS = (".json", ".jsonl", ".plyb", ".parquet", ".json.gz", ".jsonl.zst", ".plyb.zst")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forms")


def through(log: Log, folder: Path, *forms: str) -> Log:
    """The log, written in one form after the other."""
    for number, form in enumerate(forms):
        path = folder / f"{number}{form}"
        write_log_file(log, path)
        log = read_log_file(path)
    return log


def read(document: dict[str, Any]) -> Log:
    """The log of a document; one that states a field of ours wrongly by chance is passed over."""
    try:
        return read_log(json.dumps(document).encode())
    except LogError:
        reject()


def text_of(log: Log) -> bytes:
    write_json(log, out := io.BytesIO())
    return out.getvalue()


def assert_nothing_is_lost(log: Log, again: Log) -> None:
    assert_same(again, log)
    assert text_of(again) == text_of(log)


@given(documents() | odd_documents())
@settings(deadline=None, max_examples=examples(50))
@pytest.mark.parametrize("rows", [3, 10**6])
def test_a_log_comes_back_from_parquet_as_it_went(folder: Path, rows: int, document: dict[str, Any]) -> None:
    """Infinities, NaN, keys and ids of any kind, fields of its own that have names of ours, many players."""
    log = read(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write_parquet, "KEPT_TEXTS", rows)
        again = through(log, folder, ".parquet")
    assert_nothing_is_lost(log, again)
    assert repr(sorted(again.header.items())) == repr(sorted(log.header.items()))
    assert again.notices == ()


@given(st.one_of(documents(), odd_documents()), st.lists(st.sampled_from(FORMS), min_size=2, max_size=4))
@settings(deadline=None, max_examples=examples(30))
def test_a_log_goes_through_all_forms_in_any_order(
    folder: Path, document: dict[str, Any], forms: list[str]
) -> None:
    log = read(document)
    again = through(log, folder, *forms)
    assert_same(again, log)
    if not any(form.startswith(".plyb") for form in forms):  # it has unknown fields in another order
        assert text_of(again) == text_of(log)


@pytest.mark.parametrize("path", shapes(), ids=lambda path: path.name)
def test_foreign_trees_once_read_come_back(tmp_path: Path, path: Path) -> None:
    log = read_log_file(path)
    assert_nothing_is_lost(through(log, tmp_path, ".json"), through(log, tmp_path, ".parquet"))
