"""Fields of somebody's own that have a name of ours are written as `data.NAME`, whatever stands in them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from plyscope.visualizer.formats.write.unknown_names import with_written_names

DEEP = "[" * 20_000 + "]" * 20_000
OBJECTS = {
    '{"cost":1}': '{"cost":1}',
    '{"score":1.50,"id":"n1"}': '{"data.score":1.50,"data.id":"n1"}',
    '{"inner":{"score":2,"list":[{"ply":"e4"}]},"ply":12345678901234567890123}': (
        '{"inner":{"score":2,"list":[{"ply":"e4"}]},"data.ply":12345678901234567890123}'
    ),
    '{"a\\"b":"\\",\\"score\\":","gr\u00f6\u00dfe":"\\n\\u0001","data.score":1e5}': (
        '{"a\\"b":"\\",\\"score\\":","gr\u00f6\u00dfe":"\\n\\u0001","data.data.score":1e5}'
    ),
    "{}": "{}",
    f'{{"score":{DEEP}}}': f'{{"data.score":{DEEP}}}',
}


@pytest.mark.parametrize("compile_it", [False, True])
def test_names_of_ours_at_the_top_are_told_apart(compile_it: bool) -> None:
    starts = np.append(0, np.cumsum([len(text.encode()) for text in OBJECTS]))
    blob, starts = with_written_names("".join(OBJECTS).encode(), starts, compile_it=compile_it)
    written = [blob[begin:end].decode() for begin, end in pairwise(starts.tolist())]
    for text, expected in zip(written, OBJECTS.values(), strict=True):
        assert text in (expected, "" if expected == "{}" else expected)
