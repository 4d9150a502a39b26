"""What is read from each form: documents, JSON Lines, odd encodings, packed files, very large shapes."""

from __future__ import annotations

import codecs
import gzip
import io
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from tests.unit.logs import log_of
from tests.unit.same_logs import assert_same
from visualizer.formats.detect import read_log, read_log_file
from visualizer.formats.draft import CHUNK, Draft
from visualizer.formats.errors import CutShort, LogError, TooLarge
from visualizer.formats.write_jsonl import write_jsonl
from visualizer.store import words
from visualizer.store.columns import GIVEN
from visualizer.store.log import Log, Root

LOG = log_of(
    {
        "score": 3,
        "layer": "max",
        "children": [{"ply": "a", "score": 3}, {"outcome": "pruned", "plies": ["b", "c"]}],
    },
    result={"ply": "a"},
)


def lines(*texts: str) -> bytes:
    return "\n".join(texts).encode()


def test_nodes_are_rows_in_pre_order() -> None:
    log = log_of({"children": [{"ply": "a", "children": [{"ply": "b"}]}, {"ply": "c"}]})
    assert [log.text(ply) for ply in log.columns["ply"]] == [None, "a", "b", "c"]
    assert log.columns["parent"].tolist() == [-1, 0, 1, 0]
    assert log.columns["end"].tolist() == [4, 3, 3, 4]
    assert log.columns["level"].tolist() == [0, 1, 2, 1]
    assert log.columns["id"].tolist() == [0, 1, 2, 3]


def test_a_column_that_no_row_states_is_not_stored() -> None:
    assert set(log_of({"depth": None}).columns) == {
        "id",
        "parent",
        "end",
        "level",
        "ply",
        "layer",
        "outcome",
        "bound",
        "given",
        "score",
    }


def test_null_is_absent_but_open_at_the_edges_of_the_window() -> None:
    log = log_of({"score": None, "alpha": None, "beta": 3, "children": [{}]})
    assert np.isnan(log.columns["score"]).all()
    assert log.columns["alpha"][0] == -np.inf
    assert np.isnan(log.columns["alpha"][1])
    assert log.columns["given"].tolist() == [GIVEN["alpha"] | GIVEN["beta"], 0]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('"inf"', np.inf),
        ('"-Infinity"', -np.inf),
        ("Infinity", np.inf),
        ("-Infinity", -np.inf),
        ("1e999", np.inf),
        ("-1e999", -np.inf),
        ("9" * 400, np.inf),
        ("1" + "0" * 25, 1e25),
    ],
)
def test_numbers_that_json_lacks_are_read(written: str, value: float) -> None:
    log = read_log(f'{{"plyscope":1,"root":{{"score":{written}}}}}'.encode())
    assert log.columns["score"].tolist() == [value]


@pytest.mark.parametrize("written", ['"nan"', "NaN", '"NaN"'])
def test_a_written_nan_is_stated(written: str) -> None:
    log = read_log(f'{{"plyscope":1,"root":{{"score":{written},"children":[{{}}]}}}}'.encode())
    assert np.isnan(log.columns["score"]).all()
    assert log.columns["given"].tolist() == [GIVEN["score"], 0]


def test_ids_of_the_writer_are_kept_where_every_node_has_one() -> None:
    log = log_of({"id": 70, "children": [{"id": 5}]})
    assert log.columns["id"].tolist() == [70, 5]


@pytest.mark.parametrize("root_id", ["a", 2**60, -1])
def test_ids_that_cannot_be_ours_are_kept_beside(root_id: object) -> None:
    log = log_of({"id": root_id, "children": [{"id": 5, "tt": {"from": root_id}}]})
    assert log.columns["id"].tolist() == [0, 1]
    assert log.columns["tt_from"].tolist() == [-1, 0]
    assert log.extras is not None
    assert log.extras.of(1) == b'{"id":5}'


def test_a_table_source_is_an_id_or_else_a_place_in_the_document() -> None:
    by_place = log_of(
        {"children": [{"ply": "a"}, {"tt": {"from": 1}}, {"tt": {"from": 99}}, {"tt": {"from": "x"}}]}
    )
    assert by_place.columns["tt_from"].tolist() == [-1, -1, 1, -2, -2]
    by_id = log_of({"id": 9, "children": [{"id": 7, "tt": {"from": 9}}, {"id": 8, "tt": {"from": 0}}]})
    assert by_id.columns["tt_from"].tolist() == [-1, 0, -2]


