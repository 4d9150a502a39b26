"""Plyscope, a search-tree debugger for game AI: record a search, walk its tree, find the bug.

    import plyscope

    log = plyscope.open("search.json")
    print(plyscope.check(log))

What `__all__` names is the public face, and `docs/python.md` shows it; all else may change without notice.
Cheap to import: numpy, numba and Flask are loaded by the functions that need them.

In a wheel the packages `plyscope.engine` and `plyscope.visualizer` lie in this folder; in a checkout their
folders lie beside it, at the top level, and are found there by the same names. So does `plyscope.examples`.
"""

import os.path

from plyscope.version import __version__

TYPE_CHECKING = False  # to type checkers it is true; importing `typing` would take most of our time
if TYPE_CHECKING:
    from plyscope.checking import check
    from plyscope.counting import RankChances, quotient, statistics
    from plyscope.diffing import Diff, diff
    from plyscope.engine.game import GameError
    from plyscope.engine.match.errors import MatchError
    from plyscope.engine.option import OptionError
    from plyscope.explaining import Explanation, explain
    from plyscope.log import Log, Stats
    from plyscope.logger import Logger
    from plyscope.opening import convert, open
    from plyscope.picturing import Picture, picture
    from plyscope.playing import MatchGame, MatchResults, match, tournament, worst_plies
    from plyscope.querying import Hits, query, query_files
    from plyscope.replaying import Moment, Replay, replay
    from plyscope.reweighing import WhatIf, what_if
    from plyscope.searching import Interrupted, bring, search
    from plyscope.sharing import SharedPage, share
    from plyscope.viewing import Viewer, view
    from plyscope.visualizer.analysis.check.answer import Report
    from plyscope.visualizer.analysis.check.report import Finding
    from plyscope.visualizer.analysis.diff.answer import Parting
    from plyscope.visualizer.analysis.diff.comparison import Change
    from plyscope.visualizer.analysis.nodes.node import Line, Node, Nodes
    from plyscope.visualizer.analysis.picture.selection import PictureError
    from plyscope.visualizer.analysis.query.data_set import FileHits
    from plyscope.visualizer.analysis.query.errors import QueryError
    from plyscope.visualizer.analysis.results.answer import MatchPlayer
    from plyscope.visualizer.analysis.results.worst_plies import WorstPly
    from plyscope.visualizer.analysis.statistics.figures import Statistics
    from plyscope.visualizer.analysis.whatif.answer import ReweightedPly, WeightRange
    from plyscope.visualizer.formats.errors import LogError

__all__ = [
    "Change",
    "Diff",
    "Explanation",
    "FileHits",
    "Finding",
    "GameError",
    "Hits",
    "Interrupted",
    "Line",
    "Log",
    "LogError",
    "Logger",
    "MatchError",
    "MatchGame",
    "MatchPlayer",
    "MatchResults",
    "Moment",
    "Node",
    "Nodes",
    "OptionError",
    "Parting",
    "Picture",
    "PictureError",
    "QueryError",
    "RankChances",
    "Replay",
    "Report",
    "ReweightedPly",
    "SharedPage",
    "Statistics",
    "Stats",
    "Viewer",
    "WeightRange",
    "WhatIf",
    "WorstPly",
    "__version__",
    "bring",
    "check",
    "convert",
    "diff",
    "explain",
    "match",
    "open",
    "picture",
    "query",
    "query_files",
    "quotient",
    "replay",
    "search",
    "share",
    "statistics",
    "tournament",
    "view",
    "what_if",
    "worst_plies",
]

_HOMES = {
    "checking": ("check",),
    "counting": ("RankChances", "quotient", "statistics"),
    "diffing": ("Diff", "diff"),
    "engine.game": ("GameError",),
    "engine.match.errors": ("MatchError",),
    "engine.options": ("OptionError",),
    "explaining": ("Explanation", "explain"),
    "log": ("Log", "Stats"),
    "logger": ("Logger",),
    "opening": ("convert", "open"),
    "playing": ("MatchGame", "MatchResults", "match", "tournament", "worst_plies"),
    "picturing": ("Picture", "picture"),
    "replaying": ("Moment", "Replay", "replay"),
    "reweighing": ("WhatIf", "what_if"),
    "querying": ("Hits", "query", "query_files"),
    "searching": ("Interrupted", "bring", "search"),
    "sharing": ("SharedPage", "share"),
    "viewing": ("Viewer", "view"),
    "visualizer.analysis.check.answer": ("Report",),
    "visualizer.analysis.check.report": ("Finding",),
    "visualizer.analysis.diff.answer": ("Parting",),
    "visualizer.analysis.diff.comparison": ("Change",),
    "visualizer.analysis.nodes.node": ("Line", "Node", "Nodes"),
    "visualizer.analysis.picture.selection": ("PictureError",),
    "visualizer.analysis.query.data_set": ("FileHits",),
    "visualizer.analysis.query.errors": ("QueryError",),
    "visualizer.analysis.results.answer": ("MatchPlayer",),
    "visualizer.analysis.results.worst_plies": ("WorstPly",),
    "visualizer.analysis.statistics.figures": ("Statistics",),
    "visualizer.analysis.whatif.answer": ("ReweightedPly", "WeightRange"),
    "visualizer.formats.errors": ("LogError",),
}
"""The module of each public name, imported when the name is first asked for."""

_here = os.path.dirname(os.path.abspath(__file__))
_root = os.path.dirname(_here)
if not os.path.isdir(os.path.join(_here, "engine")) and os.path.isfile(
    os.path.join(_root, "engine", "jit.py")
):
    __path__.append(_root)


if not TYPE_CHECKING:  # else every misspelt name would have a type

    def __getattr__(name):
        from importlib import import_module

        for home, names in _HOMES.items():
            if name in names:
                found = globals()[name] = getattr(import_module(f"plyscope.{home}"), name)
                return found
        raise AttributeError(f"module 'plyscope' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
