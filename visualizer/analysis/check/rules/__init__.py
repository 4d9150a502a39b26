"""The rules of `check`, one a file, each ending in `RULE = Rule(...)`; a new file is a new rule."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Final

from plyscope.visualizer.analysis.check.finding import SEVERITIES
from plyscope.visualizer.analysis.check.rule import Rule

# Where one node breaks several rules of one severity, the more elementary stands first.
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
    modules = [
        importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)
    ]
    rules = [module.RULE for module in modules if isinstance(getattr(module, "RULE", None), Rule)]
    return {rule.name: rule for rule in sorted(rules, key=_place)}


RULES: Final[dict[str, Rule]] = _found()
"""Every rule by name, from wrong to odd."""
