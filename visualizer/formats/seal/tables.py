"""Tables of numbers, a row a node and a column a name: factors, contributions, scores by player.

A table has a cell for every node and name, stated or not, so a small file of many names on many nodes could
need all memory. One limit holds for all tables.
"""

from __future__ import annotations

from typing import Final

from plyscope.visualizer.formats.errors import LogError

MOST_CELLS: Final = 2**25
"""The cells that a table may have, however few of them are stated: 256 MB."""
CELLS_A_NUMBER: Final = 32
"""The further cells that it may have for each stated number."""


def check_table(name: str, n_nodes: int, width: int, n_stated: int) -> None:
    """Raise LogError where a table would be much larger than the numbers stated in it.

    >>> check_table("factors", 1_000_000, 20, 1_000_000)
    >>> check_table("factors", 1_000_000, 1000, 1000)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: `factors` of 1,000 numbers on 1,000,000 nodes are a ...
    """
    if n_nodes * width > MOST_CELLS + CELLS_A_NUMBER * n_stated:
        raise LogError(
            f"`{name}` of {width:,} numbers on {n_nodes:,} nodes are a table of {n_nodes * width:,} cells, "
            f"of which {n_stated:,} are stated; expected at most {MOST_CELLS:,} cells, and {CELLS_A_NUMBER} "
            "more for each that is stated: use fewer names, or keep what differs from node to node in a "
            "field of your own"
        )
