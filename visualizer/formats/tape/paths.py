"""The path of a node in a document, found by a second pass that only errors need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from plyscope.visualizer.formats.tape.form import DOCUMENT, ITEM, NODE, SKIPPED, Form
from plyscope.visualizer.formats.tape.kinds import ABSENT, LIST, kind_of

SHOWN_STEPS: Final = 12
"""The steps of a path that a message shows at either end; a tree may be 100,000 levels deep."""


def step_to(key: str) -> str:
    """The step of a JSON path to a key.

    >>> step_to("children"), step_to("a1 b2")
    ('.children', '["a1 b2"]')
    """
    if key.isidentifier():
        return f".{key}"
    text = key if len(key) <= 40 else f"{key[:37]}…"
    return f'["{text}"]'


def path_of_node(form: Form, documents: Sequence[Any], number: int) -> str:
    """The JSON path of the node of that number in the form's order, shortened in the middle where it is long.

    Several documents, one a line, count as the items of a list.

    >>> form = Form()
    >>> node = form.role("node", makes_node=True)
    >>> form.step(DOCUMENT, ITEM, node)
    >>> form.step(node, "kids", node)
    >>> path_of_node(form, [{"x": 1, "kids": {}}], 1)
    '$.kids'
    """
    n_nodes = 0
    role = DOCUMENT
    steps: list[str] = []
    members: Iterator[tuple[Any, Any]] = iter([(ITEM, document) for document in documents])
    place = 0
    stack: list[tuple[int, Iterator[tuple[Any, Any]], int]] = []
    while True:
        for name, value in members:
            step = f"[{place}]" if name is ITEM else step_to(name)
            if not stack:
                step = "$" if len(documents) == 1 else f"$[{place}]"
            place += 1
            to = role_of(form, role, name, value)
            role = form.after[role]
            if to == SKIPPED:
                continue
            if form.makes[to] == NODE:
                if n_nodes == number:
                    steps.append(step)
                    if len(steps) > 2 * SHOWN_STEPS:
                        steps[SHOWN_STEPS:-SHOWN_STEPS] = ["…"]
                    return "".join(steps)
                n_nodes += 1
            if isinstance(value, dict | list):
                stack.append((role, members, place))
                items: Any = value.items() if isinstance(value, dict) else [(ITEM, item) for item in value]
                role, members, place = to, iter(items), 0
                steps.append(step)
                break
        else:
            if not stack:
                return "$"
            role, members, place = stack.pop()
            steps.pop()


def role_of(form: Form, holder: int, name: Any, value: Any) -> int:
    """The role of a value in a container of a role."""
    kind = kind_of(value)
    to = form.to(holder, name if name is ITEM else form.known(name), kind)
    if kind >= LIST:
        inner = value.values() if isinstance(value, dict) else value
        first = next((kind_of(each) for each in inner), ABSENT)
        to = int(form.by_first[to, first])
    return to
