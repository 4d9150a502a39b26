"""The terms of a foreign evaluation in any notation: names, values and weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.meaning.fields import Field, number, plain
from plyscope.visualizer.formats.foreign.meaning.names import FACTOR_NAMES, WEIGHTS
from plyscope.visualizer.formats.seal.field_buffers import codes_as_met
from plyscope.visualizer.formats.seal.tables import check_table

Array = npt.NDArray[Any]

VALUES: Final = ("value", "raw", "rawvalue", "count", "score", "contribution", "total", "amount")
WEIGHTED: Final = ("weight", "w", "coefficient", "coef")

Terms = dict[str, tuple[float, float | None]]
"""By name, a number and its weight, if the node states one."""


def terms_of(value: object, listed: Sequence[str] = ()) -> Terms | None:
    """The terms in a value, None where it is no evaluation; `listed` names the terms of a bare list.

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
        value, weight = _number_under(VALUES, inner), _number_under(WEIGHTED, inner)
    else:
        value, weight = number(inner), None
    return None if value is None else (value, weight)


def _number_under(wanted: Sequence[str], inner: Mapping[str, Any]) -> float | None:
    return next((n for key in inner if plain(key) in wanted and (n := number(inner[key])) is not None), None)


def factor_table(values: Field) -> bool:
    """Whether most values of a field are evaluations."""
    read = sum(terms_of(value) is not None for value in values.values.values())
    return 0 < len(values.values) <= 2 * read


@dataclass(frozen=True)
class Factors:
    """The names of the terms of all nodes, and their weights where these are known.

    With weights (or for bare lists) the numbers are raw values, otherwise contributions.
    """

    names: tuple[str, ...]
    weights: Mapping[str, float]
    are_raw: bool
    meanings: Mapping[str, str]

    @property
    def header(self) -> list[dict[str, Any]]:
        """The factors for the header of a log; of contributions, only those with a meaning."""
        return [
            {"name": name}
            | ({"weight": self.weights[name]} if self.are_raw and name in self.weights else {})
            | ({"meaning": self.meanings[name]} if name in self.meanings else {})
            for name in self.names
            if self.are_raw or name in self.meanings
        ]


class FlatTerms(NamedTuple):
    """The terms of all evaluations, in the order of the nodes; a bare list has names by place.

    `codes` are indices in `names`. `weights` are those that terms state, NaN where one states none. `whole`
    are the nodes of which the evaluation is nothing but these terms.
    """

    nodes: Array
    codes: Array
    numbers: Array
    names: list[str]
    has_lists: bool
    weights: Array | None = None
    whole: Sequence[int] = ()


def terms_of_values(evaluations: Iterable[tuple[int, Any]], listed: Sequence[str]) -> FlatTerms:
    """The terms of evaluations in any notation, each with its node, in order; `listed` names those of lists.

    >>> terms = terms_of_values([(0, {"mobility": 3}), (2, {"mobility": 1, "corners": "none"})], [])
    >>> terms.nodes.tolist(), terms.numbers.tolist(), terms.names, terms.whole
    ([0, 2], [3.0, 1.0], ['mobility'], [0])
    """
    code_of: dict[str, int] = {}
    told: list[tuple[int, int, float, float]] = []
    whole, has_lists = [], False
    for node, value in evaluations:
        has_lists |= isinstance(value, list) and any(number(x) is not None for x in value)
        terms = terms_of(value, listed)
        if terms is None:
            continue
        if len(terms) == len(value):
            whole.append(node)
        for name, (said, weight) in terms.items():
            code = code_of.setdefault(name, len(code_of))
            told.append((node, code, said, np.nan if weight is None else weight))
    nodes, codes, numbers, weights = np.array(told, np.float64).reshape(-1, 4).T
    return FlatTerms(
        nodes.astype(np.int64), codes.astype(np.int64), numbers, list(code_of), has_lists, weights, whole
    )


