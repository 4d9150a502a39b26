"""Fields that no column takes are written as objects once the order of the rows is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.tape.extras import Extras, joined
from plyscope.visualizer.formats.tape.tape import Run

Said = tuple[int, str, str, str]
"""A node, the field in which the member stands, its name, and the text of its value."""


def put(extras: Extras, *said: Said, goes_on: bool = False) -> None:
    nodes, outers, names, texts = zip(*said, strict=True)
    members = [extras.members.number(*each) for each in zip(outers, names, strict=True)]
    written = joined([text.encode() for text in texts])
    extras.put(np.array(nodes, np.int32), np.array(members, np.int32), *written, goes_on=goes_on)


def sealed(extras: Extras, row_of: Sequence[int]) -> dict[int, str]:
    rows, starts, objects = extras.sealed(np.array(row_of))
    return {
        row: objects[begin:end].tobytes().decode()
        for row, begin, end in zip(rows.tolist(), starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    }


@pytest.fixture(params=["plain", "compiled"])
def run(request: pytest.FixtureRequest) -> Run:
    return compiled if request.param == "compiled" else lambda kernel: kernel


def test_nothing_is_sealed_of_nothing(run: Run) -> None:
    assert sealed(Extras(run), [0, 1]) == {}


def test_members_of_an_object_stand_together(run: Run) -> None:
    extras = Extras(run)
    put(extras, (0, "", "a", "1"), (0, "data", "x", "2"), (0, "data", "y", "3"), (0, "", "b", "4"))
    put(extras, (1, "data", "x", "5"))
    assert sealed(extras, [1, 0]) == {
        0: '{"data":{"x":5}}',
        1: '{"a":1,"data":{"x":2,"y":3},"b":4}',
    }


def test_rows_of_several_records_keep_the_last_value_at_the_first_place(run: Run) -> None:
    extras = Extras(run)
    put(extras, (0, "", "a", '"x"'), (0, "", "b", "2"), (1, "", "a", "3"))
    put(extras, (2, "", "c", "4"), (2, "", "a", "[5]"))
    assert sealed(extras, [0, 1, 0]) == {0: '{"a":[5],"b":2,"c":4}', 1: '{"a":3}'}


def test_a_name_that_one_object_has_twice_counts_once(run: Run) -> None:
    extras = Extras(run)
    put(extras, (0, "", "a", "1"), (0, "", "b", "2"), (0, "", "a", "3"))
    assert extras.has_doubles
    assert sealed(extras, [0]) == {0: '{"a":3,"b":2}'}


def test_fields_on_both_sides_of_the_children_are_in_the_order_of_the_paths(run: Run) -> None:
    extras = Extras(run)
    put(extras, (0, "", "z", "1"), (1, "", "z", "2"), (1, "", "a", "3"), (0, "", "a", "4"))
    extras.order = ["a", "z"]
    assert sealed(extras, [0, 1]) == {0: '{"a":4,"z":1}', 1: '{"z":2,"a":3}'}


def test_an_object_may_go_on_in_the_next_piece(run: Run) -> None:
    extras = Extras(run)
    put(extras, (0, "", "z", "1"))
    put(extras, (0, "", "a", "2"), goes_on=True)
    extras.order = ["a", "z"]
    assert sealed(extras, [0]) == {0: '{"z":1,"a":2}'}


def test_what_is_taken_or_left_out_is_not_sealed(run: Run) -> None:
    extras = Extras(run)
    put(extras, (0, "", "a", "1"), (1, "", "a", "22"), (2, "", "a", "3"))
    taken = extras.taken_from(np.array([1]))
    assert taken.nodes.tolist() == [1]
    assert taken.at(0) == b"22"
    extras.move(np.array([0, 1, -1]))
    assert [extras.states(node) for node in range(3)] == [True, False, False]
    assert sealed(extras, [0, 1]) == {0: '{"a":1}'}
