"""Nodes in the API: pages of children, paths, details, boards, subtrees, and nodes that a text names."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.visualizer.analysis.nodes.best_children import Order
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.notes import rows_whose_text_has
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web import node_pages
from plyscope.visualizer.web.api import routes
from plyscope.visualizer.web.api.request_arguments import (
    MOST_BEST,
    MOST_CHILDREN,
    MOST_CHILDREN_IN_ALL,
    MOST_PATH,
    rows_argument,
    shelf_of_app,
)
from plyscope.visualizer.web.api.routes import Body, number
from plyscope.visualizer.web.node_pages import board_drawing

nodes = routes.Routes("nodes", __name__, url_prefix="/api/logs/<log_id>")

MOST_HITS: Final = 500
MOST_SUBTREE_BYTES: Final = 256 * 1024


@nodes.get("/nodes")
def several_nodes(
    tree: Tree,
    limit: int = number(12, most=MOST_CHILDREN),
    ids: list[int] = routes.rows(),
    best: int = number(most=MOST_BEST),
    order: Order = routes.order("best"),
) -> Body:
    """Several nodes, each with its first children."""
    return node_pages.Pages(tree).several(ids, limit, best, MOST_CHILDREN_IN_ALL, order)


@nodes.get("/nodes/<int:node_id>")
def one_node(
    tree: Tree,
    offset: int = number(),
    limit: int = number(30, most=MOST_CHILDREN),
    order: Order = routes.order("searched"),
    best: int = number(most=MOST_BEST),
    *,
    row: int,
) -> Body:
    """A node and one page of its children, in the order searched, or the best first by score or pre-score."""
    return node_pages.Pages(tree).one(row, offset, limit, best, order)


@nodes.get("/nodes/<int:node_id>/path")
def node_path(tree: Tree, row: int) -> Body:
    """The nodes from the root down to this one."""
    return node_pages.Pages(tree).path(row, MOST_PATH)


@nodes.get("/nodes/<int:node_id>/details")
def node_details(tree: Tree, row: int, boards: Boards) -> Body:
    """Everything that is known of one node."""
    return node_pages.details(tree, row, boards, MOST_PATH)


@nodes.get("/nodes/<int:node_id>/board")
def node_board(tree: Tree, row: int, boards: Boards) -> Body:
    """The position of a node as cells to draw, and where the plies searched there end."""
    return board_drawing(tree, row, boards)


@nodes.get("/nodes/<int:node_id>/subtree")
def node_subtree(
    tree: Tree,
    max_bytes: int = number(MOST_SUBTREE_BYTES, least=1000, most=MOST_SUBTREE_BYTES),
    ids: str = routes.text(),
    levels: int = number(3),
    *,
    row: int,
    boards: Boards,
) -> Body:
    """The shown part of a subtree as a log that loads again."""
    open_rows = set(rows_argument(tree, "ids")) if ids else None
    return node_pages.subtree(tree, row, open_rows, levels if open_rows is None else None, max_bytes, boards)


@nodes.get("/search")
def search(
    tree: Tree,
    entry: Entry,
    q: str = routes.text(),
    offset: int = number(),
    limit: int = number(50, most=MOST_HITS),
    start: int | None = routes.node(name="from"),
) -> Body:
    """Nodes that a text names, or whose notes have it."""
    hits = tree.find(q[:1000])
    if q.strip() and (notes := shelf_of_app().notes(entry, tree)):
        hits = np.union1d(hits, rows_whose_text_has(tree, notes, q))
    return node_pages.search(tree, q[:1000], hits, offset, limit, start)