def runs_of(nodes: Array) -> tuple[Array, Array]:
    """The distinct numbers of a sorted array, and by item the index of its number among them.

    >>> [each.tolist() for each in runs_of(np.array([2, 2, 5]))]
    [[2, 5], [0, 0, 1]]
    """
    is_first = np.append(True, nodes[1:] != nodes[:-1])[: len(nodes)]
    objects = np.cumsum(is_first, dtype=np.int32)
    objects -= 1
    return nodes[is_first], objects


class Stated(NamedTuple):
    """The names of factors that the objects around a tree list, and their weights and meanings by name."""

    names: list[str]
    weights: dict[str, float]
    meanings: dict[str, str]


def gather_factors(terms: FlatTerms, stated: Stated, totals: Array, known: Array) -> Factors:
    """The factors of a whole tree, by the terms of its evaluations.

    `stated` is said of them elsewhere; `totals` are the scores that the evaluations come to, where `known`.
    With stated weights, numbers are raw values, unless they add up to the evaluation as they are.

    >>> asked = Stated([], {"mobility": 5.0}, {}), np.array([15.0]), np.array([True])
    >>> raw, weighted = (terms_of_values([(0, {"mobility": n})], []) for n in (3, 15))
    >>> gather_factors(raw, *asked).are_raw, gather_factors(weighted, *asked).are_raw
    (True, False)
    """
    names = [terms.names[code] for code in codes_as_met(terms.codes, len(terms.names)).tolist()]
    nodes, objects = runs_of(terms.nodes)
    weights, is_constant = dict(stated.weights), True
    if terms.weights is not None:
        for at in np.flatnonzero(~np.isnan(terms.weights)).tolist():
            weight = float(terms.weights[at])
            is_constant &= weights.setdefault(terms.names[terms.codes[at]], weight) == weight
    named = [name for name in names if name in weights]
    n_sums = n_weighted = 0
    if weights:
        of_code = np.array([weights.get(name, 0.0) for name in terms.names])
        is_known = known[nodes]
        close = 1e-6 * np.maximum(1.0, np.abs(totals[nodes]))
        for weighted in (False, True):
            numbers = terms.numbers * of_code[terms.codes] if weighted else terms.numbers
            sums = np.bincount(objects, weights=numbers, minlength=len(nodes))
            with np.errstate(invalid="ignore"):  # both may be without end
                is_close = np.abs(sums - totals[nodes]) <= close
            n_close = int(np.count_nonzero(is_known & is_close))
            n_sums, n_weighted = (n_sums, n_close) if weighted else (n_close, n_weighted)
    are_raw = terms.has_lists or (bool(named) and is_constant and not n_sums > n_weighted)
    if are_raw:
        check_table("factors", len(nodes), len(names), len(terms.codes))
    of_named = {name: weights[name] for name in named} if is_constant else {}
    return Factors(tuple(names), of_named, are_raw, stated.meanings)


def stated_factors(around: Mapping[str, Any]) -> Stated:
    """What the objects around a tree state of its factors.

    >>> stated_factors({"weights": {"hand": 5}, "terms": [{"name": "hand", "meaning": "Pieces in hand."}]})
    Stated(names=['hand'], weights={'hand': 5.0}, meanings={'hand': 'Pieces in hand.'})
    """
    stated = Stated([], {}, {})
    for key, value in around.items():
        if plain(key) in WEIGHTS and isinstance(value, dict) and not stated.weights:
            read = {str(name): number(inner) for name, inner in value.items()}
            stated.weights.update({name: weight for name, weight in read.items() if weight is not None})
        elif plain(key) in FACTOR_NAMES and isinstance(value, list):
            said: list[Any] = [item.get("name") if isinstance(item, dict) else item for item in value]
            if not stated.names and len(set(map(type, value))) == 1 and set(map(type, said)) == {str}:
                stated.names.extend(said)
            for item in value:
                if isinstance(item, dict) and type(item.get("name")) is type(item.get("meaning")) is str:
                    stated.meanings[item["name"]] = item["meaning"]
    return stated