def test_keys_have_the_form_they_were_written_in() -> None:
    assert log_of({"key": "00000000000000ff"}).key_form == "hex"
    assert log_of({"key": 255}).columns["key"].tolist() == [255]
    mixed = log_of({"key": "00000000000000ff", "children": [{"key": 255}, {"key": "FF"}]})
    assert mixed.key_form == "text"
    assert [mixed.text(int(key)) for key in mixed.columns["key"]] == ["00000000000000ff", "255", "FF"]


def test_keys_of_two_forms_in_two_chunks_become_texts() -> None:
    draft = Draft()
    draft.add({"key": 7}, None)
    for _ in range(CHUNK):
        draft.add({"key": "00000000000000ff"}, 0)
    log = draft.seal({})
    assert log.key_form == "text"
    assert [log.text(int(log.columns["key"][row])) for row in (0, 1, CHUNK)] == [
        "7",
        *["00000000000000ff"] * 2,
    ]


def test_the_layer_follows_from_the_player() -> None:
    log = log_of({"player": "o", "children": [{"player": "x"}, {"outcome": "pruned"}]}, players=["x", "o"])
    assert log.columns["layer"].tolist() == [words.MAX, words.MIN, 0]
    assert log.columns["player"].tolist() == [1, 0, -1]


def test_players_are_named_by_appearance_where_the_header_does_not() -> None:
    assert log_of({"player": "o", "children": [{"player": "x"}]}).players == ("o", "x")


def test_a_player_may_be_a_number_into_the_header() -> None:
    assert log_of({"player": 1}, players=["x", "o"]).columns["player"].tolist() == [1]


def test_factors_without_a_header_get_numbers_for_names() -> None:
    log = log_of({"factors": [1, None], "children": [{"factors": [2]}]})
    assert [factor.name for factor in log.factors] == ["factor 1", "factor 2"]
    np.testing.assert_array_equal(log.columns["factors"], [[1, np.nan], [2, np.nan]])


def test_contributions_are_columns_by_name() -> None:
    log = log_of({"contributions": {"a": 1}, "children": [{"contributions": {"b": 2, "a": None}}, {}]})
    assert log.contribution_names == ("a", "b")
    np.testing.assert_array_equal(log.columns["contributions"], [[1, np.nan], [np.nan, 2], [np.nan, np.nan]])


def test_a_stub_that_lists_its_plies_counts_them() -> None:
    assert LOG.columns["count"].tolist() == [-1, -1, 2]
    assert log_of({"outcome": "pruned", "plies": ["a"], "count": 5}).columns["count"].tolist() == [5]


def test_unknown_fields_are_kept() -> None:
    log = log_of({"mine": [1, None], "tt": {"age": 3}, "children": [{"iteration": 4}]}, mine={"a": 1})
    assert log.extras is not None
    assert log.extras.of(0) == b'{"mine":[1,null],"tt.age":3}'
    assert log.extras.of(1) == b'{"iteration":4}'
    assert log.header["mine"] == {"a": 1}


def test_a_forest_has_an_iteration_a_root() -> None:
    log = log_of(roots=[{"iteration": 1, "children": [{}]}, {"iteration": 2}])
    assert log.roots == (Root(0, 1), Root(2, 2))


# JSON Lines ---------------------------------------------------------------------------------------------


def test_lines_may_come_in_any_order_and_update_nodes() -> None:
    log = read_log(
        lines(
            '{"id":3,"parent":1,"ply":"b"}',
            "",
            '{"id":1,"score":1}\r',
            '{"id":3,"score":2,"mine":1}',
            '{"id":3,"score":4,"parent":1}',
        )
    )
    assert log.columns["id"].tolist() == [1, 3]
    assert log.columns["score"].tolist() == [1, 4]
    assert log.text(int(log.columns["ply"][1])) == "b"
    assert log.extras is not None
    assert log.extras.of(1) == b'{"mine":1}'


def test_an_update_beyond_the_chunk_replaces_what_was_stated() -> None:
    texts = ['{"id":0,"score":1,"factors":[1]}', *(f'{{"id":{n},"parent":0}}' for n in range(1, CHUNK + 5))]
    log = read_log(lines(*texts, '{"id":0,"score":2,"factors":[3]}'))
    assert log.columns["score"][0] == 2
    assert log.columns["factors"][0].tolist() == [3]


def test_lines_may_say_nan_and_infinity_and_ids_may_be_texts() -> None:
    log = read_log(
        lines('{"plyscope":1}', '{"id":"r","score":NaN}', '{"id":"c","parent":"r","score":-Infinity}')
    )
    assert log.columns["score"][1] == -np.inf
    assert log.columns["parent"].tolist() == [-1, 0]


