"""The terms of evaluations in a large foreign tree, read by kernels as `factors` reads them one by one.

Objects of numbers and lists of numbers are read here; terms that are objects themselves, or lists of names
and numbers, are left to `factors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.factors import Factors
from plyscope.visualizer.formats.foreign.fields import number
from plyscope.visualizer.formats.foreign.sliced_outline import SlicedOutline
from plyscope.visualizer.formats.large import slices
from plyscope.visualizer.formats.large.scan import Bytes, Members
from plyscope.visualizer.formats.large.sorted_records import Values
from plyscope.visualizer.formats.large.terms import Terms
from plyscope.visualizer.formats.tables import check_table

Array = npt.NDArray[Any]


class SlicedTerms(NamedTuple):
    """The terms of evaluations that some values spell.

    is_told    of each value, whether it is an evaluation; is_whole, whether it is nothing else
    terms      those of the values that are, which count as objects in their order
    names      of terms, by code
    are_lists  whether names are places in lists
    """

    is_told: Array
    is_whole: Array
    terms: Terms
    names: Sequence[str]
    are_lists: bool


def read_sliced_terms(
    data: Bytes, members: Members, values: Values, listed: Sequence[str]
) -> SlicedTerms | None:
    """The terms of these values, as `factors.terms_of` has them one by one; None where it is to be asked.

    `members` are those of the field. Raises IrregularError as they do.
    """
    if not len(values.nodes):
        return None
    are_lists = data.array[values.begins] == slices.OPEN_LIST
    if are_lists.any():
        return _in_lists(data, values, listed) if are_lists.all() else None
    found = members.of(values.begins, values.sizes)
    begins, sizes = np.ascontiguousarray(found[:, 2:].T)
    if np.isin(data.array[begins], (slices.OPEN_OBJECT, slices.OPEN_LIST)).any():
        return None
    numbers, is_term = np.zeros(len(found)), np.zeros(len(found), dtype=np.bool_)
    if data.run(slices.read_numbers)(data.array, begins, sizes, numbers, is_term) < len(found):
        rest = ~is_term
        distinct, codes = data.distinct(begins[rest], sizes[rest])
        read = [number(value) for value in distinct]
        numbers[rest] = np.array([0.0 if value is None else value for value in read])[codes]
        is_term[rest] = np.array([value is not None for value in read])[codes]
    n_members = np.bincount(found[:, 0], minlength=len(values.nodes))
    n_terms = np.bincount(found[is_term, 0], minlength=len(values.nodes))
    is_told = (n_terms > 0) & (2 * n_terms >= n_members)
    chosen = is_term & is_told[found[:, 0]]
    objects = (np.cumsum(is_told) - 1)[found[chosen, 0]]
    terms = Terms(objects, found[chosen, 1], numbers[chosen])
    return SlicedTerms(is_told, is_told & (n_terms == n_members), terms, members.labels, False)


def _in_lists(data: Bytes, values: Values, listed: Sequence[str]) -> SlicedTerms | None:
    """The terms of lists of numbers of one length; None of others."""
    begin, size = values.begins[0], values.sizes[0]
    width = 1 + int(np.count_nonzero(data.array[begin : begin + size] == slices.COMMA))
    names = [listed[place] if place < len(listed) else f"factor {place + 1}" for place in range(width)]
    if len(set(names)) < width or (values.sizes <= 2 * width).any():
        return None
    matrix = np.empty((len(values.nodes), width))
    if not data.run(slices.read_lists)(data.array, values.begins, values.sizes, width, matrix.reshape(-1)):
        return None
    is_term = np.asarray(~np.isnan(matrix))
    is_told = np.asarray(is_term.any(axis=1))
    objects, codes = np.nonzero(is_term[is_told])
    terms = Terms(objects, codes, matrix[is_told][is_term[is_told]])
    return SlicedTerms(is_told, np.asarray(is_term.all(axis=1)), terms, names, True)


def gather_sliced_factors(
    outline: SlicedOutline,
    path: str,
    listed: Sequence[str],
    stated: Mapping[str, float],
    totals: Array,
    known: Array,
) -> Factors | None:
    """The factors of a whole tree, as `factors.gather_factors` gathers them; None where it is to be asked."""
    first: dict[str, tuple[int, int]] = {}
    lists = False
    n_sums = n_weighted = n_nodes = n_terms = 0
    for values in outline.slices(path):
        read = read_sliced_terms(outline.data, outline.members(path), values, listed)
        if read is None:
            if len(values.nodes):
                return None
            continue
        nodes = values.nodes[read.is_told]
        objects, codes, numbers = read.terms
        n_nodes += len(nodes)
        n_terms += len(numbers)
        lists = lists or (read.are_lists and len(nodes) > 0)
        n_of_each = np.bincount(objects, minlength=len(nodes))
        places = np.arange(len(objects)) - np.repeat(np.cumsum(n_of_each) - n_of_each, n_of_each)
        order = np.lexsort((places, nodes[objects]))
        met, at = np.unique(codes[order], return_index=True)
        for code, term in zip(met.tolist(), order[at].tolist(), strict=True):
            here = int(nodes[objects[term]]), int(places[term])
            first[read.names[code]] = min(first.get(read.names[code], here), here)
        if stated:
            weights = np.array([stated.get(name, 0.0) for name in read.names])
            sums = np.bincount(objects, numbers, minlength=len(nodes))
            of_known, total = known[nodes], totals[nodes]
            with np.errstate(invalid="ignore"):
                weighted = np.bincount(objects, numbers * weights[codes], minlength=len(nodes))
                allowed = 1e-6 * np.maximum(1, np.abs(total))
                n_sums += int(np.count_nonzero(of_known & (np.abs(sums - total) <= allowed)))
                n_weighted += int(np.count_nonzero(of_known & (np.abs(weighted - total) <= allowed)))
    names = sorted(first, key=first.__getitem__)
    named = [name for name in names if name in stated]
    are_raw = lists or (bool(named) and not n_sums > n_weighted)
    if are_raw:
        check_table("factors", n_nodes, len(names), n_terms)
    return Factors(tuple(names), {name: stated[name] for name in named}, are_raw, tuple(listed))
