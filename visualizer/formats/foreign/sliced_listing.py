"""A large table whose rows list the ids of their children, laid out without an object a row."""

from __future__ import annotations

from plyscope.visualizer.formats.foreign.linked_rows import BY_CHILDREN
from plyscope.visualizer.formats.foreign.sliced_graph import SlicedGraph
from plyscope.visualizer.formats.foreign.sliced_links import Ids, Links
from plyscope.visualizer.formats.foreign.sliced_rows import MANY_ROWS, SlicedRows
from plyscope.visualizer.formats.large.scan import IrregularError
from plyscope.visualizer.formats.large.sorted_records import Values


class SlicedListing(SlicedGraph):
    """The rows of a large table that list the ids of their children, in pre-order; `key` is the field."""

    def _form(self, links: int) -> str:
        return BY_CHILDREN

    def _ids(self) -> Values:
        return SlicedRows._ids(self)

    def _links(self, ids: Ids) -> Links:
        links = super()._links(ids)
        if links.names or ids.nowhere:
            raise IrregularError
        return links

    def _is_directed(self) -> bool:
        return True

    def first_rows(self) -> bytes:
        """Some of the rows as JSON, those at the start and all above them, with the children among them."""
        return self._first_lists(MANY_ROWS)[0]
