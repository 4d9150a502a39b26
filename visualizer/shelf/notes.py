"""The notes that people put on nodes, kept by the digest of a log: no log is ever written to.

notes/<digest of the log's content>.json   {"file", "n_bytes", "notes": [{"path", "text", "colour"}, …]}

A log that was written anew has another digest: it takes the notes of the one before it, by their plies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.nodes.node_json import cut
from plyscope.visualizer.analysis.nodes.ply_path import path_to, row_at, steps_of
from plyscope.visualizer.shelf.folders import data_folder
from plyscope.visualizer.shelf.log_cache import digest_of
from plyscope.visualizer.store.header_fields import NOTE_COLOURS
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.store.whole_file import whole_file

FOLDER: Final = "notes"
LONGEST_NOTE: Final = 4000
MOST_NOTES: Final = 2000
MOST_BYTES: Final = 32 * 2**20
"""A file of notes that is longer is none of ours."""


class NoteError(ValueError):
    """A note that is none, in words."""


class NotNowError(NoteError):
    """A note that cannot be kept in the present state of the log."""


@dataclass(frozen=True)
class Note:
    """A note on the node at the end of `path`, from the root of its tree; `id` was the node's id then."""

    path: str
    text: str = ""
    colour: str = NOTE_COLOURS[0]
    id: int | None = None
    iteration: int | None = None
    """The iteration of the node's tree, in a log of several trees."""


def note_at(tree: Tree, row: int, text: str, colour: str) -> Note:
    """A note on a row; raises NoteError for a colour that notes do not have."""
    if colour not in NOTE_COLOURS:
        raise NoteError(f"a note is {', '.join(NOTE_COLOURS)}, not {cut(colour, 40)!r}")
    roots = tree.log.roots
    top = tree.root_of(row)
    iteration = next((root.iteration for root in roots if root.row == top), None) if len(roots) > 1 else None
    node_id = int(tree.log.columns["id"][row])
    return Note(path_to(tree, row), text.strip()[:LONGEST_NOTE], colour, node_id, iteration)


def row_of_note(tree: Tree, note: Note) -> int | None:
    """The row that a note is on: the node of its id if its plies lead there, else where its plies lead.

    A ply that one log visits once and the other twice leads to the first visit. None where none leads there.
    """
    with suppress(KeyError):
        row = tree.row_of(-1 if note.id is None else note.id)
        if path_to(tree, row) == note.path:
            return row
    same = (root.row for root in reversed(tree.log.roots) if root.iteration == note.iteration)
    row = next(same, tree.main_root)
    with suppress(LookupError):
        for step in steps_of(note.path):
            row = _below(tree, row, step)
        return row
    return None


def _below(tree: Tree, row: int, step: str) -> int:
    for tried in (step, f"{step}#1", step.rpartition("#")[0]):
        with suppress(LookupError):
            return row_at(tree, [tried], row)
    raise LookupError(step)


def placed(tree: Tree, notes: list[Note]) -> list[Note]:
    """The notes with the ids of their nodes in this log, in its order; those without a node last."""
    ids = tree.log.columns["id"]
    rows = [(row_of_note(tree, note), note) for note in notes]
    rows.sort(key=lambda pair: tree.log.n_rows if pair[0] is None else pair[0])
    return [replace(note, id=None if row is None else int(ids[row])) for row, note in rows]


def notes_in(stated: Any) -> list[Note]:
    """The notes that a header or a kept file states; whatever is none is left out.

    >>> notes_in([{"path": "c6", "text": "odd"}, {"text": "of no node"}, 7])
    [Note(path='c6', text='odd', colour='blue', id=None, iteration=None)]
    """
    notes = []
    for each in stated[:MOST_NOTES] if isinstance(stated, list) else ():
        if not isinstance(each, dict) or not isinstance(each.get("path"), str):
            continue
        text, colour, node_id, iteration = (each.get(key) for key in ("text", "colour", "id", "iteration"))
        notes.append(
            Note(
                each["path"],
                text[:LONGEST_NOTE] if isinstance(text, str) else "",
                colour if colour in NOTE_COLOURS else NOTE_COLOURS[0],
                node_id if isinstance(node_id, int) else None,
                iteration if isinstance(iteration, int) else None,
            )
        )
    return notes


def as_json(notes: list[Note]) -> list[dict[str, Any]]:
    """Notes in the form of a header and of the API, without absent fields."""
    return [{key: value for key, value in asdict(note).items() if value is not None} for note in notes]


def with_notes(log: Log, notes: list[Note]) -> Log:
    """The log with these notes in its header, which is otherwise as it was; without notes it states none."""
    header = dict(log.header)
    if notes_in(header.get("notes")):
        del header["notes"]
    return replace(log, header={**header, **({"notes": as_json(notes)} if notes else {})})


class NotesFolder:
    """The notes of all logs in one folder, which is made when the first note comes."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER

    def of(self, path: Path, content: Callable[[], str], header: Mapping[str, Any]) -> list[Note]:
        """The notes on the log at `path`, else those of its header, else those of the log before it there.

        `content` gives the digest of the log, and is only asked where notes of a log of that size are kept.
        """
        n_bytes = path.stat().st_size if path.exists() else -1
        kept = list(self._kept())
        if any(about.get("n_bytes") == n_bytes for _, about in kept):
            digest = content()
            for file, about in kept:
                if file.stem == digest:
                    return notes_in(about.get("notes"))
        if stated := notes_in(header.get("notes")):
            return stated
        before = [each for each in kept if each[1].get("file") == str(path.resolve())]
        newest = max(before, key=lambda each: each[0].stat().st_mtime, default=(path, {}))
        return notes_in(newest[1].get("notes"))

    def keep(self, path: Path, content: str, notes: list[Note]) -> None:
        """Keep these notes for the log at `path`; raises OSError, and NoteError for too many."""
        if len(notes) > MOST_NOTES:
            raise NoteError(f"a log has at most {counted(MOST_NOTES, 'note')}")
        self._folder.mkdir(parents=True, exist_ok=True)
        about = {"file": str(path.resolve()), "n_bytes": path.stat().st_size, "notes": as_json(notes)}
        with whole_file(self._folder / f"{content}.json") as file:
            file.write(orjson.dumps(about))

    def _kept(self) -> Iterator[tuple[Path, dict[str, Any]]]:
        """The files of notes, and their contents."""
        for path in sorted(self._folder.glob("*.json")):
            with suppress(OSError, ValueError):
                about = orjson.loads(path.read_bytes()) if path.stat().st_size <= MOST_BYTES else None
                if isinstance(about, dict):
                    yield path, about


def with_kept_notes(log: Log, path: Path) -> Log:
    """The log at `path`, in its header the notes that this user's viewers keep for it, if there are any."""
    notes = NotesFolder(data_folder()).of(path, lambda: digest_of(path.read_bytes()), log.header)
    return with_notes(log, placed(Tree(log), notes)) if notes else log


def rows_whose_text_has(tree: Tree, notes: list[Note], text: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The rows whose notes hold a text, whatever its case, in the order of the log."""
    wanted = text.strip().casefold()
    ids = [each.id for each in placed(tree, notes) if wanted in each.text.casefold()]
    return np.array([tree.row_of(each) for each in ids if each is not None], np.int64)
