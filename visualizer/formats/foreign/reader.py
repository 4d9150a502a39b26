"""Anyone's tree: a parsed document that is no log of ours, taken for the search tree that it most likely is.

What holds the children is found first (`trunk`), then which field means what is guessed from names and values
(`foreign_reading`), and the nodes are told in the words of the native form (`foreign_nodes`). A mapping
corrects any guess.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial

from plyscope.visualizer.formats.cut_path import with_open
from plyscope.visualizer.formats.draft import Draft
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.fields import Field, collect
from plyscope.visualizer.formats.foreign.mapping import checked_mapping
from plyscope.visualizer.formats.foreign.nodes import Teller
from plyscope.visualizer.formats.foreign.outline import NESTED, Outline
from plyscope.visualizer.formats.foreign.reading import Reading
from plyscope.visualizer.formats.foreign.refusal import EXPECTED, looks_like
from plyscope.visualizer.formats.foreign.trunk import find_tree
from plyscope.visualizer.store.log import Log


def read_foreign(
    document: object,
    *,
    mapping: Mapping[str, str] | None = None,
    notices: Sequence[str] = (),
    open_at: str = "",
) -> Log:
    """The log that a foreign document makes; `notices` of what went before stand first in it.

    `open_at` is the JSON path at which the document was cut, empty where it is whole.

    `mapping` says which field is taken for what (`{"children": "nextMove", "score": "value"}`), an empty text
    for none; the rest is guessed. Raises LogError where the document is no tree, or a mapped field is
    not there.

    >>> log = read_foreign({"name": "root", "kids": [{"name": "c6", "value": 3}, {"name": "d6", "value": 5}]})
    >>> log.columns["parent"].tolist(), log.columns["score"].tolist(), dict(log.mapping)
    ([-1, 0, 0], [nan, 3.0, 5.0], {'children': 'kids', 'ply': 'name', 'score': 'value'})
    >>> read_foreign([3, 5, 9])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: $: this looks like a list of 3 numbers; expected a tree, ...
    """
    told = checked_mapping(mapping or {})
    children = told.get("children") or None
    guessed = outline = find_tree(document)
    if children and (guessed is None or guessed.children != children):
        outline = find_tree(document, children)
    if outline is None:
        raise LogError(_refusal(document, children), path="$")
    reading = Reading(outline, told)
    draft = Draft()
    for notice in (*notices, *outline.notices, *reading.sentences()):
        draft.notice(notice)
    teller = Teller(reading)
    for node, parent in enumerate(outline.parents):
        fields, extras = teller.node(node)
        draft.add(fields, None if parent < 0 else parent, partial(outline.path, node), extras)
    log = draft.seal(
        reading.header(),
        roots_need_iterations=False,
        mapping=reading.mapping,
        shape="" if guessed is None else _shape(guessed, reading.fields if guessed is outline else None),
        fields=tuple(dict.fromkeys([*reading.fields, *filter(None, [outline.children])])),
    )
    return with_open(log, _open_rows(outline, open_at)) if open_at and outline.form == NESTED else log


def _open_rows(outline: Outline, open_at: str) -> list[int]:
    """The nodes in which a cut lies: of the last one and those above it, the ones its path goes through."""
    down = []
    node = len(outline.nodes) - 1
    while node >= 0:
        down.append(node)
        node = outline.parents[node]
    rows: list[int] = []
    reached = 0
    for node in reversed(down):
        step = outline.steps[node]
        end = reached + len(step)
        if not open_at.startswith(step, reached) or open_at[end : end + 1] not in ("", ".", "["):
            break
        rows.append(node)
        reached = end
    return rows


def shape_of(document: object) -> str:
    """A digest of the names that the nodes of a foreign document share, empty where it is no tree.

    It does not depend on any mapping, so that a mapping can be remembered under it.

    >>> three, two, other = {"kids": [{"v": 1}, {"v": 3}]}, {"kids": [{"v": 2}]}, {"kids": [{"w": 2}]}
    >>> shape_of(three) == shape_of(two) != shape_of(other)
    True
    """
    outline = find_tree(document)
    return "" if outline is None else _shape(outline)


def _shape(outline: Outline, fields: Mapping[str, Field] | None = None) -> str:
    """A digest of the names on at least half of the nodes below the root; rarer ones come and go."""
    nodes = outline.nodes[1:] or outline.nodes
    n_nodes: dict[str, int] = {}
    for node in nodes:
        for name in node:
            n_nodes[name] = n_nodes.get(name, 0) + 1
    paths = fields or collect(outline.nodes)
    shared = [path for path in paths if 2 * n_nodes.get(path.partition(".")[0], 0) >= len(nodes)]
    text = "\n".join([outline.form, outline.children, *sorted(shared)])
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _refusal(document: object, children: str | None) -> str:
    if children is None:
        return f"this looks like {looks_like(document)}; {EXPECTED}"
    objects = document if isinstance(document, list) else [document]
    seen = list(dict.fromkeys(name for item in objects[:100] if isinstance(item, dict) for name in item))
    what = f"fields seen: {', '.join(seen[:30])}" if seen else f"this looks like {looks_like(document)}"
    return f'mapping: nothing holds nodes under "{children}"; {what}'
