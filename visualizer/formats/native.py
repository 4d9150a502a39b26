"""The native document: one JSON object with the header and the tree or trees in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plyscope.visualizer.formats.draft import Draft
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.store.log import Log


def read_native(document: dict[str, Any], *, notices: Sequence[str] = ()) -> Log:
    """The log of a native document, which is taken apart. Raises LogError with a JSON path.

    >>> log = read_native({"plyscope": 1, "root": {"score": 1, "children": [{"ply": "a1", "score": 1}]}})
    >>> log.columns["level"].tolist()
    [0, 1]
    """
    read_header(document)
    if ("root" in document) == ("roots" in document):
        found = "both `root` and `roots`" if "root" in document else "neither `root` nor `roots`"
        raise LogError(f"found {found}, expected exactly one of them", path="$")
    draft = Draft()
    for notice in notices:
        draft.notice(notice)
    if "root" in document:
        root = document.pop("root")
        if not isinstance(root, dict):
            raise LogError(f"found {shown(root)}, expected a node (an object)", path="$.root")
        add_tree(draft, root)
    else:
        roots = document.pop("roots")
        if not isinstance(roots, list) or not roots:
            found = "an empty list" if roots == [] else shown(roots)
            raise LogError(f"found {found}, expected a list of nodes", path="$.roots")
        for index, root in enumerate(roots):
            if not isinstance(root, dict):
                raise LogError(f"found {shown(root)}, expected a node (an object)", path=f"$.roots[{index}]")
            add_tree(draft, root)
    return draft.seal(document)


def add_tree(draft: Draft, root: dict[str, Any]) -> None:
    """Add a tree of the native form in pre-order, taking `children` out of each node."""
    add = draft.add
    stack: list[tuple[dict[str, Any], int | None]] = [(root, None)]
    while stack:
        node, parent = stack.pop()
        children = node.pop("children", None)
        number = add(node, parent)
        if not children:
            if children is not None and type(children) is not list:
                draft.fail_at(number, f"found {shown(children)}, expected a list of nodes", "children")
            continue
        if type(children) is not list:
            draft.fail_at(number, f"found {shown(children)}, expected a list of nodes", "children")
        for index in range(len(children) - 1, -1, -1):
            child = children[index]
            if type(child) is not dict:
                message = f"found {shown(child)}, expected a node (an object)"
                draft.fail_at(number, message, f"children[{index}]")
            stack.append((child, number))
