"""Tests of formats: what is written reads back as it was, in every form and from every perspective."""

from __future__ import annotations

import copy
import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from plyscope.visualizer.formats.binary.writer import write_binary
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.json_text import strict_value
from plyscope.visualizer.formats.literal.reader import read_literal
from plyscope.visualizer.formats.parquet import write_parquet
from plyscope.visualizer.formats.write import text_pieces
from plyscope.visualizer.formats.write import write_json as write_json_module
from plyscope.visualizer.formats.write import write_jsonl as write_jsonl_module
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.formats.write.write_json import subtree_json, write_json
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.header_fields import VIEWS
from plyscope.visualizer.store.log import Log
from tests.property.documents import PLAYERS, documents, finite, nodes_of, odd_documents, texts, turned
from tests.property.examples import examples
from tests.shapes.dump import documents as shapes
from tests.unit.same_logs import assert_same

WRITERS = (write_json, write_jsonl, write_binary)
FORMS = (".json", ".jsonl", ".plyb", ".parquet", ".json.gz", ".jsonl.zst", ".plyb.zst")


def read(document: dict[str, Any]) -> Log:
    """The log of a document; one that states a field of ours wrongly by chance is passed over."""
    try:
        return read_log(json.dumps(document).encode())
    except LogError:  # a header may say what none can mean, such as a list of threads
        reject()


def through(log: Log, folder: Path, *forms: str) -> Log:
    """The log, written in one form after the other."""
    for number, form in enumerate(forms):
        path = folder / f"{number}{form}"
        write_log_file(log, path)
        log = read_log_file(path)
    return log


def text_of(log: Log) -> bytes:
    write_json(log, out := io.BytesIO())
    return out.getvalue()


@given(documents() | odd_documents())
@settings(deadline=None, max_examples=examples(400))
def test_what_is_written_reads_back_equal(document: dict[str, Any]) -> None:
    """Headers of any fields, infinities and big numbers, names like ours, ids and players of any kind."""
    log = read(document)
    for write in WRITERS:
        write(log, out := io.BytesIO())
        again = read_log(out.getvalue())
        assert_same(again, log)
        assert repr(sorted(again.header.items())) == repr(sorted(log.header.items()))


@pytest.mark.slow
@given(
    documents() | odd_documents(),
    st.lists(st.sampled_from(FORMS), max_size=3),
    st.sampled_from([3, 10**6]),
)
@settings(deadline=None, max_examples=examples(120))
def test_a_log_goes_through_all_forms_in_any_order_and_comes_back_from_parquet(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any], forms: list[str], n_texts: int
) -> None:
    log = read(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write_parquet, "KEPT_TEXTS", n_texts)
        again = through(log, tmp_path_factory.getbasetemp(), *forms, ".parquet")
    assert_same(again, log)
    assert repr(sorted(again.header.items())) == repr(sorted(log.header.items()))
    assert again.notices == ()
    if not any(form.startswith(".plyb") for form in forms):  # it has unknown fields in another order
        assert text_of(again) == text_of(log)


@pytest.mark.slow
@pytest.mark.parametrize("path", shapes(), ids=lambda path: path.name)
def test_foreign_trees_once_read_come_back_from_parquet(tmp_path: Path, path: Path) -> None:
    log = read_log_file(path)
    by_json, by_parquet = (through(log, tmp_path, form) for form in (".json", ".parquet"))
    assert_same(by_parquet, by_json)
    assert text_of(by_parquet) == text_of(by_json)


@given(documents(), st.integers(1, 5), st.data())
def test_machine_code_writes_the_same_bytes_in_chunks_of_any_size(
    document: dict[str, Any], chunk: int, data: st.DataObject
) -> None:
    """Numbers of all sizes, whole logs and parts for people, in which a float may have no point."""
    log = read(document)
    drawn = st.floats() | st.floats(-1e17, 1e17).map(round).map(float)
    drawn |= st.floats(-99, 99).map(lambda x: round(x, 2))
    numbers = data.draw(st.lists(drawn, min_size=log.n_rows, max_size=log.n_rows))
    log.columns["static"] = np.array(numbers)
    log.columns["given"] = log.columns["given"] | np.uint16(GIVEN["static"])
    row = data.draw(st.integers(0, log.n_rows - 1))
    written = []
    for compiled_rows in (0, 10**9):
        with pytest.MonkeyPatch.context() as patched:
            for threshold in ("COMPILED_ROWS", "LOADED_ROWS"):
                patched.setattr(text_pieces, threshold, compiled_rows)
            for module in (write_json_module, write_jsonl_module):
                patched.setattr(module, "CHUNK", chunk)
            for write in (write_json, write_jsonl):
                write(log, out := io.BytesIO())
                written.append(out.getvalue())
            written.append(subtree_json(log, row, None, None, 100_000)[0].encode())
    assert written[:3] == written[3:]


