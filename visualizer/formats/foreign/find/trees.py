"""Finding the tree in a foreign document: its root, and the field or form that holds the children."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.foreign.find.found import Found, Probe
from plyscope.visualizer.formats.foreign.find.graphs import (
    found_graph,
    found_jit_graph,
    is_jit_graph,
)
from plyscope.visualizer.formats.foreign.find.inner_objects import (
    SIDES,
    are_columns,
    has_replies_beside,
    have_sides,
    is_pure,
    repeat_a_side,
    share_a_score,
    shared_names,
)
from plyscope.visualizer.formats.foreign.find.places import MAX_ITEMS, TREES, Place, around_of, places_in
from plyscope.visualizer.formats.foreign.find.probe import (
    EVERY_OBJECT,
    NAMES,
    NESTED,
    RECORDS,
    SURE_NAMES,
    Branching,
    Grown,
    named_node,
)
from plyscope.visualizer.formats.foreign.find.rows import found_edges, found_rows
from plyscope.visualizer.formats.foreign.find.ways import find_ways
from plyscope.visualizer.formats.foreign.forms.lists import found_lists
from plyscope.visualizer.formats.foreign.meaning.fields import last_name, number, plain
from plyscope.visualizer.formats.foreign.meaning.names import SCORES, VISITS
from plyscope.visualizer.formats.foreign.sentences import listed
from plyscope.visualizer.formats.tape.paths import step_to

LOOKED_AT: Final = 300
"""The values beside a tree that are tried first; all others are tried if most of these are trees."""
FINDERS: Final = (found_lists,)
"""Functions that return the description of the tree at a place, or None."""
MAPS_IN_MAPS: Final = "maps in maps"
NO_NAME: Final = "\0none"
"""Stands for the name of the field with the children, where there is none."""


def find_tree(document: object, children: str | None = None, *, is_cut: bool = False) -> Probe | None:
    """The probe of the first tree in a document, outermost first; None where nothing is one.

    `children` is the field with the children, if a person named it. Where the document `is_cut`, rows may
    name others that are missing.

    >>> find_tree({"best": "c6", "tree": {"kids": [{"kids": None}]}}).found.children
    'kids'
    >>> find_tree({"name": "left-pad", "version": "1.3.0"}) is None
    True
    """
    if children:
        trees = (
            _with_its_like(place, _nested(place, told), lambda value: _told(value, children))
            for place in places_in(document)
            if (told := _told(place.value, children))
        )
        probe = next(trees, None)
    else:
        probe = _first(document, is_cut=is_cut) or _by_finders(document) or _single(document)
    if probe is not None:
        probe.around = around_of(document, probe.found)
    return probe


def _by_finders(document: object) -> Probe | None:
    for find in FINDERS:
        for place in places_in(document):
            if (found := find(place)) is not None:
                return _found_at(place, found)
    return None


def _first(document: object, *, is_cut: bool = False) -> Probe | None:
    """The first tree; raises LogError where its list holds further trees, which would be left out."""
    is_of_maps = _holds_replies(document)
    for grown_at in (partial(_linked_or_grown, is_cut=is_cut), _inside):
        for place in places_in(document):
            if grown_at is _inside and place.depth and last_name(place.path) not in TREES:
                continue
            if is_of_maps and place.depth and not any(plain(key) in NAMES for key in place.value):
                continue  # a ply that recurs in maps of plies
            probe = grown_at(place)
            if probe is None:
                continue
            _check_is_the_only_one(place)
            return _with_its_like(place, probe, lambda value: guess_branching(_objects(value)))
    return None


def _holds_replies(document: object) -> bool:
    """Whether a document is nothing but maps in maps, with two replies or more at its root."""
    while isinstance(document, dict) and len(document) == 1:
        (document,) = document.values()
    return isinstance(document, dict) and has_replies_beside(document, "") and is_pure(document)


def _with_its_like(place: Place, probe: Probe, branching_of: Callable[[Any], Branching | None]) -> Probe:
    """The tree with those beside it, as in `{"game1": {…}, "game2": {…}}`: each is a root.

    Other fields beside a wrapped tree go to its root. Raises LogError where a tree beside it holds its
    children in another way, unless this one has a name such as `root`: then it alone is read, with a notice.
    """
    inner: list[str] = []
    at: Place | None = place
    while at is not None and (holder := at.holder) is not None:
        beside = [key for key in holder.value if key != at.key]
        others = [key for key in beside[:LOOKED_AT] if _holds_a_tree(holder.value[key], branching_of)]
        if 2 * len(others) > LOOKED_AT:
            others += [key for key in beside[LOOKED_AT:] if _holds_a_tree(holder.value[key], branching_of)]
        if others and plain(at.key) in TREES and not any(plain(key) in TREES for key in others):
            named = listed([holder.path + step_to(key) for key in others])
            probe.notices.append(f"Trees beside the one at {place.path} were left out: {named}.")
        elif others:
            keys = [key for key in holder.value if key in (at.key, *others)]
            values = {key: _wrapped_in(holder.value[key], inner) for key in keys}
            branching = branching_of(place.value)
            alike = all(
                isinstance(value, dict) and branching_of(value) == branching for value in values.values()
            )
            if branching is None or not alike or place.among is not None:
                raise LogError(
                    f"found trees under {listed(keys)}, expected one tree, or trees that keep "
                    "their children in the same way",
                    path=holder.path,
                )
            probe = _nested(Place([*values.values()], holder.way), branching)
            probe.found = replace(probe.found, is_list=False, wrapped=tuple(inner), trees=tuple(keys))
            return probe
        inner.insert(0, at.key)
        at = holder
    return probe


def _holds_a_tree(value: object, branching_of: Callable[[Any], Branching | None]) -> bool:
    if not isinstance(value, dict | list) or not value:
        return False
    return any(branching_of(place.value) or _linked_or_grown(place) for place in places_in(value))


def _wrapped_in(value: Any, keys: Sequence[str]) -> Any:
    """The value under these nested keys; None if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _linked_or_grown(place: Place, *, is_cut: bool = False) -> Probe | None:
    branching = guess_branching(_objects(place.value))
    if (linked := _linked(place, branching, is_cut=is_cut)) is not None:
        return linked
    return _nested(place, branching) if branching else _named_root(place)


