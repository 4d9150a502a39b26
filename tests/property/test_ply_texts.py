"""Plies that need their position are written by codes as they are one by one, whatever was searched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import numba
import numpy as np
import pytest
from hypothesis import given, settings

from plyscope.engine import jit, step
from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.game import State
from plyscope.engine.games import explicit_tree, find
from plyscope.engine.options import SearchOptions
from plyscope.engine.record import ply_texts
from plyscope.engine.record.ply_texts import (
    Plies,
    PlyTexts,
    code_plies,
    texts_by_code,
    texts_by_replay,
)
from plyscope.engine.record.recording import Recording
from plyscope.engine.record.rows import FIRST_STUB
from plyscope.engine.run import search
from tests import in_place
from tests.both_ways import plain_and_compiled
from tests.property.examples import examples
from tests.property.test_techniques import options
from tests.property.trees import trees


@jit.kernel
def from_and_to(state: State, ply: int) -> int:
    """The nodes that a ply of a tree leads from and to: in each position it is another number."""
    return (int(state[0]) << 10) | int(ply)


class Ways:
    """Plies of a tree that are written as the nodes they lead from and to."""

    plies_need_position = True

    def write_ply(self, state: State, ply: int) -> str:
        return f"{int(state[0])} to {ply}"


class Coded(Ways):
    """Which are told by codes too."""

    ply_code = staticmethod(from_and_to)

    def write_code(self, code: int) -> str:
        return f"{code >> 10} to {code & 1023}"


class Copied(Coded, type(explicit_tree.GAME)):  # type: ignore[misc]
    """Every position has a state of its own."""


class InPlace(Coded, type(in_place.TREE)):  # type: ignore[misc]
    """One state follows the path."""


class Uncoded(Ways, type(explicit_tree.GAME)):  # type: ignore[misc]
    """Every ply is written by itself."""


every_way = pytest.mark.parametrize("game", [Copied(), InPlace()], ids=["copied", "in place"])


def plies_of(recording: Recording) -> Plies:
    return Plies(recording.rows, recording.stub_plies, recording.hits)


def written(found: PlyTexts) -> list[list[str | None]]:
    """The text of every row, of every stub ply, of every hit."""
    assert len(set(found.texts)) == len(found.texts)
    return [[*map([*found.texts, None].__getitem__, indices.tolist())] for indices in found[1:]]


def by_replay(recording: Recording) -> list[list[str | None]]:
    return written(texts_by_replay(recording.game, recording.state, plies_of(recording)))


def by_code(recording: Recording, *, compiled: bool) -> list[list[str | None]]:
    return written(texts_by_code(recording.game, recording.state, plies_of(recording), compiled=compiled))


@every_way
@plain_and_compiled
@settings(max_examples=examples(150), deadline=None)
@given(trees(), options(inexact=True), st.sampled_from([None, None, 5, 20]), st.sampled_from(["all", "last"]))
def test_the_codes_of_any_search_are_the_texts_of_its_plies(
    game: Any, compiled: bool, tree: str, asked: SearchOptions, nodes: int | None, keep: Any
) -> None:
    recording = search(game, tree, replace(asked, nodes=nodes, keep=keep), compiled=False)
    assert by_code(recording, compiled=compiled) == by_replay(recording)


@every_way
def test_a_ply_is_written_in_the_position_above_it_and_below_a_null_move_in_that_after_it(game: Any) -> None:
    """Nodes are numbered level by level; the second ply of the first root is the better one and comes first.

    0 ─ 1 ─ 3, 4    0 ─ 1 ─ 3 ─ 6      pass at 1: 5 ─ 7 ─ 9, 10
      ─ 2 ─ 5, 6      ─ 2     ─ 4                   ─ 8
    """
    tree = '{"children": [{"value": 1, "children": [7, 8]}, {"value": 2, "children": [3, 4]}]}'
    recording = search(game, tree, SearchOptions(depth=2, limit=1, algorithm="minimax"), compiled=False)
    assert by_replay(recording) == [[None, "0 to 2", "2 to 5", None, None], ["2 to 6", "0 to 1"], []]
    # After handing over the move at node 1 we stand at node 5; then the plies of node 1 are played.
    after_pass = '{"player": "max", "value": 5, "children": [{"value": 3, "children": [5, 6]}, 8]}'
    first = f'{{"player": "min", "value": 1, "pass": {after_pass}, "children": [[2], 3]}}'
    tree = f'{{"player": "max", "value": 9, "children": [{first}, 4]}}'
    recording = search(game, tree, SearchOptions(depth=4, null_move=1), compiled=False)
    found = by_replay(recording)[0]
    assert found == [None, "0 to 2", "0 to 1", "--", "5 to 8", None, "1 to 3", "3 to 6", None]


def test_machine_code_is_for_many_plies_of_a_game_that_brings_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = SearchOptions(depth=2)
    codes, none = (search(game, "[[1, 2], 3]", asked, compiled=False) for game in (Copied(), Uncoded()))
    n_plies = len(codes.rows) + len(codes.stub_plies)
    run: list[Any] = []
    monkeypatch.setattr(jit, "compiled", lambda function: run.append(function) or function)
    monkeypatch.setattr(jit, "bind", with_all_kernels)
    for loaded, compiled, is_on_disk, asks_and_runs in (
        (n_plies + 1, n_plies + 1, True, 0),
        (n_plies, n_plies + 1, True, 2),
        (n_plies, n_plies + 1, False, 1),
        (n_plies, n_plies, False, 1),
    ):
        monkeypatch.setattr(ply_texts, "LOADED_PLIES", loaded)
        monkeypatch.setattr(ply_texts, "COMPILED_PLIES", compiled)
        monkeypatch.setattr(jit, "needs_compiling", lambda *_, on_disk=is_on_disk: not on_disk)
        run.clear()
        assert written(codes.ply_texts()) == by_replay(codes)
        assert run == [code_plies] * asks_and_runs
        run.clear()
        none.ply_texts()
        assert run == []


def test_machine_code_that_is_missing_is_made_beside_for_the_next_logs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other process is told the game and its evaluation, and makes code for the types of all searches."""
    monkeypatch.setattr(ply_texts, "LOADED_PLIES", 1)
    monkeypatch.setattr(step, "_makers", {})
    monkeypatch.setattr(step, "_maker", lambda *asked: begun.append(asked))
    forms: list[Any] = []

    def missing(_: Any, *given: Any) -> bool:
        forms.append([*map(numba.typeof, given)])
        return True

    monkeypatch.setattr(jit, "needs_compiling", missing)
    begun: list[Any] = []
    asked = SearchOptions(depth=1, evaluation="study-3")
    for table in (None, 1.0):
        recording = search(find("hive"), None, replace(asked, table=table), compiled=False)
        assert written(recording.ply_texts()) == by_replay(recording)
    assert begun == [(ply_texts.__name__, "hive", "study-3")]
    monkeypatch.setattr(ply_texts, "told_beside", lambda: (find("hive"), "study-3"))
    monkeypatch.setattr(
        jit, "compiled", lambda kernel: lambda *given: forms.append([*map(numba.typeof, given)]) or 0
    )
    ply_texts.make_ready()
    assert forms[2] == forms[1] == forms[0]


