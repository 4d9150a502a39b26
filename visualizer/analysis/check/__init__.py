"""`check`: re-derives what a log claims and lists each contradiction with its rule, node and both figures.

The rules are imported when one of these names is first asked for: deciding lines and proofs use kernels of
`facts` and `passes`, and opening a log should not wait for rules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.check.finding import SEVERITIES, Figures, Severity
    from plyscope.visualizer.analysis.check.passes.kernel_call import StoppedError
    from plyscope.visualizer.analysis.check.report import Finding, Group, NotChecked, Report
    from plyscope.visualizer.analysis.check.rule import Rule
    from plyscope.visualizer.analysis.check.rules import RULES
    from plyscope.visualizer.analysis.check.run import check

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

_MODULES: Final = {
    "StoppedError": "passes.kernel_call",
    **dict.fromkeys(("Finding", "Group", "NotChecked", "Report"), "report"),
    **dict.fromkeys(("SEVERITIES", "Figures", "Rule", "Severity"), "rule"),
    "RULES": "rules",
    "check": "run",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
