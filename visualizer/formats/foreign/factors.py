"""The terms of a foreign evaluation: however a program wrote them down, names, values and weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from plyscope.visualizer.formats.foreign.fields import Field, number, plain
from plyscope.visualizer.formats.tables import check_table

VALUES: Final = ("value", "raw", "rawvalue", "count", "score", "contribution", "total", "amount")
WEIGHTED: Final = ("weight", "w", "coefficient", "coef")

Terms = dict[str, tuple[float, float | None]]
"""By name: a number, and its weight where the node states one."""


def terms_of(value: object, listed: Sequence[str] = ()) -> Terms | None:
    """The terms that a value spells, None where it is no evaluation; `listed` names the terms of a bare list.

    >>> terms_of({"mobility": 3, "corners": -1})
    {'mobility': (3.0, None), 'corners': (-1.0, None)}
    >>> terms_of([3, -1]), terms_of([{"name": "mobility", "value": 3, "weight": 5}])
    ({'factor 1': (3.0, None), 'factor 2': (-1.0, None)}, {'mobility': (3.0, 5.0)})
    >>> terms_of("strong"), terms_of([])
    (None, None)
    """
    terms: Terms = {}
    if isinstance(value, dict):
        for name, inner in value.items():
            term = _term(inner)
            if term is not None:
                terms[str(name)] = term
        return terms if 2 * len(terms) >= len(value) and terms else None
    if not isinstance(value, list):
        return None
    for place, inner in enumerate(value):
        name = listed[place] if place < len(listed) else f"factor {place + 1}"
        if isinstance(inner, dict):
            name = next(
                (str(inner[key]) for key in inner if plain(key) in ("name", "factor", "term", "feature")),
                name,
            )
        elif isinstance(inner, list) and len(inner) == 2 and isinstance(inner[0], str):
            name, inner = inner
        term = _term(inner)
        if term is None and inner is not None:
            return None
        if term is not None:
            terms[name] = term
    return terms or None


def _term(inner: object) -> tuple[float, float | None] | None:
    if isinstance(inner, dict):
        value = next(
            (n for key in inner if plain(key) in VALUES and (n := number(inner[key])) is not None), None
        )
        weight = next(
            (n for key in inner if plain(key) in WEIGHTED and (n := number(inner[key])) is not None), None
        )
        return None if value is None else (value, weight)
    value = number(inner)
    return None if value is None else (value, None)


def factor_table(values: Field) -> bool:
    """Whether most values of a field are evaluations."""
    read = sum(terms_of(value) is not None for value in values.values.values())
    return 0 < len(values.values) <= 2 * read


@dataclass(frozen=True)
class Factors:
    """The terms of all nodes: their names, and their weights where these are known.

    With weights (or for bare lists) the numbers are raw values, otherwise contributions.
    """

    names: tuple[str, ...]
    weights: Mapping[str, float]
    are_raw: bool
    meanings: Mapping[str, str] = field(default_factory=dict)

    @property
    def header(self) -> list[dict[str, Any]]:
        """The factors as the header of a log states them; of contributions only the explained ones."""
        return [
            {"name": name}
            | ({"weight": self.weights[name]} if self.are_raw and name in self.weights else {})
            | ({"meaning": self.meanings[name]} if name in self.meanings else {})
            for name in self.names
            if self.are_raw or name in self.meanings
        ]

    def fields(self, terms: Terms) -> dict[str, Any]:
        """The terms of one node as the native form writes them."""
        if self.are_raw:
            return {"factors": [terms[name][0] if name in terms else None for name in self.names]}
        return {"contributions": {name: value for name, (value, _) in terms.items()}}


def gather_factors(
    all_terms: Sequence[Terms | None],
    stated: Mapping[str, float],
    totals: Sequence[float | None],
    *,
    lists: bool,
) -> Factors:
    """The factors of a whole tree; `stated` are weights from elsewhere, `totals` each node's evaluation.

    Numbers beside stated weights are raw values, unless they add up to the evaluation as they are.

    >>> gather_factors([{"mobility": (3, None)}], {"mobility": 5.0}, [15], lists=False).are_raw
    True
    >>> gather_factors([{"mobility": (15, None)}], {"mobility": 5.0}, [15], lists=False).are_raw
    False
    """
    names: dict[str, None] = {}
    weights = dict(stated)
    constant = True
    n_sums = n_weighted = 0
    for terms, total in zip(all_terms, totals, strict=True):
        if terms is None:
            continue
        for name, (_, weight) in terms.items():
            names[name] = None
            if weight is not None:
                constant &= weights.setdefault(name, weight) == weight
        if total is not None and weights:
            n_sums += abs(sum(value for value, _ in terms.values()) - total) <= 1e-6 * max(1, abs(total))
            weighted = sum(value * weights.get(name, 0) for name, (value, _) in terms.items())
            n_weighted += abs(weighted - total) <= 1e-6 * max(1, abs(total))
    named = [name for name in names if name in weights]
    are_raw = lists or (bool(named) and constant and not n_sums > n_weighted)
    if are_raw:
        n_terms = [len(terms) for terms in all_terms if terms]
        check_table("factors", len(n_terms), len(names), sum(n_terms))
    return Factors(tuple(names), {name: weights[name] for name in named} if constant else {}, are_raw)


def stated_weights(around: Mapping[str, Any], weight_names: Sequence[str]) -> dict[str, float]:
    """Weights by factor name that the objects around a tree state.

    >>> stated_weights({"weights": {"mobility": 5}}, ("weights",))
    {'mobility': 5.0}
    """
    for key, value in around.items():
        if plain(key) in weight_names and isinstance(value, dict):
            return {str(name): w for name, inner in value.items() if (w := number(inner)) is not None}
    return {}


def stated_meanings(around: Mapping[str, Any], list_names: Sequence[str]) -> dict[str, str]:
    """What factors count, by name, where the objects around a tree list them with a `meaning`.

    >>> stated_meanings({"terms": [{"name": "hand", "meaning": "Pieces in hand."}, "ring"]}, ("terms",))
    {'hand': 'Pieces in hand.'}
    """
    return {
        item["name"]: item["meaning"]
        for key, value in around.items()
        if plain(key) in list_names and isinstance(value, list)
        for item in value
        if isinstance(item, dict) and type(item.get("name")) is type(item.get("meaning")) is str
    }


def stated_names(around: Mapping[str, Any], list_names: Sequence[str]) -> list[str]:
    """Names of factors that the objects around a tree list, empty where they list none."""
    for key, value in around.items():
        if plain(key) in list_names and isinstance(value, list) and value:
            if all(isinstance(name, str) for name in value):
                return list(value)
            if all(isinstance(item, dict) and isinstance(item.get("name"), str) for item in value):
                return [item["name"] for item in value]
    return []
