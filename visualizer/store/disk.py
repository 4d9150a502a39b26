"""A converted log on disk: a folder with a file a column, mapped into memory when opened.

meta.json           layout, header, names, roots, notices
NAME.npy            a column
texts.bin, texts.npy    the texts end to end, and where each starts
lists.*.npy         plies and pre-scores of stubs
extras.*.npy, extras.bin    unknown fields
"""

from __future__ import annotations

import errno
import json
import mmap
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count, pairwise
from pathlib import Path
from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.columns import LAYOUT
from plyscope.visualizer.store.log import Extras, Factor, Lists, Log, Root

META: Final = "meta.json"
LIST_PARTS: Final = ("rows", "starts", "texts", "numbers")


class Texts(Sequence[str]):
    """Texts end to end in one buffer, decoded when asked for."""

    def __init__(self, blob: bytes | mmap.mmap, starts: npt.NDArray[np.int64]) -> None:
        self._blob = blob
        self._starts = starts

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"text {index} of {len(self)}")
        return self._blob[int(self._starts[index]) : int(self._starts[index + 1])].decode()

    def __iter__(self) -> Iterator[str]:
        blob = self._blob
        starts = self._starts.tolist()
        for first, last in pairwise(starts):
            yield blob[first:last].decode()


def save(log: Log, folder: Path) -> None:
    """Write `log` to `folder`, which is complete or not there: it is written beside and then renamed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        _write(log, beside / "new")
        _replace(folder, beside)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


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
        return _read(folder)
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return None


def _write(log: Log, folder: Path) -> None:
    folder.mkdir()
    for name, column in log.columns.items():
        np.save(folder / f"{name}.npy", np.ascontiguousarray(column))
    encoded = [text.encode() for text in log.texts]
    np.save(folder / "texts.npy", _starts([len(text) for text in encoded]))
    (folder / "texts.bin").write_bytes(b"".join(encoded))
    if log.stub_plies is not None:
        for part in LIST_PARTS:
            np.save(folder / f"lists.{part}.npy", getattr(log.stub_plies, part))
    if log.extras is not None:
        np.save(folder / "extras.rows.npy", log.extras.rows)
        np.save(folder / "extras.starts.npy", log.extras.starts)
        (folder / "extras.bin").write_bytes(log.extras.blob)
    meta = {
        "layout": LAYOUT,
        "n_rows": log.n_rows,
        "columns": list(log.columns),
        "lists": log.stub_plies is not None,
        "extras": log.extras is not None,
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
    }
    (folder / META).write_text(json.dumps(meta), encoding="utf-8")


def _read(folder: Path) -> Log:
    meta = json.loads((folder / META).read_text(encoding="utf-8"))
    if meta["layout"] != LAYOUT:
        raise ValueError(f"layout {meta['layout']}, not {LAYOUT}")
    columns = {name: _mapped(folder / f"{name}.npy") for name in meta["columns"]}
    if any(len(column) != meta["n_rows"] for column in columns.values()):
        raise ValueError("columns of different lengths")
    texts = Texts(_bytes(folder / "texts.bin"), _whole(folder, "texts", "texts"))
    lists = extras = None
    if meta["lists"]:
        lists = Lists(**{part: _mapped(folder / f"lists.{part}.npy") for part in LIST_PARTS})
    if meta["extras"]:
        starts = _whole(folder, "extras.starts", "extras")
        blob = _bytes(folder / "extras.bin")
        extras = Extras(_mapped(folder / "extras.rows.npy"), starts, memoryview(blob))
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
    )


def _mapped(path: Path) -> npt.NDArray[Any]:
    array: npt.NDArray[Any]
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError:
        # An empty array cannot be mapped; anything else is refused again.
        array = np.load(path, allow_pickle=False)
    return array


def _whole(folder: Path, starts: str, blob: str) -> npt.NDArray[np.int64]:
    """The starts of pieces in a blob; ValueError where the blob is not as long as they say."""
    array = _mapped(folder / f"{starts}.npy")
    if (folder / f"{blob}.bin").stat().st_size != int(array[-1]):
        raise ValueError(f"{blob}.bin is not as long as its starts say")
    return array


def _bytes(path: Path) -> bytes | mmap.mmap:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _starts(lengths: list[int]) -> npt.NDArray[np.int64]:
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.array(lengths, dtype=np.int64), out=starts[1:])
    return starts
