"""A converted log on disk: a folder with a file a column, mapped into memory when opened.

meta.json           layout, header, names, roots, notices; its time is when the log was last opened
NAME.npy            a column
texts.bin, texts.npy    the texts, concatenated, and their offsets
lists.*.npy         plies and pre-scores of stubs
extras.*.npy, extras.bin    unknown fields
children.*.npy      the rows by parent, and the offsets of their children
lines.*.npy         the rows of the principal variation, and of the line that decided the main root
counted.levels.npy  the totals by level (`analysis.statistics.totals`); logs converted earlier have none
own.*               columns of unknown fields that were asked for (`store.kept_columns`)

A process that has a log open locks its folder (`store.folder_lock`), so that it is not cleared; one that
writes a log locks the folder that it writes into, so that only folders of killed processes are removed.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.columns import LAYOUT
from plyscope.visualizer.store.folder_lock import FolderLock, hold, make_held, remove_unheld
from plyscope.visualizer.store.log import (
    ChildIndex,
    Counted,
    Extras,
    Factor,
    Lines,
    Lists,
    Log,
    Root,
    child_index,
)
from plyscope.visualizer.store.mapped import Texts, mapped_array, mapped_bytes, put_end_to_end

META: Final = "meta.json"
LIST_PARTS: Final = ("rows", "starts", "texts", "numbers")
LINES: Final = ("variation", "deciding")
WRITERS: Final = 2
"""The number of writing threads, which spend their time on copying into the system's memory."""


