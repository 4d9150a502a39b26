"""The form of documents whose nodes name one another: rows, maps from id to row, nodes and edges."""

from __future__ import annotations

from collections.abc import Mapping

from plyscope.visualizer.formats.foreign.find.found import Found
from plyscope.visualizer.formats.foreign.find.graphs import EDGES, LISTS_OF_EDGES, SUBGRAPHS
from plyscope.visualizer.formats.foreign.find.rows import ENDS
from plyscope.visualizer.formats.foreign.forms.tree_form import NUMBERS, TEXTS, TreeForm
from plyscope.visualizer.formats.tape.form import DOCUMENT, ITEM, OTHER, SCALARS, TOP, WITHIN
from plyscope.visualizer.formats.tape.kinds import FALSE, LIST, OBJECT, WHOLE


class LinkedForm(TreeForm):
    """The form of a document whose nodes name one another."""

    is_in_order = False

    def __init__(self, found: Found, taken: Mapping[str, str], *, flat: bool = True) -> None:
        super().__init__(found, taken, flat=flat)
        form = self.form
        self.node = form.role("node", makes_node=True)
        self.node_by_key = form.role("node under its name", makes_node=True, is_wanted=True)
        self.bare = form.role("bare node", makes_node=True, is_wanted=True)
        self.inner = form.role("what is told of a node")
        self.id = form.role("id", is_wanted=True, extra=TOP, member=TOP)
        self.ref = form.role("name of another node", is_wanted=True)
        self.source = form.role("source", is_wanted=True)
        self.target = form.role("target", is_wanted=True)
        self.link = form.role("link", makes_link=True)
        self.bare_link = form.role("bare link", makes_link=True, is_wanted=True)
        self.of_link = form.role("field of a link", extra=TOP)
        self.in_link = form.role("in a field of a link", extra=WITHIN)
        self._inside([self.of_link, self.in_link], self.in_link)
        self.list_of_links = form.role("links of a node", makes_link=True, is_wanted=True)
        self.list_of_edges = form.role("edges", is_wanted=True)
        self.directed = form.role("whether edges have a direction", is_wanted=True)
        self.n_subgraphs = form.role("number of subgraphs", is_wanted=True)
        for holder in (self.node, self.node_by_key, self.inner):
            self.add_fields(holder)
            if found.id and found.id not in self.taken_for:
                form.step(holder, found.id, self.id, SCALARS)
        if found.in_data:
            form.step(self.node, "data", self.inner, [OBJECT])
        getattr(self, f"_build_{found.kind}")()

    @property
    def id_roles(self) -> list[int]:
        """The roles of the values that are ids of nodes."""
        if self.found.is_map or not self.found.id:
            return []
        return [self.scalars[self.found.id]] if self.found.id in self.taken_for else [self.id]

    def _rows(self) -> None:
        """Add the steps to rows in a list, in a map by their ids, or in lines."""
        form, found = self.form, self.found
        if found.in_lines:
            self.nodes = DOCUMENT
            form.step(self.nodes, ITEM, self.node, [OBJECT])
        elif found.is_map:
            self.nodes = self.lead(found.way, kinds=[OBJECT])
            form.step(self.nodes, OTHER, self.node_by_key, [OBJECT])
        else:
            self.nodes = self.lead(found.way, kinds=[LIST])
            form.step(self.nodes, ITEM, self.node, [OBJECT])

    def _build_parents(self) -> None:
        self._rows()
        for holder in (self.node, self.node_by_key):
            self.form.step(holder, self.found.children, self.ref)

    def _build_listed(self) -> None:
        self._rows()
        children = self.form.role("list of names")
        for holder in (self.node, self.node_by_key):
            self.form.step(holder, self.found.children, children)
        self.form.step(children, ITEM, self.bare_link)
        source, target = self.found.ends
        if target:
            self.form.step(children, ITEM, self.link, [OBJECT])
            self.form.step(self.link, OTHER, self.of_link)
            self.form.step(self.link, target, self.target)
        if source:
            self.form.step(self.link, source, self.source)

    _build_adjacencies = _build_listed

    def _build_map(self) -> None:
        """`{"A": ["B", "C"], "B": 3}` or `{"A": {"B": {}}}`."""
        form, found = self.form, self.found
        self.nodes = holder = self.lead(found.way, kinds=[OBJECT])
        lists = form.role("names of children", makes_node=True, is_wanted=True)
        maps = form.role("children by name", makes_node=True, is_wanted=True)
        self.by_name = (lists, maps)
        form.step(holder, OTHER, self.bare)
        form.step(holder, OTHER, lists, [LIST])
        form.step(holder, OTHER, maps, [OBJECT])
        form.step(lists, ITEM, self.bare_link)
        self.link_by_key = form.role("link by name", makes_link=True, is_wanted=True)
        form.step(maps, OTHER, self.link_by_key)
        form.step(self.link_by_key, OTHER, self.of_link)

    def _build_graph(self) -> None:
        """Add the steps to a list of nodes and one of edges."""
        form, found = self.form, self.found
        top = self.lead(found.way)
        form.step(top, "directed", self.directed, [FALSE])
        for name in found.inside:
            inner = form.role(f"way to {name}")
            form.step(top, name, inner)
            top = inner
        form.step(top, SUBGRAPHS, self.n_subgraphs, [WHOLE])
        if not found.nodes:
            self._flat_elements(top)
            return
        self.nodes = form.role("nodes")
        form.step(top, found.nodes, self.nodes, [LIST])
        if found.is_map:
            form.step(top, found.nodes, self.nodes, [OBJECT])
            form.step(self.nodes, OTHER, self.node_by_key, [OBJECT])
        form.step(self.nodes, ITEM, self.node, [OBJECT])
        form.step(self.nodes, ITEM, self.bare, [*NUMBERS, *TEXTS])
        adjacency, neighbour = form.role("adjacency"), form.role("neighbour", makes_link=True)
        for name in [found.edges] if found.edges else LISTS_OF_EDGES:
            form.step(top, name, self.list_of_edges if name in EDGES else adjacency, [LIST])
        form.step(adjacency, ITEM, self.list_of_links, [LIST])
        form.step(self.list_of_links, ITEM, neighbour, [OBJECT])
        form.step(neighbour, OTHER, self.of_link)
        form.step(neighbour, "id", self.target)
        form.step(self.list_of_edges, ITEM, self.link, [OBJECT])
        pair, second, third = (form.role("ends", makes_link=not at) for at in range(3))
        form.step(self.list_of_edges, ITEM, pair, [LIST])
        form.then(pair, second)
        form.then(second, third)
        form.step(pair, ITEM, self.source)
        form.step(second, ITEM, self.target)
        self._edge(self.link)
        if found.in_data:
            inner = form.role("data of a link")
            form.step(self.link, "data", inner, [OBJECT])
            self._edge(inner)

    def _flat_elements(self, top: int) -> None:
        """Add the steps to nodes and edges in one list: items that name both ends are edges."""
        form, found = self.form, self.found
        self.nodes = top
        form.step(top, ITEM, self.node, [OBJECT])
        for holder in (self.node, self.inner):
            form.step(holder, found.ends[0], self.source)
            form.step(holder, found.ends[1], self.target)

    def _edge(self, holder: int) -> None:
        form, found = self.form, self.found
        form.step(holder, OTHER, self.of_link)
        for source, target in [found.ends] if any(found.ends) else ENDS:
            form.step(holder, source, self.source)
            form.step(holder, target, self.target)