@given(documents(), st.sampled_from(VIEWS[1:]), st.sampled_from(PLAYERS), st.data())
def test_the_same_search_written_from_four_views_gives_the_same_columns(
    document: dict[str, Any], view: str, root_player: str, data: st.DataObject
) -> None:
    for node, _ in nodes_of(document):
        node.pop("layer", None)
        if node.get("outcome") not in ("pruned", "limited", "skipped", "unlogged"):
            node["player"] = data.draw(st.sampled_from(PLAYERS))
    from_root = read(turned(document, "root", root_player))
    from_view = read(turned(document, view, root_player))
    assert_same(from_view, from_root)


@given(documents(), st.randoms())
def test_lines_in_any_order_seal_to_one_tree(document: dict[str, Any], random: Any) -> None:
    """Siblings stay in order of arrival, so each node is compared by its own fields and parent."""
    log = read(document)
    write_jsonl(log, out := io.BytesIO())
    header, *lines = out.getvalue().splitlines()
    nodes = [line for line in lines if not line.startswith(b'{"result"')]
    results = [line for line in lines if line.startswith(b'{"result"')]
    random.shuffle(nodes)
    shuffled = read_log(b"\n".join([header, *nodes, *results]))
    rows = {int(number): row for row, number in enumerate(shuffled.columns["id"])}
    order = [rows[int(number)] for number in log.columns["id"]]
    for name in ("score", "layer", "outcome", "given", "level"):
        np.testing.assert_array_equal(shuffled.columns[name][order], log.columns[name])
    above = shuffled.columns["parent"][order]
    ids = np.append(shuffled.columns["id"], -1)
    np.testing.assert_array_equal(ids[above], np.append(log.columns["id"], -1)[log.columns["parent"]])


values = st.recursive(
    st.one_of(st.none(), st.booleans(), finite, st.integers(-(2**70), 2**70), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
)


@given(values, st.sampled_from([None, 1, "\t"]))
def test_the_literal_reader_and_the_fast_reader_give_equal_values(value: Any, indent: Any) -> None:
    text = json.dumps(value, indent=indent)
    fast = strict_value(text.encode())
    if isinstance(fast, str) and fast.strip()[:1] in ("{", "["):
        return
    walked = read_literal(text).value
    assert repr(walked) == repr(fast) == repr(json.loads(text))


@given(st.text("{}[]():,'\"`abc123.-+/*\\ \n$;=", max_size=40))
@settings(max_examples=examples(300), deadline=None)
def test_no_text_of_punctuation_crashes_the_literal_reader(text: str) -> None:
    with suppress(LogError):
        read_literal(text)


@given(documents(), st.data())
def test_a_subtree_of_any_size_loads_again(document: dict[str, Any], data: st.DataObject) -> None:
    log = read(copy.deepcopy(document))
    row = data.draw(st.integers(0, log.n_rows - 1))
    max_bytes = data.draw(st.integers(200, 4000))
    open_rows = data.draw(st.one_of(st.none(), st.sets(st.integers(0, log.n_rows - 1))))
    text, whole, n_nodes = subtree_json(log, row, open_rows, None, max_bytes)
    again = read_log(text.encode())
    n_told = np.count_nonzero(again.columns["outcome"] == words.UNLOGGED)  # of those, ours and the log's own
    assert n_nodes <= again.n_rows <= n_nodes + n_told
    assert log.columns["layer"][row] in (0, again.columns["layer"][0])
    np.testing.assert_array_equal(again.columns["score"][:1], log.columns["score"][row : row + 1])
    assert len(text.encode()) <= max_bytes or n_nodes == 1
    if whole and open_rows is None:
        assert again.n_rows == n_nodes == log.columns["end"][row] - row