def guess_branching(roots: Sequence[Mapping[str, Any]]) -> Branching | None:
    """The field in which these roots and the nodes below hold their children, None where there is none.

    A field with a usual name needs one child; any other needs children of children, or children with all
    fields of their parent and a score, since a list of objects alone may be anything.

    >>> guess_branching([{"pv": [{"ply": "c6"}], "zuege": [{"zuege": [{"zuege": []}]}]}])
    Branching(key='zuege', labelled=False, pure=False, within=(), further=())
    """
    found: list[Branching] = []
    grown = cache(lambda branching: Grown(roots, branching))
    is_of_maps = cache(lambda: is_pure(roots[0]))
    for key in dict.fromkeys(key for root in roots[:100] for key in list(root)[:300]):
        name = plain(key)
        if (name in RECORDS and name not in NAMES) or name == "adjacencies":
            continue
        if any(name in pair for pair in SIDES) and have_sides(roots[0]):
            continue
        if name not in NAMES and is_of_maps() and has_replies_beside(roots[0], key):
            continue
        branching = _tried(roots, key)
        if branching is None:
            continue
        if name in SURE_NAMES or _may_be_children(roots, branching, grown(branching)):
            found.append(branching)

    def rating(branching: Branching) -> tuple[bool, int, int]:
        below, name = grown(branching), plain(branching.key)
        known = len(NAMES) - NAMES.index(name) if name in NAMES else 0
        return max(below.levels) >= 2, known, len(below.nodes)

    return max(found, key=rating) if len(found) > 1 else next(iter(found), None)


