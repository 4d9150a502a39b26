"""A file of known findings, which are not counted when the log is checked again.

Rule, path of plies and both figures identify a finding. So ids and rows may change, and a
finding whose figures change is new.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from plyscope.visualizer.analysis.check.report import Finding
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.formats.errors import LogError

Known = frozenset[bytes]


def known_in(path: Path) -> Known:
    """Return the findings in a file of `write` or `plyscope check --json`; raises LogError, OSError.

    It reads only `rule`, `path`, `expected` and `found` of every finding.
    """
    try:
        document = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise LogError(f"{path}: no baseline: {error}") from None
    logs = document.get("logs") if isinstance(document, dict) else None
    if not isinstance(logs, list):
        raise LogError(f"{path}: no baseline: expected an object with `logs`, as `--write-baseline` makes it")
    known = set()
    for n_log, log in enumerate(logs):
        findings = log.get("findings", []) if isinstance(log, dict) else None
        if not isinstance(findings, list):
            raise LogError(f"{path}, $.logs[{n_log}]: expected an object with a list of `findings`")
        for n_finding, finding in enumerate(findings):
            if not isinstance(finding, dict) or not isinstance(finding.get("rule"), str):
                where = f"$.logs[{n_log}].findings[{n_finding}]"
                raise LogError(
                    f"{path}, {where}: expected an object with `rule`, `path`, `expected`, `found`"
                )
            known.add(_mark(finding))
    return frozenset(known)


def is_known(finding: Finding, known: Known) -> bool:
    """Whether the file that `known` was read from has this finding."""
    return bool(known) and _mark(written(finding)) in known


def write(path: Path, logs: Iterable[tuple[str, Iterable[Finding]]]) -> int:
    """Write the findings of each log by name, one a line; return how many. Raises OSError."""
    count = 0
    lines = []
    for name, findings in logs:
        marks = [orjson.dumps(written(finding)) for finding in findings]
        count += len(marks)
        lines.append(b'{"log": %b, "findings": [\n%b]}' % (orjson.dumps(name), b",\n".join(marks)))
    path.write_bytes(b'{"logs": [\n%b]}\n' % b",\n".join(lines))
    return count


def written(finding: Finding) -> dict[str, Any]:
    """Return the fields of a finding that a baseline keeps, in the form of `--json`."""
    return {
        "rule": finding.rule,
        "path": finding.path,
        "expected": as_json(finding.expected),
        "found": as_json(finding.found),
    }


def _mark(finding: dict[str, Any]) -> bytes:
    fields = {name: finding.get(name) for name in ("rule", "path", "expected", "found")}
    return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
