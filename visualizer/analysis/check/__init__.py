"""`check`: re-derives what a log claims and lists each contradiction with its rule, node and both figures.

The rules are imported when one of these names is first asked for, so that opening a log does not wait for
them. Other verbs import these names alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.check.report import Finding, Group, NotChecked, Report
    from plyscope.visualizer.analysis.check.rule import SEVERITIES, Figures, Rule, Severity
    from plyscope.visualizer.analysis.check.rules import RULES
    from plyscope.visualizer.analysis.check.run import check
    from plyscope.visualizer.analysis.check.score_check import wrong_scores

__all__ = [
    "RULES",
    "SEVERITIES",
    "Figures",
    "Finding",
    "Group",
    "NotChecked",
    "Report",
    "Rule",
    "Severity",
    "check",
    "wrong_scores",
]

_MODULES: Final = {
    **dict.fromkeys(("Finding", "Group", "NotChecked", "Report"), "report"),
    **dict.fromkeys(("SEVERITIES", "Figures", "Rule", "Severity"), "rule"),
    "RULES": "rules",
    "check": "run",
    "wrong_scores": "score_check",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
