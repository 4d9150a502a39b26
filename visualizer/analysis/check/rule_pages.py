"""Print the pages under `docs/rules/` from the rules themselves, so that a new rule has one.

    python -m plyscope.visualizer.analysis.check.rule_pages docs/rules

writes them again, and deletes the pages of rules that are gone.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from plyscope.visualizer.analysis.check.rule import Rule
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.check.text import found_in, lines
from plyscope.visualizer.formats.detect import read_log

CONTENTS = "README.md"


def pages() -> dict[str, str]:
    """Return the text of every page by the name of its file, the table of contents included."""
    return {CONTENTS: contents(RULES.values())} | {file_of(rule): page(rule) for rule in RULES.values()}


def file_of(rule: Rule) -> str:
    """Return the file of a rule's page.

    >>> file_of(RULES["value"])
    'value.md'
    """
    return f"{rule.name}.md"


def contents(rules: Iterable[Rule]) -> str:
    """Return the table of all rules, gravest first."""
    rows = "\n".join(
        f"| [`{rule.name}`]({file_of(rule)}) | {rule.severity} | {rule.text.reason} |" for rule in rules
    )
    return f"""# The rules of `plyscope check`

*Wrong* is impossible, whatever the engine intended; *waste* is correct, but needless work; *odd* is
legitimate in some engines and usually a bug. [`plyscope check`](../check.md) asks the rules.

| rule | severity | what must hold |
|---|---|---|
{rows}
"""


def page(rule: Rule) -> str:
    """Return the page of one rule: its requirement, the meaning of a breach, a small log and its finding."""
    other = "some of its findings are *odd*" if rule.severity == "wrong" else "in some logs they are *wrong*"
    by_log = "" if rule.is_odd is None else f"; {other}"
    needs = ", ".join(f"`{field}`" for field in rule.needs)
    return f"""# `{rule.name}`

*{rule.severity}*{by_log}. What must hold: **{rule.text.reason}**

{textwrap.fill(rule.text.meaning, 110, break_on_hyphens=False)}

Fields without which it is not asked: {needs}.

## A log that breaks it

```json
{rule.text.example.strip()}
```

    plyscope check {rule.name}.json

```text
{example_output(rule)}
```

[All rules](README.md)
"""


def example_output(rule: Rule) -> str:
    """Return the output of `plyscope check` on the rule's example, without its head, which counts rules."""
    report = check(read_log(rule.text.example.encode()))
    printed = lines(f"{rule.name}.json", report.n_rows, report.checked, found_in(report), ())
    return "\n".join(printed).partition("\n\n")[2]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    printed = pages()
    for old in folder.glob("*.md"):
        if old.name not in printed:
            old.unlink()
    for name, text in printed.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
