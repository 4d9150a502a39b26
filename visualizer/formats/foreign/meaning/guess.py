"""Guessing which field of a foreign tree means what: names propose, values decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.find.probe import ply_text
from plyscope.visualizer.formats.foreign.meaning import names
from plyscope.visualizer.formats.foreign.meaning.factors import factor_table
from plyscope.visualizer.formats.foreign.meaning.fields import Field, last_name, plain, text_with_number
from plyscope.visualizer.formats.foreign.tree import Tree

Array = npt.NDArray[Any]
Test = Callable[[Field], bool]

BOUND_WORDS: Final = {
    **dict.fromkeys(("exact", "pv", "exactscore", "hashexact", "true"), "exact"),
    **dict.fromkeys(("lower", "lowerbound", "lb", "beta", "cut", "cutnode", "failhigh", "hashbeta"), "lower"),
    **dict.fromkeys(
        ("upper", "upperbound", "ub", "alpha", "all", "allnode", "faillow", "hashalpha"), "upper"
    ),
}
"""Plain words for bounds, as tables of transpositions call them."""
TWO_SIDES: Final = ("left", "right", "l", "r")
SHARES_OFF: Final = 0.01
"""By how much each of several shares of 1 may be rounded."""


RESULTS_OF_ONE: Final = ("w", "wins")
"""Plain names of sums of results that are at most 1 each."""


@dataclass
class Guess:
    """The field taken for each role, and sentences about what was decided against the name."""

    mapping: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def guess_fields(tree: Tree, fields: Mapping[str, Field]) -> Guess:
    """Guess the field of each role: `ply`, `score`, `alpha` … to paths; roles without one are left out."""
    guess = Guess()
    chooser = _Chooser(fields, tree.parents, tree.levels)
    score = chooser.first(names.SCORES, _numeric) or text_with_number(fields, "score")
    if score:
        guess.mapping["score"] = _joined(score, chooser)
    ply = _ply(tree, chooser, score)
    if ply:
        guess.mapping["ply"] = ply
    for role, names_, test in (
        ("pre_score", names.PRE_SCORES, _numeric),
        ("static", names.STATICS, _numeric),
        ("depth", names.DEPTHS, chooser.falls),
        ("visits", names.VISITS, chooser.counts_visits),
        ("bound", names.BOUNDS, _names_bounds),
        ("outcome", (*names.ENDED, *names.CUT), _is_flag),
        ("position", names.POSITIONS, _is_text),
        ("board", names.BOARDS, _is_board),
    ):
        if found := chooser.first(names_, test, without=guess.mapping.values()):
            guess.mapping[role] = found
    if "visits" in guess.mapping:
        for role, names_, test in (("mean", names.MEANS, _is_mean), ("prior", names.PRIORS, _is_probability)):
            if found := chooser.first(names_, test, without=guess.mapping.values()):
                guess.mapping[role] = found
        if "mean" not in guess.mapping:
            _total(chooser, guess)
    elif found := chooser.first(names.PRIORS, chooser.adds_up, without=guess.mapping.values()):
        guess.mapping["prior"] = found  # what chance may bring
    _window(fields, guess)
    factors = next((path for path in chooser.named(names.FACTORS) if factor_table(fields[path])), None)
    if factors := factors or _unclaimed_numbers(fields, guess):
        guess.mapping["factors"] = factors
    guess.notes += chooser.rising_notes(names.DEPTHS)
    return guess


@dataclass
class _Chooser:
    """Fields by name, and what their values say about parents and levels."""

    fields: Mapping[str, Field]
    parents: Array
    levels: Array

    def named(self, wanted: Sequence[str]) -> list[str]:
        """The paths of those names, best name first, a node's own fields before those inside its objects."""
        found = [path for path in self.fields if last_name(path) in wanted and _held(path)]
        return sorted(found, key=lambda path: (wanted.index(last_name(path)), path.count(".")))

    def first(self, wanted: Sequence[str], test: Test, without: Iterable[str] = ()) -> str | None:
        """The first of those that passes the test; one known on far more nodes goes before it."""
        taken = {part for path in without for part in path.split("|")}
        passed = [path for path in self.named(wanted) if path not in taken and test(self.fields[path])]
        if not passed:
            return None
        most = max(len(self.fields[path].values) for path in passed)
        known = set(self.fields[passed[0]].values)
        for path in passed:
            if len(self.fields[path].values) == most > 1.5 * len(known) and known <= set(
                self.fields[path].values
            ):
                return path
        return passed[0]

    def adds_up(self, values: Field) -> bool:
        """Whether all siblings of those that have a value have one, and these add up to 1, rounding aside."""
        if not _is_probability(values):
            return False
        n_children = np.bincount(self.parents + 1)[1:]
        shares: dict[int, list[float]] = {}
        for node, value in values.numbers.items():
            shares.setdefault(self.parents[node], []).append(value)
        shares.pop(-1, None)
        return bool(shares) and all(
            len(each) == n_children[parent] and abs(sum(each) - 1.0) <= SHARES_OFF * len(each)
            for parent, each in shares.items()
        )

    def is_level(self, values: Field) -> bool:
        """Whether the values count the levels down from the root, from any start."""
        numbers = values.numbers
        if len(numbers) < 2 or len({self.levels[node] for node in numbers}) < 2:
            return False
        return len({value - self.levels[node] for node, value in numbers.items()}) == 1

    def _steps(self, values: Field) -> tuple[int, int, int]:
        """Of parents and children that both have a number: how often it falls, rises, and how many."""
        numbers = values.numbers
        pairs = [
            (value, numbers[self.parents[node]])
            for node, value in numbers.items()
            if self.parents[node] in numbers
        ]
        return sum(a < b for a, b in pairs), sum(a > b for a, b in pairs), len(pairs)

    def falls(self, values: Field) -> bool:
        """Whether the values are plies left: they fall from parent to child."""
        if not _numeric(values):
            return False
        n_falls, n_rises, n_pairs = self._steps(values)
        return n_falls > 0 and n_falls >= 0.8 * n_pairs and n_falls > n_rises

    def rises(self, values: Field) -> bool:
        """Whether the values are levels: they rise from parent to child."""
        n_falls, n_rises, n_pairs = self._steps(values)
        return n_rises > n_falls and n_rises >= 0.8 * n_pairs

    def counts_visits(self, values: Field) -> bool:
        """Whether the values are counts that a parent has at least as many of as its child."""
        if not _numeric(values) or any(value < 0 for value in values.numbers.values()):
            return False
        n_rises, n_pairs = self._steps(values)[1:]
        return n_rises == 0 and (n_pairs > 0 or "visit" in last_name(values.path))

    def names_plies(self, values: Field) -> bool:
        """Whether the values can be plies, and do not just count levels."""
        if not any(ply_text(value) is not None for value in values.values.values()):
            return False
        if last_name(values.path) in ("name", "label", "text", "title", "tag"):
            return True
        return not self.is_level(values) and not (
            last_name(values.path) == "ply" and _numeric(values) and self.rises(values)
        )

    def rising_notes(self, wanted: Sequence[str]) -> list[str]:
        """A sentence for each field that is named like a depth and is a level."""
        return [
            f'"{path}" rises from the root: it is the level, not the plies left.'
            for path in self.named(wanted)
            if _numeric(self.fields[path]) and self.rises(self.fields[path])
        ]


def _held(path: str) -> bool:
    """Whether a path leads to a field of the node, or of an object that holds fields of the node."""
    outer, dot, _ = path.rpartition(".")
    return not dot or plain(outer) in names.HOLDERS


def _numeric(values: Field) -> bool:
    return values.is_numeric


def _is_text(values: Field) -> bool:
    return bool(values.values) and len(values.texts) == len(values.values)


def _is_board(values: Field) -> bool:
    """Text, or lists of cells: not an object, which may be anything."""
    return bool(values.values) and all(isinstance(value, str | list) for value in values.values.values())


def _is_flag(values: Field) -> bool:
    return bool(values.values) and all(isinstance(value, bool) for value in values.values.values())


def _is_mean(values: Field) -> bool:
    return _numeric(values) and (
        last_name(values.path) != "q" or all(abs(x) <= 1 for x in values.numbers.values())
    )


def _is_probability(values: Field) -> bool:
    return _numeric(values) and all(0 <= value <= 1 for value in values.numbers.values())


def _names_bounds(values: Field) -> bool:
    words = [plain(text) for text in values.texts.values()]
    return bool(words) and len(words) == len(values.values) and all(word in BOUND_WORDS for word in words)


def _joined(score: str, chooser: _Chooser) -> str:
    """The score's field, and a second one where nodes have either: inner nodes this, leaves that."""
    known = set(chooser.fields[score].values)
    if len(known) == len(chooser.parents):
        return score
    for path in chooser.named(names.SCORES):
        others = chooser.fields[path]
        if path != score and others.values and _numeric(others) and not known & set(others.values):
            return f"{score}|{path}"
    return score


def _total(chooser: _Chooser, guess: Guess) -> None:
    """Take a sum of results over visits, where its values can be one."""
    visits = chooser.fields[guess.mapping["visits"]].numbers
    for path in chooser.named(names.TOTALS):
        totals, name = chooser.fields[path].numbers, last_name(path)
        if path in guess.mapping.values() or not _numeric(chooser.fields[path]):
            continue
        are_sums = any(totals.get(node) for node, n in visits.items() if n > 0) and all(
            (n > 0 or totals[node] == 0) and (name not in RESULTS_OF_ONE or abs(totals[node]) <= n)
            for node, n in visits.items()
            if node in totals
        )
        if are_sums:
            guess.mapping["total"] = path
            guess.notes.append(
                f'The mean is "{path}" by "{guess.mapping["visits"]}", the sum over the visits.'
            )
        else:
            guess.notes.append(f'"{path}" is no sum over the visits by its values: no mean was read from it.')
        return


def _ply(tree: Tree, chooser: _Chooser, score: str | None) -> str | None:
    """The field that names the ply; None where none does, or the document keeps plies outside its nodes."""
    wanted = names.PLIES
    if is_jit(tree):
        wanted = ("name", *(name for name in wanted if name != "name"))
    found = next((path for path in chooser.named(wanted) if chooser.names_plies(chooser.fields[path])), None)
    if tree.has_labels and (found is None or not _only_places(tree.labels)):
        return None
    if found is not None:
        return found
    texts = chooser.fields.get("value")
    if texts and texts.texts and not texts.numbers and score != "value":
        return "value"
    return next(
        (path for path in chooser.named(names.NAMES_OF_NODES) if _is_name(chooser.fields[path])), None
    )


def _only_places(labels: Sequence[str | None]) -> bool:
    """Whether keys only count the children, or say left and right, and the ply may be told elsewhere."""
    told = [label for label in labels if label is not None]
    return all(label.isdigit() for label in told) or all(plain(label) in TWO_SIDES for label in told)


def _is_name(values: Field) -> bool:
    """Whether ids are names of nodes, and no numbers."""
    return _is_text(values) and not values.numbers


def is_jit(tree: Tree) -> bool:
    """Whether the nodes are those of the JavaScript InfoVis Toolkit: id, name, data and children."""
    if "JavaScript InfoVis" in tree.form:
        return True
    root = tree.samples[0]
    return (
        tree.children == "children" and "id" in root and "name" in root and isinstance(root.get("data"), dict)
    )


def _window(fields: Mapping[str, Field], guess: Guess) -> None:
    """Take alpha and beta together, from fields beside one another, an object or a list of two."""
    taken = set(guess.mapping.values())
    for outer in ("", *dict.fromkeys(path.rpartition(".")[0] for path in fields if "." in path)):
        prefix = f"{outer}." if outer else ""
        inner = {last_name(path): path for path in fields if path.rpartition(".")[0] == outer}
        is_window = plain(outer) in names.WINDOWS
        if outer and not is_window and plain(outer) not in names.HOLDERS:
            continue
        pairs = list(zip(names.ALPHAS, names.BETAS, strict=True)) + ([("0", "1")] if is_window else [])
        for low, high in pairs:
            alpha = fields.get(inner.get(low, f"{prefix}{low}"))
            beta = fields.get(inner.get(high, f"{prefix}{high}"))
            if alpha is None or beta is None or {alpha.path, beta.path} & taken:
                continue
            if _are_window(alpha, beta, sure=low in ("alpha", "α", "0") or is_window):
                guess.mapping["alpha"], guess.mapping["beta"] = alpha.path, beta.path
                return
    for role in ("alpha", "beta"):
        if path := text_with_number(fields, role):
            guess.mapping[role] = path


def _unclaimed_numbers(fields: Mapping[str, Field], guess: Guess) -> str | None:
    """The field whose values are objects of plain numbers that nothing else claims, on the most nodes."""
    taken = {part for path in guess.mapping.values() for part in path.split("|")}
    found = [
        values
        for path, values in fields.items()
        if "." not in path
        and plain(path) not in names.NO_TERMS
        and not any(part == path or part.startswith(f"{path}.") for part in taken)
        and values.values
        and all(map(_has_only_terms, values.values.values()))
    ]
    return max(found, key=lambda values: len(values.values)).path if found else None


def _has_only_terms(value: object) -> bool:
    """Whether a value is an object of plain numbers, and no place on a board."""
    return (
        isinstance(value, dict)
        and len(value) > 0
        and all(isinstance(inner, int | float) and not isinstance(inner, bool) for inner in value.values())
        and not all(plain(name) in names.COORDINATES for name in value)
    )


def _are_window(alpha: Field, beta: Field, *, sure: bool) -> bool:
    numeric = all(not values.values or _numeric(values) for values in (alpha, beta))
    if not numeric or not (alpha.values or beta.values):
        return False
    both = [(low, beta.numbers[node]) for node, low in alpha.numbers.items() if node in beta.numbers]
    return sure or (len(both) > 0 and sum(low <= high for low, high in both) >= 0.8 * len(both))
