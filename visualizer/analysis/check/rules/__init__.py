"""The rules of `check`, in folders by what they read: every `Rule(…)` in a module.

The texts of a rule are in a file of its name beside the module.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Final

from plyscope.visualizer.analysis.check.rule import SEVERITIES, Rule

# Where one node breaks several rules of one severity, the more elementary comes first.
_ORDER: Final = (
    "nan",
    "declared-fail",
    "static-sum",
    "terminal",
    "ending-mean",
    "leaf",
    "mate-distance",
    "stand-pat",
    "layer",
    "moves",
    "visits",
    "mean",
    "choice",
    "proof",
    "no-plies",
    "over",
    "limit-order",
    "stopped-used",
    "path-key",
    "key-side",
    "key-moves",
    "tt-source",
    "tt-depth",
    "tt-bound",
    "tt-ply",
    "window",
    "cut",
    "research-missing",
    "reduced-unverified",
    "maxn",
    "chance",
    "value",
    "claim",
    "table-disagrees",
    "research-disagrees",
)


def _place(rule: Rule) -> tuple[int, int, str]:
    order = _ORDER.index(rule.name) if rule.name in _ORDER else len(_ORDER)
    return SEVERITIES.index(rule.severity), order, rule.name


def _found() -> dict[str, Rule]:
    names = [found.name for found in pkgutil.walk_packages(__path__, f"{__name__}.") if not found.ispkg]
    modules = map(importlib.import_module, names)
    rules = [each for module in modules for each in vars(module).values() if isinstance(each, Rule)]
    return {rule.name: rule for rule in sorted(rules, key=_place)}


RULES: Final[dict[str, Rule]] = _found()
"""Every rule by name, from wrong to odd."""
