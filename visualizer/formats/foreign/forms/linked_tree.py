"""Trees whose nodes name one another: tables of rows, maps from id to row, graphs of nodes and edges.

One pass gives the nodes, their names and the links between them; a walk along the links, breadth first, then
gives the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.foreign.collector import Collector
from plyscope.visualizer.formats.foreign.find.found import Found
from plyscope.visualizer.formats.foreign.find.graphs import ENDS, NOT_OF_EDGES
from plyscope.visualizer.formats.foreign.find.rows import NO_PARENT
from plyscope.visualizer.formats.foreign.forms.link_fields import LinkFields
from plyscope.visualizer.formats.foreign.forms.linked_form import LinkedForm
from plyscope.visualizer.formats.foreign.forms.links import Links
from plyscope.visualizer.formats.foreign.forms.node_names import UNKNOWN, Names, Register
from plyscope.visualizer.formats.foreign.sentences import LISTED, listed
from plyscope.visualizer.formats.foreign.tree import Distinct, Tree
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.tape.batch import Values
from plyscope.visualizer.formats.tape.extras import joined
from plyscope.visualizer.formats.tape.kinds import NULL, TEXT, WHOLE
from plyscope.visualizer.formats.tape.paths import step_to
from plyscope.visualizer.formats.tape.reading import TapeReading
from plyscope.visualizer.formats.tape.tape import Run
from plyscope.visualizer.formats.tape.texts import TextList, Texts, picked
from plyscope.visualizer.store.seal import Cycle, seal

Array = npt.NDArray[Any]

NOT_STATED: Final = -3
NODES_AT_ONCE: Final = 4_096
"""Nodes whose links outside the tree are listed together."""


class OddEdges(Exception):  # noqa: N818
    """Behind a head without edges these are in several lists, name ends in several ways, or never come."""


class LinkedTree:
    """Makes a tree of the nodes and links that one pass finds."""

    def __init__(self, form: LinkedForm, collector: Collector, reading: Any, *, is_part: bool) -> None:
        """`is_part`: the document goes on, so that missing nodes are no error."""
        self._is_part, self._is_cut = is_part, False
        self._form, self._collector, self._reading = form, collector, reading
        self.found: Found = form.found
        by_key = form.found.is_map or form.found.kind == "map"
        texts = reading.texts(with_names=by_key)
        self.ids, self.refs, self.sources, self.targets = (Names(texts) for _ in range(4))
        self._owners: list[Array] = []
        self._lists: list[Array] = []
        self._run: Run = reading.tape.run if isinstance(reading, TapeReading) else lambda kernel: kernel
        is_jit = form.found.kind == "adjacencies"
        left_out = () if is_jit else NOT_OF_EDGES
        with_labels = not is_jit and form.found.kind != "map"
        self._of_links = LinkFields(collector.tree, left_out, with_labels=with_labels)
        self._scores: list[tuple[list[int], list[Any]]] = []
        self._is_directed, self._n_subgraphs = form.found.is_directed, 0
        self._names_of_edges: set[int] = set()
        self._names_of_ends: set[int] = set()
        """The numbers of the names of lists of edges, and of ends, if the head has none; -1 of items."""
        for role in form.id_roles:
            collector.add(role, self.ids.put)
        collector.add(form.ref, self.refs.put)
        collector.add(form.source, self.sources.put)
        collector.add(form.target, self.targets.put)
        collector.add(form.directed, self._put_directed)
        collector.add(form.n_subgraphs, self._put_n_subgraphs)
        if form.found.is_begun:
            collector.add(form.list_of_edges, self._noting(self._names_of_edges))
            collector.add(form.source, self._noting(self._names_of_ends))
            collector.add(form.target, self._noting(self._names_of_ends))
        collector.add(form.bare_link, self.targets.put)
        collector.add(form.list_of_links, lambda values: self._lists.append(values.nodes))
        collector.add(form.node_by_key, self._called_by_key)
        collector.add(form.bare, self._put_bare)
        collector.divert({form.of_link: self._of_links})
        if form.found.kind == "map":
            for role in form.by_name:
                collector.add(role, self._called_by_key)
            collector.add(form.link_by_key, lambda values: self._names_of_keys(self.targets, values))

    def take(self) -> Tree:
        """Read the document and lay out its tree. Raises LogError."""
        for batch in self._reading.batches():
            self._owners.append(batch.owners)
            self._collector.take_batch(batch)
        self._reading.divert({})  # as large as the links
        tree = self._collector.finish()
        self._is_cut = tree.is_cut
        for each in (self.ids, self.refs, self.sources, self.targets):
            each.finish()
        tree.give_back_memory()
        is_flat = self.found.kind == "graph" and not self.found.nodes
        if tree.open_rows and self._lacks_a_name(tree.n_nodes - 1):
            tree.leave_out_last()
            number_of = np.append(np.arange(tree.n_nodes), -1)
            for each in (self.ids, self.refs, *(self.sources, self.targets) * is_flat):
                each.choose(number_of)
        if is_flat:
            self._part(tree)
        if self.found.is_begun and not self._is_part:
            self._check_names()
        tree.give_back_memory()
        if self._n_subgraphs:
            self._leave_out_first(tree, self._n_subgraphs)
        n_nodes = tree.n_nodes
        if self.found.kind == "parents":
            self._by_parents(tree)
            return tree
        self._lay_out(tree, self._links(n_nodes))
        return tree

    def _check_names(self) -> None:
        """Raise OddEdges where the edges do not have one list and one pair of names for their ends."""
        names = {self._reading.name(key) for key in self._names_of_ends if key >= 0}
        n_lists = len(self._names_of_edges) + bool(self._lists)
        lists_of_ends = [{*ends} for ends in ENDS]
        if self._lists:
            lists_of_ends = [{"id"} if self.found.id == "id" else set()]
        are_alike = n_lists == 1 and any(names <= ends for ends in lists_of_ends)
        if not len(self.targets.nodes) or (self.found.nodes and not are_alike):
            raise OddEdges

    def _noting(self, names: set[int]) -> Callable[[Values], None]:
        return lambda values: names.update((np.flatnonzero(np.bincount(values.keys() + 1)) - 1).tolist())

    def _put_directed(self, values: Values) -> None:
        self._is_directed = False

    def _put_n_subgraphs(self, values: Values) -> None:
        self._n_subgraphs = values.whole(0)

    def _lacks_a_name(self, node: int) -> bool:
        """Whether a node lacks its id, its parent in a table, or an end in a list that has edges too."""
        needed = [self.ids] * bool(self.found.id) + [self.refs] * (self.found.kind == "parents")
        if self.found.kind == "graph" and not self.found.nodes:
            needed = [self.sources, self.targets]
        return not all((each.nodes == node).any() for each in needed)

    def _part(self, tree: Tree) -> None:
        """Separate edges from nodes; all were taken as nodes."""
        ends = np.zeros((2, tree.n_nodes), np.bool_)
        ends[0, self.sources.nodes] = ends[1, self.targets.nodes] = True
        is_edge = ends[0] & ends[1]
        edges = np.flatnonzero(is_edge)
        link_of = np.full(tree.n_nodes, -1, np.int32)
        link_of[edges] = np.arange(len(edges))
        for names in (self.sources, self.targets):
            names.choose(link_of)
        said = tree.extras.taken_from(edges)
        for number, (outer, name) in enumerate(tree.extras.members):
            chosen = np.flatnonzero(said.members == number)
            texts = picked(self._run, said.text, said.begins, said.lengths, chosen)
            self._of_links.put(f"{outer}.{name}" if outer else name, link_of[said.nodes[chosen]], *texts)
        del said  # as large as the edges
        for path, column in tree.columns.items():
            of_edges = copy(column)
            of_edges.take(np.flatnonzero(is_edge[column.nodes]))
            distinct = Distinct(of_edges)
            begins, text = joined([json_bytes(value) for value in distinct.values])
            texts = picked(self._run, text, begins, np.diff(begins), distinct.codes)
            self._of_links.put(path, link_of[of_edges.nodes], *texts)
        self.ids.choose(tree.keep(np.flatnonzero(~is_edge)))
        self._owners = [np.full(len(edges), -1, np.int32)]

    def _leave_out_first(self, tree: Tree, n_first: int) -> None:
        """Leave out the subgraphs, which are listed before the nodes that they group."""
        n_first = min(n_first, tree.n_nodes)
        self.ids.choose(tree.keep(np.arange(n_first, tree.n_nodes)))
        tree.own_notices.append(f"{counted(n_first, 'subgraph')} left out, which only group nodes.")

    def _put_ids(self, tree: Tree) -> None:
        """Give nodes that have no id their key or their name as one."""
        found = self.found
        if found.is_map or found.nodes:
            name = "id" if found.is_map else found.id
            column = tree.columns.get(name)
            stated = tree.extras.nodes_with(name) if column is None else column.nodes
            lacking = np.ones(tree.n_nodes, np.bool_)
            lacking[stated[stated >= 0]] = False
            chosen = np.flatnonzero(lacking[self.ids.nodes])
            is_text = self.ids.kinds[chosen] == TEXT
            of_texts, of_numbers = chosen[is_text], chosen[~is_text]
            texts = TextList(self.ids.texts, self.ids.codes[of_texts])
            tree.put_fields("id", self.ids.nodes[of_texts], texts, is_first=True)
            numbers = self.ids.numbers[of_numbers].astype(np.int64).tolist()
            tree.put_fields("id", self.ids.nodes[of_numbers], numbers, is_first=True)
        for scored, values in self._scores:
            tree.put_fields("score", scored, values)

    def _may_be_places(self, n_nodes: int, ends: Sequence[Names]) -> bool:
        """Whether nodes may be named by their indices: rows without ids are, and nodes of a graph may be."""
        if self.found.kind != "graph":
            return not (self.found.id or self.found.is_map)
        n_places = np.inf if self._is_part or self._is_cut else n_nodes
        return any(len(each.nodes) for each in ends) and not any(
            ((each.kinds != WHOLE) | (each.numbers < 0) | (each.numbers >= n_places)).any() for each in ends
        )

    def _found(self, n_nodes: int, *others: Names) -> list[Array]:
        """By name the node that has it, or whose index it is, UNKNOWN where there is none.

        Raises LogError where two nodes have one name, or one has none.
        """
        may_be_places = self._may_be_places(n_nodes, others)
        if len(self.ids.nodes) or not may_be_places:
            register = Register(self.ids, others)
            if not may_be_places or any((found >= 0).any() for found in register.found):
                if not self._is_part:
                    self._check_ids(register, n_nodes)
                return register.found
        are_places = [(x.kinds == WHOLE) & (x.numbers >= 0) & (x.numbers < n_nodes) for x in others]
        return [
            np.where(is_place, names.numbers, UNKNOWN).astype(np.int32)
            for is_place, names in zip(are_places, others, strict=True)
        ]

    def _check_ids(self, register: Register, n_nodes: int) -> None:
        """Raise LogError where two nodes have one id, or one has none."""
        if (same := register.double()) is not None:
            name = self.ids.shown(int(np.flatnonzero(self.ids.nodes == same[1])[0]))
            message = f'id "{name}" is already the id of {self._step(same[0])}, expected every id once'
            raise LogError(message, path=self._step(same[1]))
        if len(self.ids.nodes) < n_nodes:
            lacking = np.ones(n_nodes, np.bool_)
            lacking[self.ids.nodes] = False
            message = "found a node without an id, expected every node to have one"
            raise LogError(message, path=self._step(int(np.argmax(lacking))))

    def _by_parents(self, tree: Tree) -> None:
        parents, n_orphans = self._parents_of_rows(tree.n_nodes)
        if n_orphans:
            is_one = n_orphans == 1
            rows, roots = ("1 row names", "a root") if is_one else (f"{n_orphans:,} rows name", "roots")
            tree.own_notices.append(f"{rows} a parent that is not there up to the cut: shown as {roots}.")
        self.refs = Names(self.ids.texts)  # as large as the rows
        try:
            sealed = seal(parents)
        except Cycle:
            self._refuse_circles(parents)
        del parents
        self._collector.sample(sealed.order)
        self._put_ids(tree)
        self.ids = Names(Texts())  # as large as the rows
        self._reading.forget_names(tree.names_of_terms())
        tree.hang(sealed)
        tree.move(sealed.order)

    def _parents_of_rows(self, n_nodes: int) -> tuple[Array, int]:
        """The row of each row's parent, -1 for a root, and the number of rows whose parent a cut left out.

        Raises LogError where a parent is no row of a whole document.
        """
        refs = self.refs
        (above,) = self._found(n_nodes, refs)
        is_none = ~np.isin(refs.kinds, (TEXT, WHOLE))
        for index in np.flatnonzero((above == UNKNOWN) & ~is_none).tolist():
            said = refs.shown(index)
            if self._is_part or said in NO_PARENT or (said == "0" and refs.nodes[index] == 0):
                above[index] = -1
            elif not self._is_cut:
                path = f"{self._step(int(refs.nodes[index]))}{step_to(self.found.children)}"
                raise LogError(f"the parent {shown(refs.value(index))} is no row of this table", path=path)
        is_orphan = (above == UNKNOWN) & ~is_none
        above[is_none | is_orphan | (above == refs.nodes)] = -1
        parents = np.full(n_nodes, -1, np.int32)
        parents[refs.nodes] = above
        return parents, int(np.count_nonzero(is_orphan))

    def _refuse_circles(self, parents: Array) -> NoReturn:
        jump = np.append(parents, -1)
        for _ in range(len(parents).bit_length() + 1):
            jump = jump[jump]  # pointer doubling
        at = jump[:-1]
        raise self._circle(np.flatnonzero(at >= 0))

    def _circle(self, missed: Array) -> LogError:
        told = self._names(missed[:LISTED])
        named = listed([*told, *[""] * (len(missed) - len(told))])
        return LogError(
            f"the links between {named} run in a circle, expected a tree: one node has no parent",
            path=self._step(int(missed[0])),
        )

    def _names(self, nodes: Array, nowhere: Sequence[str] = (), n_nodes: int = 0) -> list[str]:
        """The names of nodes; `nowhere` are those of the nodes that follow the `n_nodes` of the document."""
        ids, sought = self.ids.nodes, nodes.astype(np.int32)  # another type would copy the ids, in order
        places = ids.searchsorted(sought)
        is_named = ids.searchsorted(sought, "right") > places
        names = iter(self.ids.all_shown(places[is_named]))
        return [
            next(names) if has_id else nowhere[node - n_nodes] if nowhere and node >= n_nodes else str(node)
            for node, has_id in zip(nodes.tolist(), is_named.tolist(), strict=True)
        ]

    def _links(self, n_nodes: int) -> Links:
        """The links with the nodes at their ends; names that no node has get new nodes."""
        owners = np.concatenate([np.zeros(0, np.int32), *self._owners], dtype=np.int32)
        sources, targets = self.sources, self.targets
        stated, target = self._found(n_nodes, sources, targets)
        links = targets.nodes
        source = owners[links]
        if self._lists:
            lists = np.concatenate(self._lists)
            place_of = np.full(len(owners) + 1, -1, np.int32)
            place_of[lists] = np.arange(len(lists))
            source = place_of[source]
        source[source >= n_nodes] = -1  # the cut has left out the last node, or the nodes of the last lists
        nowhere: dict[str, int] = {}
        if len(sources.nodes):
            source_of = np.full(len(owners), NOT_STATED, np.int32)
            source_of[sources.nodes] = self._settled(sources, stated, nowhere, n_nodes)
            source = np.where(source_of[links] == NOT_STATED, source, source_of[links])
        target = self._settled(targets, target, nowhere, n_nodes)
        is_whole = (source >= 0) & (target >= 0)
        return Links(links[is_whole], source[is_whole], target[is_whole], list(nowhere))

    def _settled(self, names: Names, found: Array, nowhere: dict[str, int], n_nodes: int) -> Array:
        """The node of each name, with new nodes for names that no node has."""
        for index in np.flatnonzero(found < 0).tolist():
            if self._is_part:
                continue
            link = int(names.nodes[index])
            if self.found.kind == "listed" and not self.found.ends[1]:
                if self._is_cut:
                    continue
                raise self._no_child(link, shown(names.value(index)))
            if names.kinds[index] not in (TEXT, WHOLE):
                expected = "expected an id or an object with nodeTo"
                if self.found.kind == "graph":
                    expected = "expected the id of a node"
                raise LogError(f"found something else, {expected}", path=self._step(0))
            found[index] = n_nodes + nowhere.setdefault(names.shown(index), len(nowhere))
        return found

    def _no_child(self, link: int, said: str) -> LogError:
        owners = np.concatenate(self._owners)
        place = link - int(np.argmax(owners == owners[link]))
        path = f"{self._step(int(owners[link]))}{step_to(self.found.children)}[{place}]"
        return LogError(f"the child {said} is no row of this table", path=path)

    def _lay_out(self, tree: Tree, links: Links) -> None:
        """Lay the nodes out, breadth first along the links, and keep the fields of links."""
        self.sources = self.targets = Names(self.ids.texts)  # as large as the links
        n_nodes = tree.n_nodes + len(links.nowhere)
        is_directed = self._is_directed
        links = links.once(n_nodes, is_directed=is_directed)
        came_by, queue = links.walk(self._run, n_nodes, is_directed=is_directed)
        n_reached = len(queue)
        if links.nowhere and self.found.kind != "map":
            named = listed(links.nowhere)
            tree.own_notices.append(
                f"Edges lead to {named}, no node of the graph: an empty node stands for each."
            )
        if n_reached < n_nodes:
            missed = np.flatnonzero(came_by == -2)
            if is_directed and not self._is_part:
                raise self._circle(missed)
            first, *said = self._names(np.append(0, missed[: LISTED + 1]), links.nowhere, tree.n_nodes)
            said += [""] * (len(missed) - len(said))
            tree.own_notices.append(
                f"{counted(len(missed), 'node')} not connected with the first, "
                f'"{first}", left out: {listed(said)}.'
            )
        sealed = seal(links.parents(came_by, queue))
        order_of_nodes = queue[sealed.order]
        del queue
        self._collector.sample(order_of_nodes)
        self._put_ids(tree)
        tree.hang(sealed)
        n_known = tree.n_nodes_taken
        tree.move(order_of_nodes, n_nodes)
        row_of = np.full(n_nodes, -1, np.int32)
        row_of[order_of_nodes] = np.arange(n_reached)
        rows = [int(row_of[n_known + at]) for at in range(len(links.nowhere))]
        chosen = [at for at, row in enumerate(rows) if row >= 0]
        tree.samples |= {rows[at]: {} for at in chosen if len(tree.samples) == n_known}
        tree.samples = dict(sorted(tree.samples.items()))
        if chosen:
            tree.put_fields("id", [rows[at] for at in chosen], [links.nowhere[at] for at in chosen])
        del sealed, order_of_nodes
        self._keep_links(tree, row_of, came_by, links)

    def _keep_links(self, tree: Tree, row_of: Array, came_by: Array, links: Links) -> None:
        """Keep the fields of a link on its target, or on both ends where it is not in the tree."""
        numbers, source, target, nowhere = links
        reached = np.flatnonzero(came_by >= 0)
        in_tree = np.zeros(len(numbers), np.bool_)
        in_tree[came_by[reached]] = True
        row_of_link = np.full(sum(map(len, self._owners)), -1, np.int32)
        row_of_link[numbers[came_by[reached]]] = row_of[reached]
        tree.give_back_memory()
        self._of_links.settle(row_of_link)
        tree.give_back_memory()
        outside = np.flatnonzero(~in_tree & (row_of[source] >= 0))
        if not len(outside):
            return
        tree.own_notices.append(
            f"{counted(len(outside), 'edge')} outside the tree (a node is reached twice): "
            f'listed on their nodes under "{self.found.children or "children"}".'
        )
        self._list_links(tree, row_of, Links(numbers[outside], source[outside], target[outside], nowhere))

    def _list_links(self, tree: Tree, row_of: Array, links: Links) -> None:
        """List links on the nodes at both ends: there the other end, and at the source the fields, too."""
        ends = np.stack([links.source, links.target], axis=1).ravel()
        others = np.stack([links.target, links.source], axis=1).ravel()
        order = np.argsort(ends, kind="stable")
        order = order[(order % 2 == 0) | (ends[order] != others[order])]
        firsts = np.flatnonzero(np.diff(ends[order], prepend=-1))
        for some in np.split(order, firsts[NODES_AT_ONCE::NODES_AT_ONCE]):
            numbers = links.numbers[some // 2]
            of_links = self._of_links.of(numbers[some % 2 == 0])
            names = self._names(others[some], links.nowhere, len(row_of) - len(links.nowhere))
            told: dict[int, list[Any]] = {}
            rows = row_of[ends[some]].tolist()
            for at, row, link, name in zip(some.tolist(), rows, numbers.tolist(), names, strict=True):
                rest = {} if at % 2 else of_links.get(link, {})
                told.setdefault(row, []).append({"to": name, **rest} if rest else name)
            tree.put_fields(self.found.children or "children", list(told), list(told.values()))

    def _step(self, node: int) -> str:
        found = self.found
        path = "$" + "".join(f"[{each}]" if isinstance(each, int) else step_to(each) for each in found.way)
        if found.kind == "graph":
            path += "".join(step_to(each) for each in (*found.inside, found.nodes) if each)
        return path + (step_to(self._names(np.array([node]))[0]) if found.is_map else f"[{node}]")

    def _names_of_keys(self, names: Names, values: Values) -> None:
        names.put_codes(values.nodes, self._reading.codes_of_names(values.keys(), names.texts))

    def _called_by_key(self, values: Values) -> None:
        self._names_of_keys(self.ids, values)

    def _put_bare(self, values: Values) -> None:
        if self.found.kind == "map":
            self._called_by_key(values)
            told = values.where(values.kinds != NULL)
            self._scores.append((told.nodes.tolist(), [told.at(index) for index in range(len(told))]))
        else:
            self.ids.put(values)


def linked_tree(form: LinkedForm, collector: Collector, *, is_part: bool) -> Tree:
    """The tree of a document whose nodes name one another; missing nodes are no error if it `is_part`."""
    return LinkedTree(form, collector, collector.reading, is_part=is_part).take()
