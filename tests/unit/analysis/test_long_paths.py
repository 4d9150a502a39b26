"""Paths of nodes far down a chain have their ends, and the number of plies between."""

from __future__ import annotations

import pytest

from plyscope.visualizer.analysis.nodes import ply_path
from plyscope.visualizer.analysis.nodes.ply_path import path_to, paths_to
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree

N_LEVELS = 50_000


@pytest.fixture(scope="module")
def chain() -> Tree:
    """A root and 50,000 levels below it: p1 > p2 > …."""
    rows = [f'{{"id":{n},"parent":{n - 1},"ply":"p{n}"}}' for n in range(1, N_LEVELS + 1)]
    return Tree(read_log("\n".join(['{"id":0}', *rows]).encode()))


def test_a_path_of_as_many_plies_as_are_listed_is_whole(chain: Tree) -> None:
    assert paths_to(chain, [0, 3, 200]) == ["root", "p1 > p2 > p3", path_to(chain, 200)]


def test_a_longer_one_has_both_ends_and_says_how_many_are_left_out(
    chain: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ply_path, "MOST_STEPS", 4)
    assert paths_to(chain, [5, 49_999, 40_000, 4]) == [
        "p1 > p2 > (1 ply) > p4 > p5",
        "p1 > p2 > (49,995 plies) > p49998 > p49999",
        "p1 > p2 > (39,996 plies) > p39999 > p40000",
        "p1 > p2 > p3 > p4",
    ]


def test_the_paths_of_a_whole_chain_take_what_they_say_and_not_its_square(chain: Tree) -> None:
    paths = paths_to(chain, range(0, N_LEVELS, 50))
    assert max(map(len, paths)) < 2_000
    assert sum(map(len, paths)) < 2_000_000


def test_the_nearest_rows_of_a_path_are_its_last_ones(chain: Tree) -> None:
    assert chain.path(N_LEVELS, 3) == chain.path(N_LEVELS)[-3:] == [N_LEVELS - 2, N_LEVELS - 1, N_LEVELS]
    assert chain.path(1, 3) == [0, 1]
