"""Large trees of other people: found in the first part of a document, read whole by columns.

The tree is searched in the document's start. A kernel scans all of it with what was found, and the search is
made again in the document with that tree cut short, so that what lies around it counts too. Anything that is
not plainly regular is left to the patient reader.

It is longer than 300 lines because all that is held against the patient reader's finding stands here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import loaded
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.cut_path import with_open
from plyscope.visualizer.formats.duplicate_keys import may_have_duplicate_keys
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.columns import ColumnTeller
from plyscope.visualizer.formats.foreign.fields import plain
from plyscope.visualizer.formats.foreign.flat_elements import parted
from plyscope.visualizer.formats.foreign.graph_places import find_graph
from plyscope.visualizer.formats.foreign.graphs import EDGES, FORMS, NODES, graph_parts
from plyscope.visualizer.formats.foreign.linked_rows import (
    BY_CHILDREN,
    BY_PARENT,
    MAP_OF_CHILDREN,
    names_of_listed_children,
    names_of_parents,
    rows_of_map,
)
from plyscope.visualizer.formats.foreign.mapping import checked_mapping
from plyscope.visualizer.formats.foreign.outline import EVERY_OBJECT, NAMES, NESTED, RECORDS, Outline
from plyscope.visualizer.formats.foreign.places import places_in
from plyscope.visualizer.formats.foreign.reader import field_names, shape_of_tree
from plyscope.visualizer.formats.foreign.reading import Reading
from plyscope.visualizer.formats.foreign.sliced_graph import ELEMENTS, SlicedGraph
from plyscope.visualizer.formats.foreign.sliced_listing import SlicedListing
from plyscope.visualizer.formats.foreign.sliced_maps import SKETCH, SlicedMaps, sketched
from plyscope.visualizer.formats.foreign.sliced_outline import SlicedOutline, spellings
from plyscope.visualizer.formats.foreign.sliced_rows import SlicedRows
from plyscope.visualizer.formats.foreign.trunk import find_tree
from plyscope.visualizer.formats.large import json_places, member_names, scan_kernel
from plyscope.visualizer.formats.large.scan import Bytes, IrregularError, Source
from plyscope.visualizer.formats.sealing import sealed_log
from plyscope.visualizer.formats.tape.paths import step_to
from plyscope.visualizer.formats.values import Bad
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.seal import Sealed

Array = npt.NDArray[Any]
Progress = Callable[[float], None]

STARTS: Final = (2**17, 2**21, 2**24)
"""Bytes in which a tree is searched first."""
MOST_BYTES: Final = 2**25
"""A document that is larger with its tree cut short has more in it than one tree."""
STEP: Final = re.compile(r'\.([^.\[\]"…]+)|\["([^"\\…]+)"\]')
IN_LABEL: Final = re.compile(r"\[\d+\](?:\.|\[\")")
"""In the step to a child that a list holds as `{"its name": {the node}}`."""
SCANNED_PART: Final = 0.4
CLOSING: Final = b"]}"
BRACKETS: Final = 2
"""Of a list of children, and of one in it."""
BRACKETS_LABELLED: Final = 3
"""Of a list of children, of what names one, and of the node."""
WHITESPACE: Final = b" \t\r\n"
KINDS: Final = {NESTED: SlicedOutline, BY_PARENT: SlicedRows, BY_CHILDREN: SlicedListing}
"""What reads a tree of each form."""


def read_large_tree(
    data: Source,
    *,
    mapping: Mapping[str, str] | None = None,
    notices: Sequence[str] = (),
    on_progress: Progress = lambda part: None,
    compile_it: bool = True,
    arrived: Arrived = all_there,
    n_open_nodes: Callable[[str, int], int] | None = None,
    scratch: Path | None = None,
) -> Log | None:
    """The log that a large foreign document makes; None where the patient reader has to read it.

    `arrived` tells how much of it is there. `n_open_nodes` is for a document that was cut short and made
    whole: how many nodes were open at its end, by what holds the children and how deep the root lies. Without
    `compile_it` kernels run as Python.

    >>> log = read_large_tree(b'{"kids":[{"v":3,"kids":[{"v":3}]}]}', compile_it=False)
    >>> log.columns["parent"].tolist(), log.columns["score"].tolist()
    ([-1, 0, 1], [nan, 3.0, 3.0])
    """
    if not len(data):
        return None
    run = loaded if compile_it else lambda kernel: kernel
    slices = Bytes(data, run, arrived, scratch)
    try:
        slices.arrived(STARTS[0])
        if (elements := parted(slices, len(data))) is not None:
            slices.close()
            data = elements
            slices = Bytes(data, run, scratch=scratch)
        return _read(slices, data, mapping, notices, on_progress, n_open_nodes)
    except (IrregularError, LogError, Bad, orjson.JSONDecodeError, UnicodeDecodeError):
        return None
    finally:
        slices.close()


def _read(
    slices: Bytes,
    data: Source,
    mapping: Mapping[str, str] | None,
    notices: Sequence[str],
    on_progress: Progress,
    n_open_nodes: Callable[[str, int], int] | None,
) -> Log:
    told = checked_mapping(mapping or {})
    slices.arrived(STARTS[0])
    graph = find_graph(slices, data)
    if graph is not None:
        on_progress(SCANNED_PART)
        outline: SlicedOutline = _checked_graph(graph, told)
    else:
        outline = _tree(slices, data, told, on_progress)
    if n_open_nodes is not None and outline.children == EVERY_OBJECT:
        raise IrregularError  # which objects on the way to the cut are nodes is not seen by their fields
    reading = Reading(outline, told)
    on_progress((1 + SCANNED_PART) / 2)
    end, level = outline.ends
    buffers = ColumnTeller(reading, outline).tell()
    parents = outline.parents
    order = np.arange(len(parents), dtype=np.int64)
    log = sealed_log(
        reading.header(),
        buffers,
        parents,
        _fail_at,
        dict.fromkeys([*notices, *slices.notices(), *outline.notices, *reading.sentences()]),
        roots_need_iterations=False,
        sealed=Sealed(order, parents.astype(np.int32), end, level),
        foreign=(reading.mapping, shape_of_tree(outline, reading.fields), field_names(reading)),
    )
    if n_open_nodes is None or outline.form != NESTED:
        return log
    return with_open(log, _open_rows(outline, n_open_nodes(outline.children, outline.depth)))


def _open_rows(outline: SlicedOutline, n_open: int) -> list[int]:
    """So many of the nodes above the last one, and perhaps itself, the root first."""
    rows, row = [], outline.n_nodes - 1
    while row >= 0:
        rows.append(row)
        row = int(outline.parents[row])
    if not 0 < n_open <= len(rows):
        raise IrregularError
    return rows[::-1][:n_open]


def _tree(slices: Bytes, data: Source, told: Mapping[str, str], on_progress: Progress) -> SlicedOutline:
    """The tree of nodes in one another, or of rows that name their parents."""
    in_lines = data[:1] == b"{" and is_first_of_lines(data)
    further: Sequence[int] = STARTS[1:]
    try:
        first = _first_tree(slices, data, told, STARTS[:1], in_lines=in_lines)
    except IrregularError:
        first, further = None, ()
    if not in_lines and (first is None or _may_be_maps(first)):
        maps = _maps(slices, data, told)
        if maps is not None:
            return maps
    first = first or _first_tree(slices, data, told, further, in_lines=in_lines)
    if first is None:
        raise IrregularError
    keys, in_list = _way_to(first)
    if in_lines:
        if keys or first.form != BY_PARENT:
            raise IrregularError
        in_list = scan_kernel.LINES_OF_TREES
    begin = _position(slices, keys, in_list)
    ahead = _FoundAhead(slices, data, told)
    opened = _opened(first, told)
    if first.form == NESTED:
        outline = SlicedOutline(
            slices,
            begin,
            first.children,
            in_list=in_list,
            opened=opened,
            on_first_nodes=ahead.look,
            root_label=first.labels[0],
            is_labelled=first.labels[0] is not None or any(map(IN_LABEL.search, first.steps)),
        )
    else:
        outline = KINDS[first.form](slices, begin, first.children, in_list=in_list, opened=opened)
    slices.arrived(len(data))
    on_progress(SCANNED_PART)
    if in_lines and not are_one_a_line(data, len(outline.parents)):
        raise IrregularError
    if isinstance(outline, SlicedRows):
        rows = outline.first_rows()
        around = (b"[", b"]") if in_lines else (data[:begin], data[outline.end - bool(in_list) :])
        if sum(map(len, (rows, *around))) > MOST_BYTES:
            raise IrregularError
        cut = rows.join(around)
    else:
        cut = _cut_short(slices, data, begin, outline, in_list=in_list)
    found = ahead.found_in(cut)
    if found is None or (found.form, found.children) != (first.form, first.children):
        raise IrregularError
    if found.form == NESTED:
        _check_is_same(found, outline)
    if not in_lines and _way_to(found) != (keys, in_list):
        raise IrregularError
    of_graph = outline.said_of_graph() if isinstance(outline, SlicedGraph) else []
    outline.around, outline.notices = found.around, [*of_graph, *found.notices]
    outline.depth = len(keys) + in_list
    return outline


def _may_be_maps(first: Outline) -> bool:
    """Whether a tree in the start of a document holds children under an unusual name, and not in a list."""
    if first.children == EVERY_OBJECT:
        return True
    is_known = first.form != NESTED or plain(first.children) in NAMES
    return not is_known and not any(step.endswith("]") and step[-2].isdigit() for step in first.steps[1:2])


def _maps(slices: Bytes, data: Source, told: Mapping[str, str]) -> SlicedMaps | None:
    """The tree whose children are all objects in a node; None where a sketch of the document is another."""
    begin = int(slices.run(json_places.after_space)(slices.array, 0, False))
    if slices.array[begin] != json_places.OPEN_OBJECT:
        return None
    slices.arrived(len(data))
    end = int(slices.run(json_places.after_value)(slices.array, begin, False))
    if end < 0 or data[end:].strip(WHITESPACE):
        return None
    sketch = sketched(slices, begin, end, SKETCH, _closed)
    document = orjson.loads(sketch)
    if "plyscope" in document or graph_parts(document) or may_have_duplicate_keys(sketch, document):
        raise IrregularError
    found = _tree_in(document, told)
    if found is None or found.children != EVERY_OBJECT:
        return None
    if found.notices or found.parents.count(-1) != 1:
        raise IrregularError
    keys = _keys_of(found.steps[0][1:])
    root, around = document, document
    for key in keys:
        root, around = root[key], root
    is_pure = found.form != NESTED
    if len(keys) > 1 or (found.labels[0] is not None and len(around) > 1):
        raise IrregularError
    place = _position(slices, keys, 0)
    opened = _opened(found, told)
    if is_pure or any(plain(name) not in RECORDS for name in opened):
        opened = []
    outline = SlicedMaps(slices, place, found, root, is_pure=is_pure, opened=opened)
    outline.check_first(_closed, found.steps[0])
    outline.around = found.around
    around_text = data[begin:place] + b"{}" + data[outline.end : end]
    if keys:
        if len(around_text) > MOST_BYTES or may_have_duplicate_keys(around_text, orjson.loads(around_text)):
            raise IrregularError
        said = orjson.loads(around_text)
        outline.around = {} if len(said) == 1 else {key: said[key] for key in said if key != keys[0]}
    return outline


class _FoundAhead:
    """The tree that is found behind the first nodes of a document, looked for while the rest is scanned.

    It is the tree of the document cut short, where nothing but brackets follows in that one too.
    """

    def __init__(self, slices: Bytes, data: Source, told: Mapping[str, str]) -> None:
        self._slices, self._data, self._told = slices, data, told
        self._text = b""
        self._found: Outline | None = None

    def look(self, end: int) -> None:
        """Look in the document as far as `end`; what is wrong there is left to be found again."""
        text = _closed(self._slices, self._data[:end])
        try:
            self._found = self._tree_of(text) if text else None
        except (IrregularError, LogError, orjson.JSONDecodeError):
            return
        self._text = text

    def found_in(self, cut: bytes) -> Outline | None:
        """The tree in the document `cut` short; raises IrregularError, and what reading it raises."""
        start = self._text.rstrip(CLOSING)
        if self._text and cut.startswith(start):
            here, there = (text[len(start) :].translate(None, WHITESPACE) for text in (self._text, cut))
            if here == there:
                return self._found
        return self._tree_of(cut)

    def _tree_of(self, text: bytes) -> Outline | None:
        document = orjson.loads(text)
        is_ours = isinstance(document, dict) and "plyscope" in document
        if is_ours or graph_parts(document) or may_have_duplicate_keys(text, document):
            raise IrregularError
        return _tree_in(document, self._told)


def _checked_graph(graph: SlicedGraph, told: Mapping[str, str]) -> SlicedGraph:
    """A graph, if the patient reader finds the same in the document with most of it cut away."""
    cut = graph.cut_short()
    document = orjson.loads(cut)
    if may_have_duplicate_keys(cut, document):
        raise IrregularError
    if (isinstance(document, dict) and "plyscope" in document) or ELEMENTS in graph.keys_of_graph[:-1]:
        raise IrregularError
    found = _tree_in(document, told)
    if found is None or (found.form, found.children) != (graph.form, graph.children):
        raise IrregularError
    holder = document
    for key in graph.keys_of_graph:
        holder = holder[key]
    if isinstance(holder, dict):
        n_lists = [len(set(names) & set(holder)) for names in (NODES, (*EDGES, "adjacency"))]
        if n_lists != [1, 1] or ELEMENTS in holder:
            raise IrregularError
    path = "".join(map(step_to, graph.keys_of_graph))
    within = "[" if isinstance(holder, list) else next(step_to(name) for name in NODES if name in holder)
    if not found.steps[0].startswith(f"${path}{within}"):
        raise IrregularError  # the graph of another key
    graph.around, graph.notices = found.around, [*graph.said_of_graph(), *found.notices]
    return graph


def _tree_in(document: object, told: Mapping[str, str]) -> Outline | None:
    """The tree that the patient reader would find, if it is the one that it would find untold."""
    outline = find_tree(document)
    children = told.get("children")
    if children and (outline is None or outline.children != children):
        raise IrregularError
    return outline


def _check_is_same(found: Outline, outline: SlicedOutline) -> None:
    """Raise IrregularError where the first nodes are not those of the patient reader, or lie elsewhere."""
    n_found = found.n_nodes
    labels = found.labels
    if outline.has_labels:
        labels = [
            None if code < 0 else outline.labels[code] for code in outline.label_codes[:n_found].tolist()
        ]
    elif found.has_labels:
        raise IrregularError
    if found.parents != outline.parents[:n_found].tolist() or found.labels != labels:
        raise IrregularError


def is_first_of_lines(data: Source) -> bool:
    """Whether the first line is an object, and another line begins with one."""
    end = data.find(b"\n", 0, STARTS[0])
    if end < 0 or data[end + 1 : end + 2] != b"{":
        return False
    try:
        return isinstance(orjson.loads(data[:end]), dict)
    except orjson.JSONDecodeError:
        return False


def are_one_a_line(data: Source, n_objects: int) -> bool:
    """Whether each of so many objects has a line of its own."""
    array = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(array == json_places.NEWLINE)
    begins = ends[ends < len(array) - 1] + 1
    return len(begins) + 1 == n_objects and bool((array[begins] == json_places.OPEN_OBJECT).all())


def _first_tree(
    slices: Bytes, data: Source, told: Mapping[str, str], sizes: Sequence[int], *, in_lines: bool
) -> Outline | None:
    """The tree that is found in the start of the document, of one of these sizes; None where none is.

    Raises IrregularError where more of the document does not change that none of a large form is found.
    """
    for size in sizes:
        slices.arrived(size)
        if in_lines:
            start = b"[" + b",".join(data[:size].split(b"\n")[: -1 if size < len(data) else None]) + b"]"
            start = start.replace(b",]", b"]")
        else:
            start = _closed(slices, data[:size]) if size < len(data) else data[:]
        document = orjson.loads(start) if start else None
        is_refused = False
        try:
            outline = _tree_in(document, told) if start else None
        except LogError:  # such as a parent that stands further on
            outline, is_refused = None, True
        if outline is not None and outline.form == NESTED and not _has_objects_below(outline):
            outline = _table_in(document) or outline  # whose rows list ids of rows further on
        if outline is not None and outline.form in KINDS and outline.n_nodes > 1:
            return outline
        is_of_links = outline is not None and outline.form in (*FORMS, MAP_OF_CHILDREN)
        if not is_of_links and (outline := _table_in(document)) is not None:
            return outline
        if is_of_links or is_refused:
            raise IrregularError  # which more of the document does not change
        if size >= len(data):
            break
    return None


def _has_objects_below(outline: Outline) -> bool:
    """Whether a child is an object with fields, and not only a text or a number."""
    return any(node for node, parent in zip(outline.nodes, outline.parents, strict=True) if parent >= 0)


def _table_in(document: object) -> Outline | None:
    """A stand-in for the tree of the first table whose rows may name parents or children further on."""
    for place in places_in(document):
        for form, names_in in ((BY_PARENT, names_of_parents), (BY_CHILDREN, names_of_listed_children)):
            if names := names_in(place.value):
                outline = Outline(form, names[0])
                outline.add({}, -1, None, f"{place.path}[0]")
                return outline
    for place in places_in(document):
        if isinstance(place.value, dict) and all(isinstance(row, dict) for row in place.value.values()):
            rows = rows_of_map(place.value)
            for form, names_in in ((BY_CHILDREN, names_of_listed_children), (BY_PARENT, names_of_parents)):
                if names := names_in(rows):
                    outline = Outline(form, names[0], map_at=place.path)
                    outline.add({}, -1, None, place.path)
                    return outline
    return None


def _opened(first: Outline, told: Mapping[str, str]) -> list[str]:
    """The fields in whose objects fields lie that will be taken, as far as the first nodes tell."""
    try:
        taken = Reading(first, told).mapping.values()
    except LogError:
        return []
    paths = [path.partition(".") for each in taken for path in each.split("|")]
    names = dict.fromkeys(outer for outer, dot, _ in paths if dot and len(outer) <= member_names.LONGEST_NAME)
    return list(names)[: member_names.MOST_OPENED]


def _closed(
    slices: Bytes, text: bytes, late: Sequence[bytes] = (), in_list: int = 0, n_brackets: int = BRACKETS
) -> bytes:
    """A document's start, cut at its last comma and closed; empty where it has none.

    `late` are members that each open node gets in the end, outermost first. One of `n_brackets` is a node's.
    """
    array = np.frombuffer(text, dtype=np.uint8)
    opened, found = np.zeros(2**17, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    comma = slices.run(json_places.last_comma)(array, len(array), opened, found)
    if comma <= 0 or slices.run(json_places.last_comma)(array, comma, opened, found) < 0:
        return b""
    brackets = opened[: found[0]].tobytes().translate(bytes.maketrans(b"[{", b"]}"))
    ends = [brackets[at : at + 1] for at in range(len(brackets))]
    for at, members in zip(range(in_list, len(ends), n_brackets), late, strict=False):
        ends[at] = members + ends[at]
    return text[:comma] + b"".join(reversed(ends))


def _way_to(outline: Outline) -> tuple[list[str], int]:
    """The keys that lead to the tree, and whether its roots or rows lie there in a list or a map."""
    if outline.children in ("", EVERY_OBJECT):
        raise IrregularError
    if outline.map_at is not None:
        return _keys_of(outline.map_at[1:]), scan_kernel.MAP_OF_TREES
    steps = [step for step, parent in zip(outline.steps, outline.parents, strict=True) if parent < 0]
    in_list = int(steps[0].endswith("]") and not steps[0].endswith('"]'))
    way = steps[0][1:]
    if outline.form != NESTED:
        if not in_list:
            raise IrregularError
        way = way[: way.rindex("[")]
    elif in_list:
        way = way.removesuffix("[0]")
        if steps != [f"${way}[{at}]" for at in range(len(steps))]:
            raise IrregularError
    labelled = [label for parent, label in zip(outline.parents, outline.labels, strict=True) if parent < 0]
    if (len(steps) > 1 and not in_list) or (in_list and any(label is not None for label in labelled)):
        raise IrregularError
    return _keys_of(way), in_list


def _keys_of(way: str) -> list[str]:
    """The keys that a path goes through. Raises IrregularError where it goes through items of lists."""
    if STEP.sub("", way):
        raise IrregularError
    return [match[1] or match[2] for match in STEP.finditer(way)]


def _position(slices: Bytes, keys: Sequence[str], in_list: int) -> int:
    """The place of the root, or behind the bracket of the list of roots."""
    after_space = slices.run(json_places.after_space)
    pos = int(after_space(slices.array, 0, False))
    for key in keys:
        names = (np.frombuffer(spelled, dtype=np.uint8) for spelled in dict.fromkeys(spellings(key)))
        places = [int(slices.run(json_places.member_at)(slices.array, pos, name)) for name in names]
        pos = max(places)
        if pos < 0:
            raise IrregularError
    if in_list == scan_kernel.LIST_OF_TREES:
        if slices.array[pos] != json_places.OPEN_LIST:
            raise IrregularError
        pos += 1
    elif in_list == scan_kernel.MAP_OF_TREES:
        if slices.array[pos] != json_places.OPEN_OBJECT:
            raise IrregularError
        pos += 1
    return pos


def _cut_short(slices: Bytes, data: Source, begin: int, outline: SlicedOutline, *, in_list: int) -> bytes:
    """The document with only the first nodes of the tree."""
    before, after = data[:begin], data[outline.end - in_list :]
    if len(before) + len(after) + outline.first_nodes_end - begin > MOST_BYTES:
        raise IrregularError
    if outline.first_nodes_end >= outline.end - 1:
        return data[:]
    tree = data[begin : outline.first_nodes_end]
    late = outline.late_members()
    if sum(map(len, late)) > MOST_BYTES:
        raise IrregularError
    closed = _closed(
        slices,
        b"[" + tree if in_list else tree,
        late,
        in_list,
        BRACKETS_LABELLED if outline.is_labelled else BRACKETS,
    )
    if not closed:
        raise IrregularError
    return before + (closed[1:-1] if in_list else closed) + after


def _fail_at(number: int, message: str, field: str = "") -> NoReturn:
    raise IrregularError