def _may_be_children(roots: Sequence[Mapping[str, Any]], branching: Branching, below: Grown) -> bool:
    """Whether a field may hold children by the nodes that it leads to, be its name what it may."""
    key, is_known = branching.key, plain(branching.key) in NAMES
    if not is_known and not below.in_containers:
        return False
    is_far = len(branching.within) > 1 or bool(branching.further)
    if not is_known and is_far and not _are_searched(below):
        return False
    may_be_flat = is_known or _are_like(roots[0], key, below)
    return max(below.levels) >= 2 or (may_be_flat and _look_searched(roots, key, below))


def _tried(roots: Sequence[Mapping[str, Any]], key: str) -> Branching | None:
    """The branching by `key`, None where none of the roots has a child there."""
    plain_ = Branching(key)
    children = [child for root in roots for child in plain_.children(root)]
    if not any(isinstance(child, dict) for child in children):
        return plain_ if children and plain(key) in SURE_NAMES else None
    labelled = any(
        key in inner or "data" in inner for child in children if (inner := named_node(child, key)) is not None
    )
    return Branching(key, labelled) if labelled else Branching(key, False, False, *find_ways(children, key))


def _look_searched(roots: Sequence[Mapping[str, Any]], key: str, grown: Grown) -> bool:
    """Whether nodes below the roots have a score, and are no table whose rows name one another."""
    return not any(found_rows(root.get(key)) for root in roots) and _are_searched(grown, SCORES)


def _are_like(root: Mapping[str, Any], key: str, grown: Grown) -> bool:
    """Whether nodes below a root have all its own fields, of which there are two or more."""
    own = root.keys() - {key}
    return len(own) >= 2 and all(own <= node.keys() for node in grown.below())


def _are_searched(grown: Grown, names: Sequence[str] = (*SCORES, *VISITS)) -> bool:
    """Whether nodes below the roots have a number under one of these names."""
    return any(
        plain(name) in names and number(value) is not None
        for node in grown.below()
        for name, value in node.items()
    )


def _check_is_the_only_one(place: Place) -> None:
    if place.among is None:
        return
    items, index = place.among
    if place.holder is not None and plain(place.key) in SURE_NAMES:
        _check_children(items, place.holder.path + step_to(place.key))
    for other, item in enumerate(items[:MAX_ITEMS]):
        if other != index and isinstance(item, dict | list) and _first(item) is not None:
            message = (
                f"found trees in items {index} and {other} of one list, expected one tree, a list of trees, "
                "or a list of objects that each hold theirs under the same key"
            )
            raise LogError(message, path=place.path)


def _check_children(items: Sequence[Any], path: str) -> None:
    """Raise LogError where one of the children is no node: else another would be taken for the whole tree."""
    for index, item in enumerate(items):
        if item is not None and Branching(NAMES[0]).child(item) is None:
            message = f"found {shown(item)} among the children, expected objects, each a node"
            raise LogError(message, path=f"{path}[{index}]")


def _objects(value: object) -> list[Mapping[str, Any]]:
    """The objects that may be roots: the value itself, or the items of a list."""
    if isinstance(value, dict):
        return [value]
    if isinstance(value, list):
        roots: list[Mapping[str, Any]] = [item for item in value if isinstance(item, dict)]
        return roots if len(roots) == len([item for item in value if item is not None]) else []
    return []


def _told(value: object, children: str) -> Branching | None:
    """The branching by the field that a person named, if a value has children in it."""
    roots = _objects(value)
    if children == EVERY_OBJECT:
        if not roots:
            return None
        return Branching(EVERY_OBJECT, pure=not share_a_score(roots[0]) and is_pure(roots[0]))
    for root in roots:
        for holder in filter(None, (root, named_node(root, children))):
            if Branching(children).found(holder, children):
                tried = _tried([holder], children)
                labelled = bool(tried and tried.labelled) or holder is not root
                return replace(tried, labelled=labelled) if tried else Branching(children, labelled)
    return None


