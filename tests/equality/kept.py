"""What is held to be right: a digest a case, in `digests.txt`.

The answers themselves are made again by the commit that last changed that file, to be shown beside new
ones.
"""

from __future__ import annotations

import difflib
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.equality.case import Case
from tests.equality.children import BUILD, ROOT, Answered, answers

HERE: Final = Path(__file__).parent
DIGESTS: Final = HERE / "digests.txt"
MOST_SHOWN: Final = 40
"""Lines of a difference."""
ABSENT: Final = "shared/"
"""Cases whose inputs may be absent."""


def read_kept() -> dict[str, str]:
    """The digests by case."""
    lines = DIGESTS.read_text("utf-8").splitlines()
    return {name: digest for digest, name in (line.split(" ", 1) for line in lines)}


def keep(answered: Mapping[str, Answered], *, is_all: bool) -> None:
    """Take what was answered for what is right; of some cases beside those that are kept."""
    digests = {name: each.digest for name, each in answered.items()}
    lacks_shared = not any(name.startswith(ABSENT) for name in digests)
    before = read_kept()
    left = {
        name: digest
        for name, digest in before.items()
        if not is_all or (lacks_shared and name.startswith(ABSENT))
    }
    n_changed = sum(before.get(name) != digest for name, digest in digests.items())
    digests = left | digests
    lines = [f"{digest} {name}" for name, digest in sorted(digests.items())]
    DIGESTS.write_text("\n".join([*lines, ""]), "utf-8")
    print(f"{len(digests):,} digests are kept, {n_changed:,} of them new or changed")


def compare(cases: Sequence[Case], answered: Mapping[str, Answered], *, is_all: bool) -> int:
    """Show where answers differ from what is kept; 1 where one does."""
    kept = read_kept()
    other = [case for case in cases if answered[case.name].digest != kept.get(case.name)]
    if is_all and not any(case.name.startswith(ABSENT) for case in cases):
        print("The logs beside the repository are not there; their cases are left out.")
    print(f"{len(cases):,} cases, {len(other):,} differ from what is kept")
    commit = _git("log", "-1", "--format=%H", "--", str(DIGESTS)).strip()
    before = {
        each.name: each for each in answers(other, BUILD / commit[:12], root=_tree_of(commit))
    } if other else {}  # fmt: skip
    for case in other:
        now, then = answered[case.name], before[case.name]
        if now.digest == then.digest:
            print(f"{case.name}: the same as then; its digest was of other inputs, or none was kept")
            continue
        lines = difference(then.text, now.text)
        print(f"\n{case.name}: {len(lines):,} lines differ\n  {then.text}\n  {now.text}")
        print("".join(f"  {line}\n" for line in lines[:MOST_SHOWN]), end="")
        if len(lines) > MOST_SHOWN:
            print(f"  … and {len(lines) - MOST_SHOWN:,} more")
    known = {case.name for case in cases}
    if is_all and (gone := [name for name in kept if name not in known and not name.startswith(ABSENT)]):
        print(f"{len(gone):,} cases are kept that are no more: {', '.join(gone[:10])}")
    return 1 if other else 0


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


def _tree_of(commit: str) -> Path:
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