def test_lines_with_whole_floats_as_ids_are_read() -> None:
    log = read_log(lines('{"id":1.0}', '{"id":2.0,"parent":1.0}'))
    assert log.columns["id"].tolist() == [1, 2]


def test_a_log_cut_at_any_byte_loads_to_the_cut_or_says_why_not() -> None:
    """Cut within a line: a notice names it. Cut before the first node is whole: refused."""
    write_jsonl(LOG, out := io.BytesIO())
    data = out.getvalue()
    first_node_ends = data.index(b"\n", data.index(b"\n") + 1)
    for cut in range(len(data)):
        if cut < first_node_ends:
            with pytest.raises(LogError):
                read_log(data[:cut])
            continue
        log = read_log(data[:cut])
        whole_lines = [
            line for line in data[:cut].split(b"\n")[1:] if line.endswith(b"}") and b'"id"' in line
        ]
        is_partial = data[cut - 1 : cut] != b"\n" and data[cut : cut + 1] != b"\n"
        assert any("incomplete" in notice for notice in log.notices) == is_partial
        assert any("no result line" in notice for notice in log.notices) == ("result" not in log.header)
        assert log.n_rows == sum(line in data.split(b"\n") for line in whole_lines)


def test_a_log_printed_on_exit_and_cut_at_any_byte_loads_to_the_cut() -> None:
    nodes = [
        '{"id":3,"parent":2}',
        '{"id":4,"parent":2}',
        '{"id":2,"parent":1}',
        '{"id":5,"parent":1}',
        '{"id":1}',
    ]
    data = lines('{"plyscope":1,"game":"ü"}', *nodes, '{"result":{}}')
    starts = data.index(b"\n") + 1 + len(nodes[0])
    for cut in range(starts, len(data)):
        log = read_log(data[:cut])
        known = {int(number) for number in log.columns["id"]}
        assert {3, 2} <= known
        assert len(log.roots) == 1
    assert any("2 parents (ids 2, 1)" in n for n in read_log(lines(*nodes[:1], nodes[3])).notices)


def test_a_second_tree_printed_on_exit_may_be_cut_too() -> None:
    log = read_log(lines('{"id":2,"parent":1}', '{"id":1,"iteration":1}', '{"id":4,"parent":3}'))
    assert log.roots == (Root(0, 1), Root(2, None))
    assert log.columns["outcome"].tolist() == [0, 0, words.OPEN, 0]


def test_a_cut_inside_a_character_is_a_cut() -> None:
    data = lines('{"plyscope":1}', '{"id":0}', '{"id":1,"parent":0,"ply":"ü"}')
    log = read_log(data[: data.index("ü".encode()) + 1])
    assert log.n_rows == 1
    assert log.notices[0] == "The file is cut short: its last line, line 3, is incomplete and was left out."


# Encodings and packing ----------------------------------------------------------------------------------

DOCUMENT = '{"plyscope":1,"root":{"ply":"é"}}'


@pytest.mark.parametrize(
    "data",
    [
        DOCUMENT.encode(),
        codecs.BOM_UTF8 + DOCUMENT.encode(),
        DOCUMENT.encode("utf-16"),
        gzip.compress(DOCUMENT.encode()),
        codecs.BOM_UTF16_BE + DOCUMENT.encode("utf-16-be"),
        gzip.compress(b'{"plyscope":1,') + gzip.compress('"root":{"ply":"é"}}'.encode()),
        gzip.compress(DOCUMENT.encode()) + b"\0" * 20,
        f"\n  {DOCUMENT}\n".encode(),
        f"var log = {DOCUMENT};".encode(),
    ],
)
def test_a_document_is_read_in_any_wrapping(data: bytes) -> None:
    log = read_log(data)
    assert list(log.texts) == ["é"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b'{"plyscope":1,\n"root":{"ply":"\xff"}}', "line 2: found byte 0xff at offset 30, expected UTF-8"),
        (DOCUMENT.encode("utf-16-le"), "line 1: the text looks like UTF-16 without its mark, expected UTF-8"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8", "the text begins as UTF-16 but is broken, expected UTF-8"),
        (b'{"plyscope":1}\n{"id":0}\n{"id":\xff}\n', "line 3: found byte 0xff at offset 6, expected UTF-8"),
        (b"PAR1", "this is a Parquet file, expected JSON, JSON Lines or a literal, plain or packed by gzip"),
    ],
)
def test_bytes_that_are_no_text_are_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(LogError) as caught:
        read_log(data)
    assert str(caught.value) == sentence


