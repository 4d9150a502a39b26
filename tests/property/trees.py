"""Random trees to search: positions met again by other ways, passes, double moves, endings near and far."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st

from plyscope.engine.record.recording import Recording
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.oracle import nodes_of

MOST_NODES = 300

VALUES = st.one_of(st.integers(-4, 4), st.sampled_from([0.25, -1.5, 2.75, 1e3, -1e3]))
PLAYERS = st.sampled_from(["max", "min"])
NOISY = st.sampled_from([False, False, True])


@st.composite
def leaves(draw: st.DrawFn) -> dict[str, Any]:
    """A leaf with a value, or a game that is over."""
    if draw(st.integers(0, 3)):
        return {"value": draw(VALUES)}
    return {"ending": draw(st.sampled_from(["win", "loss", "draw"]))}


@st.composite
def trees(draw: st.DrawFn) -> str:
    """The text of an explicit tree, made as a graph without rings: what is reached twice is one position.

    Each node of the graph is one key with one player and one subtree, met at any depth and level; whether a
    ply is noisy belongs to the way.
    """
    nodes: list[dict[str, Any]] = []
    sizes: list[int] = []
    for number in range(draw(st.integers(2, 5))):
        nodes.append(draw(leaves()) | {"player": draw(PLAYERS), "key": f"leaf {number}"})
        sizes.append(1)
    for number in range(draw(st.integers(1, 9))):
        below = []
        size = 1
        for place in draw(st.lists(st.integers(0, len(nodes) - 1), min_size=1, max_size=4)):
            place = len(nodes) - 1 - place  # towards the youngest, so that trees grow deep
            if below and size + sizes[place] > MOST_NODES:
                continue
            size += sizes[place]
            below.append(nodes[place] | {"noisy": True} if draw(NOISY) else nodes[place])
        player = draw(PLAYERS)
        node: dict[str, Any] = {"key": f"node {number}", "player": player, "value": draw(VALUES)}
        passed = draw(st.integers(0, 2 * len(nodes)))
        if passed < len(nodes) and nodes[passed]["player"] != player and size + sizes[passed] <= MOST_NODES:
            node["pass"] = nodes[passed]
            size += sizes[passed]
        if draw(st.integers(0, 4)) == 0:
            node["in_check"] = True
        nodes.append(node | {"children": below})
        sizes.append(size)
    return json.dumps(nodes[-1])


def told(recording: Recording) -> tuple[Any, ...]:
    """All that a recording says, but for the time it took."""
    header = recording.header | {"result": recording.header["result"] | {"seconds": 0}}
    nodes = [(node.row, str(node.fields)) for node in nodes_of(log_from_recording(recording))]
    return header, nodes, recording.trees