@every_way
@pytest.mark.parametrize(
    ("field", "value"), [("moves", 9), ("key", 9), ("key", 2**63)], ids=["many", "late", "before"]
)
def test_a_stub_that_claims_more_plies_than_were_recorded_is_not_read(
    game: Any, field: str, value: int
) -> None:
    recording = search(game, "[[1, 2], [3, 4]]", SearchOptions(depth=2, limit=1), compiled=False)
    stub = int(np.flatnonzero(recording.rows["outcome"] >= FIRST_STUB)[0])
    recording.rows[field][stub] = value
    with pytest.raises(AssertionError, match=f"row {stub} names plies"):
        by_code(recording, compiled=True)


@every_way
@plain_and_compiled
def test_a_row_below_the_room_for_levels_is_not_played(game: Any, compiled: bool) -> None:
    """There is room for the root; its child, row 1, has children of its own."""
    recording = search(game, "[[1, 2], [3, 4]]", SearchOptions(depth=2), compiled=False)
    plies = plies_of(recording)
    states = np.zeros((2, len(recording.state)), recording.state.dtype)
    states[0] = recording.state
    codes = [np.full(len(kind), -1, np.int32) for kind in plies]
    run, rules = (
        (jit.compiled(code_plies), jit.bind(game)) if compiled else (code_plies, with_all_kernels(game))
    )
    assert run(rules, *plies, states, np.empty((1, 2), np.int64), *codes) == 1
