"""The plies of recorded searches are written by codes as one by one, and as the rules' twin writes them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from plyscope.engine.games.hive import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.hive.oracle import GAME_TYPES, read_game
from tests.hive.sweep import position
from tests.oracle import nodes_of
from tests.property.test_ply_texts import by_code, by_replay
from tests.second_engine.sound import drawn_search_options

pytestmark = pytest.mark.slow
"""Each searches Hive by machine code, which takes half a minute to make."""


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_searches_of_every_type_are_written_alike_wherever_they_are_stopped(game_type: str) -> None:
    draw = random.Random(game_type)
    for nodes in (50, 400, None):
        start = GAME.write_position(position(draw, 50, game_type))
        asked = replace(drawn_search_options(draw, GAME, 3), limit=6, nodes=nodes)
        recording = search(GAME, start, asked, compiled=True, most_rows=50_000)
        assert by_code(recording, compiled=True) == by_replay(recording), start


def test_every_ply_of_a_log_is_written_as_the_twin_writes_it() -> None:
    start = GAME.write_position(position(random.Random(11), 50, "Base+MLP")).removeprefix("threefold ")
    asked = SearchOptions(depth=3, limit=4, algorithm="pvs", quiescence=1)
    recording = search(GAME, start, asked)
    of_rows, of_stubs, _ = by_code(recording, compiled=True)
    positions = {0: read_game(start, trusted=True)}
    texts = set()
    for node in nodes_of(log_from_recording(recording)):
        if node.parent is None:
            continue
        above = positions[node.parent.row]
        if node.is_stub:
            first = int(recording.rows[node.row]["key"])
            for text in of_stubs[first : first + int(recording.rows[node.row]["moves"])]:
                assert above.write(above.read(text or "")) == text
                texts.add(text)
            continue
        ply = above.read(of_rows[node.row] or "")
        assert above.write(ply) == of_rows[node.row]
        positions[node.row] = above.play(ply, trusted=True)
        texts.add(of_rows[node.row])
    assert any(not set(text or "-") & set("-/\\") for text in texts), "no piece climbs another"
