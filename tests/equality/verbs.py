"""The cases of the verbs: commands, their help, requests, the public face."""

from __future__ import annotations

import gzip
import os
import re
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from tests.equality.case import PLAIN, QUICK, Case
from tests.equality.forms import ROOT

ASKED: Final = tomllib.loads((Path(__file__).parent / "verbs.toml").read_text("utf-8"))
LOGS: Final = ASKED["logs"]
SMALL: Final = ("textbook.json", "infovis.js", "wrong-sign.json", "mcts.json", "means.json", "weighted.json")
"""Of which requests are sent and every form of answer is written down."""
OF_LARGE: Final = ("stats", "check", "explain", "picture")
"""What is asked of Hive's 40,000 nodes."""
ENDINGS: Final = (".json", ".jsonl", ".plyb", ".json.gz", ".txt")
SCORE: Final = re.compile(rb"((?:score|value|v)\"?: ?)(-?\d+)")
WRITTEN: Final = 1_700_000_000
"""When all files are said to be written; the first is the newest."""


def cases() -> Iterator[Case]:
    """All of these; `verbs.toml` says what is asked."""
    asked = ASKED
    for name in asked["help"]:
        yield _commands(f"help/{name}", [f"{name} --help"], (), QUICK)
    yield Case("face", "face", partial(_write, ()), {}, QUICK)
    for log in LOGS:
        files = (log, "textbook.json", f"changed {log}")
        verbs = OF_LARGE if log.startswith("hive") else [*asked["on_a_log"]]
        for verb in verbs:
            commands = asked["on_a_log"][verb]
            own = [command.replace("LOG", log) for command in commands]
            is_quick = log in SMALL[:2] and verb not in ("check", "replay")
            yield _commands(f"verb/{verb}/{log}", own, files, QUICK if is_quick else PLAIN)
        if verbs is not OF_LARGE:
            yield _commands(
                f"verb/convert/{log}", [f"convert {log} out{ending}" for ending in ENDINGS], files
            )
    for name, commands in asked["searches"].items():
        yield _commands(f"verb/search/{name}", commands, SMALL[:1])
    for name, commands in asked["others"].items():
        yield _commands(f"verb/{name}", commands, SMALL[:4])
    for name, (command, given) in asked["apart"].items():
        apart = {"commands": [shlex.split(command)], "apart": True, "input": given}
        yield Case(f"verb/{name}", "commands", partial(_write, ()), apart)
    requests = [request.split(" ", 2) for request in asked["requests"]]
    for log in SMALL:
        files = (log, f"changed {log}")
        yield Case(f"requests/{log}", "requests", partial(_write, files), {"requests": requests})


def _commands(name: str, commands: list[str], logs: Sequence[str], dearness: int = PLAIN) -> Case:
    asked = {"commands": [shlex.split(command) for command in commands]}
    return Case(name, "commands", partial(_write, logs), asked, dearness)


def _write(logs: Sequence[str], folder: Path) -> None:
    for number, name in enumerate(dict.fromkeys(logs)):
        path = folder / f"{number:04} {name}"
        data = (ROOT / LOGS[name.removeprefix("changed ")]).read_bytes()
        path.write_bytes(changed(data) if name.startswith("changed ") else data)
        os.utime(path, (WRITTEN - number, WRITTEN - number))


def changed(data: bytes) -> bytes:
    """The log with another last score, packed as before."""
    if data.startswith(b"\x1f\x8b"):
        return gzip.compress(changed(gzip.decompress(data)), 1, mtime=0)
    found = [*SCORE.finditer(data)]
    return data if not found else data[: found[-1].end(1)] + b"77" + data[found[-1].end(2) :]