def test_damaged_gzip_is_refused() -> None:
    packed = bytearray(gzip.compress(DOCUMENT.encode() * 100))
    packed[20] ^= 0xFF
    with pytest.raises(LogError, match=r"^the gzip data is damaged after [\d,]+ bytes"):
        read_log(bytes(packed))


def test_packed_lines_that_were_cut_load_to_the_cut() -> None:
    text = lines(
        '{"plyscope":1}',
        '{"id":0}',
        *(f'{{"id":{n},"parent":0,"score":{n * 7919 % 1000}}}' for n in range(1, 2000)),
    )
    packed = gzip.compress(text)
    log = read_log(packed[: len(packed) // 2])
    assert 100 < log.n_rows < 1900


def test_a_packed_document_that_was_cut_is_refused() -> None:
    with pytest.raises(CutShort):
        read_log(gzip.compress(DOCUMENT.encode() * 50)[:40])


def test_a_bomb_is_refused_without_filling_the_memory() -> None:
    bomb = gzip.compress(b" " * 200_000_000, compresslevel=1)
    tracemalloc.start()
    with pytest.raises(
        TooLarge, match=r"^a\.json: the log unpacks to more than 1,000,000 bytes, expected at most that$"
    ):
        read_log(bomb, name="a.json", max_bytes=1_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


def test_a_log_above_the_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match="the log has 35 bytes, expected at most 10"):
        read_log(DOCUMENT.encode() + b" ", max_bytes=10)
    (tmp_path / "a.json").write_text(DOCUMENT, encoding="utf-8")
    with pytest.raises(TooLarge, match="the file has 34 bytes, expected at most 10"):
        read_log_file(tmp_path / "a.json", max_bytes=10)
    with pytest.raises(LogError, match="the file cannot be read: No such file or directory"):
        read_log_file(tmp_path / "b.json")
    assert read_log_file(tmp_path / "a.json").n_rows == 1


def test_progress_goes_from_nothing_to_all() -> None:
    parts: list[float] = []
    read_log(DOCUMENT.encode(), on_progress=parts.append)
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    parts.clear()
    read_log(
        lines('{"id":0}', *(f'{{"id":{n},"parent":0}}' for n in range(1, 45_000))), on_progress=parts.append
    )
    assert len(parts) >= 3
    assert parts[-1] == 1.0


# Large shapes -------------------------------------------------------------------------------------------


def test_a_tree_100_000_levels_deep_loads() -> None:
    n_levels = 100_000
    log = read_log(b'{"plyscope":1,"root":' + b'{"children":[' * n_levels + b"{}" + b"]}" * n_levels + b"}")
    assert log.columns["level"].tolist() == list(range(n_levels + 1))


def test_lines_100_000_levels_deep_load_in_either_order() -> None:
    texts = ['{"id":0}', *(f'{{"id":{n},"parent":{n - 1}}}' for n in range(1, 100_001))]
    for order in (texts, texts[::-1]):
        assert int(read_log(lines(*order)).columns["level"][-1]) == 100_000


def test_one_node_with_100_000_children_loads() -> None:
    log = read_log(b'{"plyscope":1,"root":{"children":[' + b",".join([b'{"score":1}'] * 100_000) + b"]}}")
    assert log.n_rows == 100_001
    assert int(log.columns["level"].max()) == 1


def test_ten_megabytes_of_one_string_load() -> None:
    for written in ('{"plyscope":1,"root":{"ply":"%s"}}', "{plyscope:1,root:{ply:'%s'}}"):
        assert len(read_log((written % ("x" * 10_000_000)).encode()).texts[0]) == 10_000_000


def test_an_extra_field_100_000_levels_deep_is_kept() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    log = read_log(f'{{"plyscope":1,"root":{{"deep":{deep}}}}}'.encode())
    assert log.extras is not None
    assert log.extras.of(0) == f'{{"deep":{deep}}}'.encode()


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


def test_a_negamax_log_without_players_gets_the_layers_it_was_turned_by() -> None:
    tree = {"score": 3, "children": [{"ply": "a", "score": -3, "children": [{"ply": "b", "score": 3}]}]}
    log = log_of(tree, search={"perspective": "mover"})
    assert [words.LAYERS[code] for code in log.columns["layer"]] == ["max", "min", "max"]
    assert log.columns["score"].tolist() == [3.0, 3.0, 3.0]
    assert "taken to alternate" in log.notices[0]


def test_layers_are_not_made_up_where_nothing_was_turned() -> None:
    log = log_of({"score": 3, "children": [{"ply": "a", "score": 3}]})
    assert log.columns["layer"].tolist() == [0, 0]
