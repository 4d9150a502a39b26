"""`plyscope.open` and `plyscope.convert`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from plyscope.engine.record.logged_game import game_notice
from plyscope.files import Source, mapping_of, name_of, path_of, read
from plyscope.log import Log, Origin
from plyscope.status import StatusLine
from plyscope.visualizer.formats.write.files import check_target
from plyscope.visualizer.store.tree import Tree


def open(source: Source, *, map: Mapping[str, str] | str | None = None, progress: bool | None = None) -> Log:
    """Open a log in any form that Plyscope knows: a file, text, bytes, or an open file.

    A str that begins with `{` or `[` is the text of a log; any other str, and a `Path`, names a file. An open
    file, binary or text, is read from where it stands to its end, and stays open.

    `map` says which field of a foreign tree is which of ours, as `--map` does: `{"score": "value"}` or
    `"score=value"`. `progress` shows how far it is on standard error; by default it does in a terminal.
    Raises LogError: what is wrong, where, and what to do.

    >>> open('{"plyscope": 1, "root": {"score": 2}}').main_root.score
    2.0
    """
    mapping = mapping_of(map)
    path = path_of(source)
    origin = None if path is None or mapping else Origin.of(path)
    with StatusLine.of_call(progress) as status:
        log = read(source, mapping, status)
    said = game_notice(log.header, None)
    return Log(
        Tree(log if said is None else replace(log, notices=(*log.notices, said))), name_of(source), origin
    )


def opened(log: Log | Source, map: Mapping[str, str] | str | None, progress: bool | None) -> Log:
    """The log itself, or the one that is opened now."""
    return log if isinstance(log, Log) else open(log, map=map, progress=progress)


def convert(
    source: Log | Source,
    target: str | os.PathLike[str],
    *,
    map: Mapping[str, str] | str | None = None,
    progress: bool | None = None,
) -> None:
    """Write a log in the form that the ending of `target` names: `.json`, `.jsonl`, `.plyb`, `.gz` or `.zst`
    of them, or `.parquet`.

    `source` and the rest are as for `plyscope.open`. Raises LogError, before anything is read where it
    cannot be written; the file is whole or as it was before.
    """
    check_target(Path(target))
    opened(source, map, progress).write(target, progress=progress)
