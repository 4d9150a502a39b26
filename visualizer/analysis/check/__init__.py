"""`check`: re-derives what a log claims and lists each contradiction with its rule, node and both figures."""

from visualizer.analysis.check.passes.machine import StoppedError
from visualizer.analysis.check.report import Finding, Group, NotChecked, Report
from visualizer.analysis.check.rule import SEVERITIES, Figures, Rule, Severity
from visualizer.analysis.check.rules import RULES
from visualizer.analysis.check.run import check

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
    "StoppedError",
    "check",
]
