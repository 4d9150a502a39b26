"""Texts found over their bytes are those found one by one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plyscope.visualizer.store import mapped
from plyscope.visualizer.store.mapped import Texts, codes_holding, codes_of

texts_of = st.lists(st.text(alphabet="aAb1 ßé", max_size=6), unique=True, min_size=1, max_size=30)
sought = st.text(alphabet="aAb1 ßé", min_size=1, max_size=3)


def on_disk(texts: list[str]) -> Texts:
    encoded = [text.encode() for text in texts]
    starts = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return Texts(b"".join(encoded), starts)


@contextmanager
def few_are_many() -> Iterator[None]:
    with ExitStack() as patched:
        for name, value in (("FEW_TEXTS", 1), ("MANY_TEXTS", 2), ("PIECE_OF_SEARCH", 5)):
            patched.enter_context(patch.object(mapped, name, value))
        yield


@given(texts_of, sought, st.data())
def test_texts_are_found_by_their_bytes_as_they_are_one_by_one(
    texts: list[str], wanted: str, data: st.DataObject
) -> None:
    codes = data.draw(st.lists(st.sampled_from(range(len(texts))), unique=True, min_size=1).map(sorted))
    folded = wanted.casefold()
    with few_are_many():
        same = codes_of(on_disk(texts), np.array(codes), wanted)
        held = codes_holding(on_disk(texts), np.array(codes), folded)
    assert same == [code for code in codes if texts[code] == wanted]
    assert held == [code for code in codes if folded in texts[code].casefold()]


@given(texts_of, st.data())
def test_a_text_that_is_there_is_found(texts: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(texts))
    with few_are_many():
        assert codes_of(on_disk(texts), np.arange(len(texts)), wanted) == [texts.index(wanted)]


def test_a_match_over_the_end_of_a_text_is_none() -> None:
    with few_are_many():
        assert codes_holding(on_disk(["ab", "cd", "bc"]), np.arange(3), "bc") == [2]
