"""The studies by name; a module is imported when its study is asked for."""

from __future__ import annotations

import importlib
from typing import Final, NamedTuple

from plyscope_studies.lab.lab import Lab


class Study(NamedTuple):
    """A study: the module that runs it, the title of its page, and what it shows, in a line."""

    module: str
    title: str
    shows: str


STUDIES: Final = {
    "hive-turns": Study(
        "hive_turns", "Hive, turn by turn", "plies a position has, and how fast they are generated, by turn"
    ),
    "hive-table-1": Study(
        "hive_table_one",
        "Hive against random plies",
        "Monte Carlo and minimax players: win rates and turns to win",
    ),
    "hive-elo": Study(
        "hive_elo", "Hive's players rated", "a tournament of minimax and Monte Carlo players: Elo, crosswise"
    ),
    "hive-tuning": Study(
        "hive_tuning", "Hive's weights by playing", "four tuning runs: win factor and weights by trial"
    ),
    "hive-own": Study(
        "hive_own", "Our own weights for Hive, tuned", "whether tuned weights beat the present ones"
    ),
    "quotient": Study(
        "quotient", "The randomness quotient", "how often each rank is played, by formula and by draws"
    ),
    "reversi": Study(
        "reversi", "Reversi: an example and an end-game test", "one position's answers by depth, ends solved"
    ),
    "castle": Study(
        "castle", "Castle, a ranked one-ply AI", "the formula's worked examples, plays and time of a turn"
    ),
    "odd": Study("odd", "Odd by flat Monte Carlo", "published players against one another, and their draws"),
    "odd-sweep": Study(
        "odd_sweep", "Odd, N by N and turn by turn", "how many play-outs it takes, and what a turn takes"
    ),
}


def run_study(lab: Lab) -> None:
    """Fill the page of a lab by the study of its name."""
    lab.sign()
    importlib.import_module(f"plyscope_studies.lab.{STUDIES[lab.report.name].module}").run(lab)