def save(log: Log, folder: Path, about: Mapping[str, Any] | None = None) -> None:
    """Write `log` to `folder`, which is complete or not there: it is written beside and then renamed.

    `about` is kept with it, for `about_log`.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside, lock = _writing_folder(folder)
    try:
        _write(log, beside / "new", about or {})
        _replace(folder, beside)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        if lock is not None:
            lock.release()


def _writing_folder(folder: Path) -> tuple[Path, FolderLock | None]:
    """A new folder beside `folder`, and the lock on it, None where the file system has none."""
    return make_held(lambda: Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent)))


def about_log(folder: Path) -> dict[str, Any]:
    """The facts `about` the log in `folder` when it was saved; raises OSError, ValueError, KeyError."""
    meta = json.loads((folder / META).read_text(encoding="utf-8"))
    return {"layout": meta["layout"], "n_rows": meta["n_rows"], **meta.get("about", {})}


def remove(folder: Path) -> bool:
    """Remove the log in `folder` atomically; False where it is open in a process.

    Raises OSError.
    """
    lock = hold(folder, alone=True)
    if lock is None:
        return False
    gone, gone_lock = _writing_folder(folder)
    try:
        os.replace(folder, gone / "old")
    except FileNotFoundError:  # another process was faster
        return True
    except PermissionError:  # Windows: one of its files is mapped
        return False
    finally:
        shutil.rmtree(gone, ignore_errors=True)
        for each in (lock, gone_lock):
            if each is not None:
                each.release()
    return True


def remove_leftovers(parent: Path) -> int:
    """Remove the folders of killed processes in `parent`, and return their number."""
    return remove_unheld(parent, ".*-*")


def _replace(folder: Path, beside: Path) -> None:
    """Put `beside / "new"` in the place of `folder`, which is moved away whole; others may do so too.

    A folder that is not empty cannot be replaced in one step. Where another process puts its log there in
    between, that one is moved away in turn.
    """
    for turn in count():
        with suppress(FileNotFoundError):
            os.replace(folder, beside / f"old {turn}")
        try:
            os.replace(beside / "new", folder)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        else:
            return


def load(folder: Path) -> Log | None:
    """The log in `folder`, mapped read-only; None where it is of another layout, damaged or not there."""
    try:
        lock = hold(folder)
        return None if lock is None else _read(folder, lock)
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return None


def _write(log: Log, folder: Path, about: Mapping[str, Any]) -> None:
    folder.mkdir()
    index = log.children
    if index is None or index.parent is not log.columns["parent"]:
        index = child_index(log.columns["parent"])
    arrays = dict(log.columns)
    arrays |= {"children.rows": index.rows, "children.starts": index.starts}
    if log.stub_plies is not None:
        arrays |= {f"lists.{part}": getattr(log.stub_plies, part) for part in LIST_PARTS}
    if log.lines is not None:
        arrays |= {f"lines.{name}": getattr(log.lines, name) for name in LINES}
    if log.counted is not None:
        arrays["counted.levels"] = log.counted.levels
    works: list[Callable[[], object]] = [partial(_write_texts, log.texts, folder)]
    if log.extras is not None:
        arrays |= {"extras.rows": log.extras.rows, "extras.starts": log.extras.starts}
        works.append(partial(_write_extras, log.extras, folder / "extras.bin"))
    works += [partial(_write_array, folder / f"{name}.npy", array) for name, array in arrays.items()]
    with ThreadPoolExecutor(WRITERS) as writers:
        for written in [writers.submit(work) for work in works]:
            written.result()
    meta = {
        "layout": LAYOUT,
        "n_rows": log.n_rows,
        "columns": list(log.columns),
        "lists": log.stub_plies is not None,
        "extras": log.extras is not None,
        "lines": log.lines is not None,
        "counted": None if log.counted is None else log.counted.searched,
        "header": dict(log.header),
        "roots": [[root.row, root.iteration] for root in log.roots],
        "players": log.players,
        "factors": [[factor.name, factor.weight, factor.meaning] for factor in log.factors],
        "contribution_names": log.contribution_names,
        "key_form": log.key_form,
        "notices": log.notices,
        "mapping": dict(log.mapping),
        "shape": log.shape,
        "fields": log.fields,
        "about": dict(about),
    }
    (folder / META).write_text(json.dumps(meta), encoding="utf-8")


def _write_extras(extras: Extras, path: Path) -> None:
    """Give the file that holds them the name `path`; copy them where there is none, or on another disk."""
    if extras.file is not None:
        with suppress(OSError):
            extras.file.link(path)
            return
    path.write_bytes(extras.blob)


def _write_array(path: Path, array: npt.NDArray[Any]) -> None:
    np.save(path, np.ascontiguousarray(array))


def _write_texts(texts: Sequence[str], folder: Path) -> None:
    """Write texts, concatenated, piece by piece: if nearly all differ, they may be most of the log."""
    with (folder / "texts.bin").open("wb") as file:
        starts = put_end_to_end(texts, file.write)
    np.save(folder / "texts.npy", starts)


def _read(folder: Path, lock: FolderLock) -> Log:
    meta = json.loads((folder / META).read_text(encoding="utf-8"))
    if meta["layout"] != LAYOUT:
        raise ValueError(f"layout {meta['layout']}, not {LAYOUT}")
    columns = {name: mapped_array(folder / f"{name}.npy") for name in meta["columns"]}
    if any(len(column) != meta["n_rows"] for column in columns.values()):
        raise ValueError("columns of different lengths")
    texts = Texts(mapped_bytes(folder / "texts.bin"), _whole(folder, "texts", "texts"))
    children = ChildIndex(
        columns["parent"],
        mapped_array(folder / "children.rows.npy"),
        mapped_array(folder / "children.starts.npy"),
    )
    if len(children.starts) != meta["n_rows"] + 1 or len(children.rows) != children.starts[-1]:
        raise ValueError("an index of other rows")
    lists = extras = lines = counted = None
    if meta["lists"]:
        lists = Lists(**{part: mapped_array(folder / f"lists.{part}.npy") for part in LIST_PARTS})
    if meta["extras"]:
        starts = _whole(folder, "extras.starts", "extras")
        blob = mapped_bytes(folder / "extras.bin")
        extras = Extras(mapped_array(folder / "extras.rows.npy"), starts, memoryview(blob))
    if meta["lines"]:
        kept = {name: mapped_array(folder / f"lines.{name}.npy") for name in LINES}
        if any(len(rows) == 0 or rows.min() < 0 or rows.max() >= meta["n_rows"] for rows in kept.values()):
            raise ValueError("lines of other rows")
        lines = Lines(columns, meta["header"], **kept)
    if meta.get("counted"):
        n_searched, n_unknown = meta["counted"]
        counted = Counted(columns, mapped_array(folder / "counted.levels.npy"), (n_searched, n_unknown))
    return Log(
        header=meta["header"],
        columns=columns,
        texts=texts,
        roots=tuple(Root(row, iteration) for row, iteration in meta["roots"]),
        players=tuple(meta["players"]),
        factors=tuple(Factor(name, weight, meaning) for name, weight, meaning in meta["factors"]),
        contribution_names=tuple(meta["contribution_names"]),
        key_form=meta["key_form"],
        stub_plies=lists,
        extras=extras,
        notices=tuple(meta["notices"]),
        mapping=meta["mapping"],
        shape=meta["shape"],
        fields=tuple(meta["fields"]),
        children=children,
        lines=lines,
        counted=counted,
        lock=lock,
    )


def _whole(folder: Path, starts: str, blob: str) -> npt.NDArray[np.int64]:
    """The starts of pieces in a blob; ValueError where the blob is not as long as they say."""
    array = mapped_array(folder / f"{starts}.npy")
    if (folder / f"{blob}.bin").stat().st_size != int(array[-1]):
        raise ValueError(f"{blob}.bin is not as long as its starts say")
    return array