def _linked(place: Place, branching: Branching | None, *, is_cut: bool) -> Probe | None:
    """The tree of nodes that name one another, unless they are nested."""
    if is_jit_graph(place.value):
        return _found_at(place, found_jit_graph(place.value, place.path))
    found = found_graph(place.value, place.path, is_cut=is_cut) or found_edges(place.value, is_cut=is_cut)
    if found is None and (branching is None or _holds_no_object(place.value, branching)):
        found = found_rows(place.value, is_cut=is_cut)
    return None if found is None else _found_at(place, found)


def _found_at(place: Place, found: Found) -> Probe:
    return Probe(replace(found, way=place.way))


def _holds_no_object(rows: object, branching: Branching) -> bool:
    """Whether the children of listed objects are no objects, but numbers or names of rows."""
    return isinstance(rows, list) and not any(
        isinstance(child, dict)
        for row in rows
        if isinstance(row, dict)
        for child in branching.found(row, branching.key) or ()
    )


def _nested(place: Place, branching: Branching) -> Probe:
    """The nested tree at a place, or the trees where it is a list."""
    roots = place.value if isinstance(place.value, list) else [place.value]
    roots = [root for root in roots if isinstance(root, dict)]
    grown = Grown(roots if branching.key != EVERY_OBJECT else (), branching)
    found = Found(
        NESTED,
        branching.key,
        branching=branching,
        is_list=isinstance(place.value, list),
        wrapped=place.wrapped,
        is_named=branching.labelled and any(named_node(root, branching.key) is not None for root in roots),
        has_single=bool(grown.has_single),
        has_node_first=bool(grown.has_node_first),
    )
    return replace(_found_at(place, found), is_flat=max(grown.levels, default=0) < 2)


def _named_root(place: Place) -> Probe | None:
    """A tree whose nodes are each `{"its name": {"children": […]}}`."""
    root = named_node(place.value)
    branching = guess_branching([root]) if root is not None else None
    if root is None or branching is None or not (branching.labelled or _names_only(root.get(branching.key))):
        return None
    labelled = Branching(branching.key, labelled=True)
    return _found_at(place, Found(NESTED, branching.key, branching=labelled, is_named=True))


def _names_only(children: object) -> bool:
    return isinstance(children, list) and all(isinstance(child, str) for child in children)


def _inside(place: Place) -> Probe | None:
    """A tree whose nodes have their children as fields: `left` and `right`, or maps in maps."""
    root = place.value
    is_named = isinstance(root, dict) and len(root) == 1 and not place.depth
    if is_named:
        root = named_node(root)
    if not isinstance(root, dict):
        return None
    pure = not place.depth and not share_a_score(root) and is_pure(root)
    if not pure and not share_a_score(root) and not repeat_a_side(root) and not have_sides(root):
        return None
    inner_names = shared_names(root) if pure else []
    if inner_names and are_columns(inner_names):
        return None
    form = MAPS_IN_MAPS if pure else NESTED
    branching = Branching(EVERY_OBJECT, pure=pure)
    probe = _found_at(place, Found(form, EVERY_OBJECT, branching=branching, is_named=is_named))
    if inner_names:
        probe.notices.append(
            f"Every entry has the same names ({', '.join(inner_names[:4])}): taken for replies. "
            "If this is a table, it has no tree in it."
        )
    return probe


def _single(document: object) -> Probe | None:
    """A tree of one node: one object without children, if it has a score."""
    roots = _objects(document)
    if len(roots) != 1:
        return None
    scored = any(plain(name) in SCORES and number(value) is not None for name, value in roots[0].items())
    if not scored:
        return None
    return Probe(Found("one node", "", (), Branching(NO_NAME), is_list=isinstance(document, list)))
