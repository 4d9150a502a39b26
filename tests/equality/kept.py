"""What is held to be right: a digest a case, the commit that gave them, and the differences that are meant.

`digests.txt` begins with the commit; then a line a case: its digest, its name, and behind a tab the digest of
an accepted difference. `differences.txt` says which those are: patterns of names, patterns of the lines of
the difference, and the reason.
"""

from __future__ import annotations

import difflib
import fnmatch
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.equality.case import Case
from tests.equality.children import BUILD, ROOT, Answered, answers

HERE: Final = Path(__file__).parent
DIGESTS: Final = HERE / "digests.txt"
DIFFERENCES: Final = HERE / "differences.txt"
MOST_SHOWN: Final = 40
"""Lines of a difference."""
ABSENT: Final = "shared/"
"""Cases whose inputs may be absent."""


@dataclass(frozen=True)
class Kept:
    """The commit, and by case its digest, or the one that was accepted in its place."""

    commit: str
    digests: Mapping[str, str]
    accepted: Mapping[str, str]

    def expected(self, name: str) -> str | None:
        """The digest that a case must have; None where it is new."""
        return self.accepted.get(name) or self.digests.get(name)


@dataclass(frozen=True)
class Difference:
    """A difference that is meant: in cases of this name lines that match may go (-) or come (+)."""

    case: str
    line: re.Pattern[str]
    reason: str


def read_kept() -> Kept:
    """Read the digests."""
    first, *lines = DIGESTS.read_text("utf-8").splitlines()
    digests, accepted = {}, {}
    for line in lines:
        both, _, other = line.partition("\t")
        digest, name = both.split(" ", 1)
        digests[name] = digest
        if other:
            accepted[name] = other
    return Kept(first.removeprefix("commit "), digests, accepted)


def read_differences() -> list[Difference]:
    """Read the differences that are meant: case, line and reason between tabs."""
    lines = DIFFERENCES.read_text("utf-8").splitlines() if DIFFERENCES.exists() else []
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    return [Difference(case, re.compile(line), reason) for case, line, reason in rows]


def keep(answered: Mapping[str, Answered], *, is_all: bool) -> None:
    """Take what was answered for what is right; of some cases beside those that are kept."""
    commit = _git("rev-parse", "HEAD").strip()
    before = read_kept() if DIGESTS.exists() else Kept(commit, {}, {})
    digests = {name: each.digest for name, each in answered.items()}
    digests = {
        name: digest
        for name, digest in before.digests.items()
        if not is_all or (name.startswith(ABSENT) and not any(each.startswith(ABSENT) for each in digests))
    } | digests
    accepted = {} if is_all else {n: d for n, d in before.accepted.items() if n not in answered}
    _write(Kept(commit if is_all else before.commit, digests, accepted))
    print(f"{len(digests):,} digests kept")


def _write(kept: Kept) -> None:
    lines = [f"commit {kept.commit}"]
    for name, digest in sorted(kept.digests.items()):
        other = kept.accepted.get(name)
        lines.append(f"{digest} {name}" + (f"\t{other}" if other else ""))
    DIGESTS.write_text("\n".join([*lines, ""]), "utf-8")


def compare(cases: Sequence[Case], answered: Mapping[str, Answered], *, accept: bool, is_all: bool) -> int:
    """Show where answers differ from what is kept; 1 where a difference is not meant."""
    kept, meant = read_kept(), read_differences()
    other = [case for case in cases if answered[case.name].digest != kept.expected(case.name)]
    known = {case.name for case in cases}
    gone = [name for name in kept.digests if name not in known and not name.startswith(ABSENT)]
    if is_all and not any(each.is_shared for each in cases):
        print("The logs beside the repository are not there; their cases are left out.")
    print(f"{len(cases):,} cases, {len(other):,} differ from what is kept")
    wrong, accepted = 0, dict(kept.accepted)
    digests = dict(kept.digests)
    before = {
        each.name: each for each in answers(other, BUILD / kept.commit[:12], root=tree_of(kept.commit))
    } if other else {}  # fmt: skip
    for case in other:
        now, then = answered[case.name], before[case.name]
        digests[case.name] = then.digest
        if now.digest == then.digest:
            print(f"{case.name}: the same as then; its digest was of other inputs, or none was kept")
            accepted.pop(case.name, None)
            continue
        lines = difference(then.text, now.text)
        unmeant = [line for line in lines if not _is_meant(case.name, line, meant)]
        if not unmeant:
            accepted[case.name] = now.digest
            print(f"{case.name}: {len(lines):,} lines differ as is meant")
            continue
        wrong += 1
        print(f"\n{case.name}: {len(unmeant):,} lines differ\n  {then.text}\n  {now.text}")
        print("".join(f"  {line}\n" for line in lines[:MOST_SHOWN]), end="")
        if len(lines) > MOST_SHOWN:
            print(f"  … and {len(lines) - MOST_SHOWN:,} more")
    if is_all and gone:
        print(f"{len(gone):,} cases are kept that are no more: {', '.join(gone[:10])}")
    if accept:
        for name in gone if is_all else ():
            digests.pop(name)
            accepted.pop(name, None)
        _write(Kept(kept.commit, digests, accepted))
    print(f"{wrong:,} cases differ without a reason in {DIFFERENCES.name}")
    return 1 if wrong else 0


def difference(then: Path, now: Path) -> list[str]:
    """The lines that went and came, each behind the label of its input."""
    before, after = (_labelled(path) for path in (then, now))
    lines = difflib.unified_diff(before, after, lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def _labelled(path: Path) -> list[str]:
    """The lines of a text, those of one input after the label of it."""
    label, lines = "", []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("== "):
            label = line[3:]
        else:
            lines.append(f"{label} | {line}")
    return lines


def _is_meant(case: str, line: str, meant: Sequence[Difference]) -> bool:
    return any(fnmatch.fnmatchcase(case, each.case) and each.line.search(line) for each in meant)


def tree_of(commit: str) -> Path:
    """A worktree of the commit, with this harness laid over its own."""
    tree = BUILD / f"tree-{commit[:12]}"
    if not tree.exists():
        _git("worktree", "prune")
        _git("worktree", "add", "--detach", str(tree), commit)
    shutil.rmtree(tree / "tests" / "equality", ignore_errors=True)
    shutil.copytree(HERE, tree / "tests" / "equality")
    return tree


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout
