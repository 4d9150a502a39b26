"""Guessing the meanings of a foreign tree's fields: names propose, values decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from plyscope.visualizer.formats.foreign.meaning import names
from plyscope.visualizer.formats.foreign.meaning.chess import fen_field
from plyscope.visualizer.formats.foreign.meaning.chooser import Chooser
from plyscope.visualizer.formats.foreign.meaning.factors import factor_table
from plyscope.visualizer.formats.foreign.meaning.fields import Field, last_name, parts_of, plain
from plyscope.visualizer.formats.foreign.meaning.label_texts import TEXTS, text_with_number
from plyscope.visualizer.formats.foreign.meaning.plies import guess_ply
from plyscope.visualizer.formats.foreign.tree import Tree

BOUND_WORDS: Final = names.meanings(
    exact="exact pv exactscore hashexact true",
    lower="lower lowerbound lb beta cut cutnode failhigh hashbeta",
    upper="upper upperbound ub alpha all allnode faillow hashalpha",
)
"""Plain words for bounds, as in transposition tables."""


RESULTS_OF_ONE: Final = ("w", "wins")
"""Plain names of sums of results, each of which is at most 1."""


@dataclass
class Guess:
    """The field taken for each role, and sentences about decisions against a name."""

    mapping: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def guess_fields(tree: Tree, fields: Mapping[str, Field]) -> Guess:
    """Guess the field of each role: `ply`, `score`, `alpha` … to paths; roles without one are left out."""
    guess = Guess()
    if fen := fen_field(fields, tree.parents):
        guess.mapping["position"] = fen
        fields = {path: each for path, each in fields.items() if path != fen}
    chooser = Chooser(fields, tree.parents, tree.levels)
    score = chooser.first(names.SCORES, Field.is_numeric) or text_with_number(fields, "score")
    score = score or chooser.first(TEXTS, lambda each: chooser.are_scores(each, has_labels=tree.has_labels))
    if score:
        guess.mapping["score"] = _joined(score, chooser)
    ply = guess_ply(tree, chooser, score)
    if ply:
        guess.mapping["ply"] = ply
    for role, names_, test in (
        ("pre_score", names.PRE_SCORES, Field.is_numeric),
        ("static", names.STATICS, Field.is_numeric),
        ("depth", names.DEPTHS, chooser.falls),
        ("visits", names.VISITS, chooser.counts_visits),
        ("bound", names.BOUNDS, _names_bounds),
        ("outcome", (*names.ENDED, *names.CUT), _is_flag),
        ("position", names.POSITIONS, Field.is_text),
        ("board", names.BOARDS, _is_board),
    ):
        if role in guess.mapping:
            continue
        if found := chooser.found(role, names_, test, guess.mapping.values()):
            guess.mapping[role] = found
    if "visits" in guess.mapping:
        for role, names_, test in (
            ("mean", names.MEANS, _is_mean),
            ("prior", names.PRIORS, Field.is_probability),
        ):
            if found := chooser.found(role, names_, test, guess.mapping.values()):
                guess.mapping[role] = found
        if "mean" not in guess.mapping:
            _total(chooser, guess)
    elif found := chooser.first(names.PRIORS, chooser.adds_up, without=guess.mapping.values()):
        guess.mapping["prior"] = found  # the probabilities of chance outcomes
    _window(fields, guess)
    if factors := chooser.best(names.FACTORS, factor_table) or _unclaimed_numbers(fields, guess):
        guess.mapping["factors"] = factors
    guess.notes += chooser.rising_notes(names.DEPTHS)
    return guess


def _is_board(values: Field) -> bool:
    """Whether all values are texts or lists of cells; an object may be anything."""
    return bool(values.values) and all(isinstance(value, str | list) for value in values.values.values())


def _is_flag(values: Field) -> bool:
    return bool(values.values) and all(isinstance(value, bool) for value in values.values.values())


def _is_mean(values: Field) -> bool:
    return values.is_numeric() and (
        last_name(values.path) != "q" or all(abs(x) <= 1 for x in values.numbers.values())
    )


def _names_bounds(values: Field) -> bool:
    return values.is_text() and all(plain(text) in BOUND_WORDS for text in values.texts.values())


def _joined(score: str, chooser: Chooser) -> str:
    """The field of the score, joined with a second one where inner nodes have one and leaves the other."""
    known = chooser.fields[score].values.keys()
    if len(known) == len(chooser.parents):
        return score
    for others in chooser.named(names.SCORES):
        if others.path != score and others.is_numeric() and not known & others.values.keys():
            return f"{score}|{others.path}"
    return score


def _total(chooser: Chooser, guess: Guess) -> None:
    """Take the field with sums of results over visits, where its values can be such sums."""
    visits = chooser.fields[guess.mapping["visits"]].numbers
    for values in chooser.named(names.TOTALS):
        path, totals, name = values.path, values.numbers, last_name(values.path)
        if path in guess.mapping.values() or not values.is_numeric():
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


def _window(fields: Mapping[str, Field], guess: Guess) -> None:
    """Take alpha and beta together, from two fields of one object, or from a list of two."""
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
    """The field of objects of numbers that has no other role, on the most nodes."""
    taken = parts_of(guess.mapping.values())
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
    """Whether a value is an object of numbers, and no place on a board."""
    return (
        isinstance(value, dict)
        and len(value) > 0
        and all(isinstance(inner, int | float) and not isinstance(inner, bool) for inner in value.values())
        and not all(plain(name) in names.COORDINATES for name in value)
    )


def _are_window(alpha: Field, beta: Field, *, sure: bool) -> bool:
    numeric = all(not values.values or values.is_numeric() for values in (alpha, beta))
    if not numeric or not (alpha.values or beta.values):
        return False
    both = [(low, beta.numbers[node]) for node, low in alpha.numbers.items() if node in beta.numbers]
    return sure or (len(both) > 0 and sum(low <= high for low, high in both) >= 0.8 * len(both))
