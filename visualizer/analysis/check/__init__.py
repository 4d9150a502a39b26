"""`check`: re-derives what a log claims and lists each contradiction with its rule, node and both figures."""

from visualizer.analysis.check.report import Finding, Group, NotChecked, Report
from visualizer.analysis.check.rule import SEVERITIES, Figures, Rule, Severity
from visualizer.analysis.check.rules import RULES
from visualizer.analysis.check.run import check
from visualizer.analysis.check.scan import StoppedError

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
