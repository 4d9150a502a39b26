"""Whatever a document is, it becomes a log or is refused in words; nothing else is ever raised."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.find.probe import NAMES
from plyscope.visualizer.formats.foreign.meaning import names
from plyscope.visualizer.formats.foreign.meaning.mapping import ROLES
from plyscope.visualizer.formats.foreign.reader import read_foreign
from tests.property.examples import examples

GUESSED = [*NAMES[:6], *(name for kind in (names.SCORES, names.LAYERS, names.PLAYERS) for name in kind[:3])]
GUESSED += [name for kind in (names.FACTORS, names.PLIES, names.DEPTHS, names.VISITS) for name in kind[:2]]
OTHERS = ["alpha", "beta", "window", "pruned", "terminal", "board", "fen", "flag", "weights", "iteration",
          "id", "parent", "adjacencies", "nodeTo", "nodes", "edges", "source", "target", "data", "elements",
          "left", "right", "e4", "_children", "a.b", "tree", "root", "*", ""]  # fmt: skip
KEYS = st.sampled_from(sorted({*GUESSED, *OTHERS}))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(
        [2**70, -(10**400), float("inf"), float("nan"), 0.5, "", "a", "max", "3", "c6 1.5", "id"]
    )
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@st.composite
def trees(draw: st.DrawFn) -> Any:
    """Objects with a children field, so that most documents get as far as being guessed."""
    key = draw(st.sampled_from(["children", "moves", "next", "xyz"]))
    node = st.dictionaries(KEYS, DOCUMENTS, max_size=4)
    tree = node
    for _ in range(draw(st.integers(1, 3))):
        tree = st.builds(lambda fields, below: {**fields, key: below}, node, st.lists(tree, max_size=3))
    return draw(tree)


@settings(max_examples=examples(300), deadline=None)
@given(DOCUMENTS | trees())
def test_any_document_is_a_log_or_refused_in_words(document: Any) -> None:
    try:
        log = read_foreign(document)
    except LogError:
        return
    assert log.n_rows > 0
    assert log.shape != ""
    assert any(notice.startswith("Read as ") for notice in log.notices)
    assert set(log.mapping) <= set(ROLES)


@settings(max_examples=examples(150), deadline=None)
@given(trees(), st.dictionaries(st.sampled_from(ROLES), KEYS | st.just(""), max_size=3))
def test_any_mapping_is_followed_or_refused_in_words(document: Any, mapping: dict[str, str]) -> None:
    try:
        log = read_foreign(document, mapping=mapping)
    except LogError:
        return
    for role, field in mapping.items():
        assert log.mapping.get(role, "") == field or role in ("children", "layer")
