"""The process that writes a session's logs, `python -m plyscope.visualizer.uhp.log_process` of a `LogWriter`.

A message names a spooled search and the log that it becomes; the answer to each is a warning, or None. The
process works at low priority beside the searches and outlives the session, so a viewer that kills its engine
loses no log. Once its input ends it writes the rest and is gone.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from plyscope.engine.games.hive import GAME
from plyscope.engine.record.recording import Recording, Totals, Tree
from plyscope.visualizer.child_process import Message, Tell, serve_parent

_ARRAYS: Final = ("state", "rows", "factors", "stub_plies", "hits")
_NICENESS: Final = 5


def spool(recording: Recording, file: IO[bytes]) -> None:
    """Write all that a log of a Hive search needs, as fast as the disk takes it; raises OSError."""
    rest = {"header": recording.header, "root_player": recording.root_player, "trees": recording.trees}
    arrays: dict[str, Any] = {name: getattr(recording, name) for name in _ARRAYS}
    np.savez(file, rest=np.frombuffer(json.dumps(rest).encode(), np.uint8), **arrays)


def unspool(path: Path) -> Recording:
    """The recording that `spool` wrote, without its transposition table; raises OSError, ValueError."""
    with np.load(path, allow_pickle=False) as found:
        rest = json.loads(found["rest"].tobytes())
        arrays = {name: found[name] for name in _ARRAYS}
    trees = tuple(Tree(row, end, iteration, Totals(*each)) for row, end, iteration, each in rest["trees"])
    return Recording(
        header=rest["header"],
        game=GAME,
        root_player=rest["root_player"],
        trees=trees,
        table=None,
        **arrays,
    )


def write(spooled: Path, path: Path) -> str | None:
    """Make a log of a spooled search, which is deleted; returns why there is none."""
    from plyscope.visualizer.formats.errors import LogError
    from plyscope.visualizer.formats.seal.recording import log_from_recording
    from plyscope.visualizer.formats.write.files import write_log_file

    try:
        write_log_file(log_from_recording(unspool(spooled)), path)
    except LogError as error:
        return str(error)
    except (OSError, ValueError, zipfile.BadZipFile, MemoryError) as error:
        return f"{path} was not written: {type(error).__name__}: {error}"
    finally:
        spooled.unlink(missing_ok=True)
    return None


def serve(asked: Iterator[Message], tell: Tell) -> None:
    """Write every log that is asked for; each result is the warning, None where there is none."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    for each in asked:
        tell({"result": write(Path(each["spooled"]), Path(each["path"]))})


if __name__ == "__main__":
    serve_parent(serve, outlives_parent=True)
