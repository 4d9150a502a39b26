"""`plyscope check`: does what a log claims hold, rule by rule."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.visualizer.cli.options import json_option, mapping_option, parsed_mapping
from plyscope.visualizer.cli.terminal import StatusLine, counted, logs_in, read_shown

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.check.baseline import Known
    from plyscope.visualizer.analysis.check.report import Finding, Report
    from plyscope.visualizer.analysis.check.text import Found
    from plyscope.visualizer.store.log import Log

SEVERITIES: Final = ("wrong", "waste", "odd")
COLOURS: Final = {"wrong": "red", "waste": "yellow", "odd": "cyan"}
COUNTED: Final = {None: ("wrong",), "waste": ("wrong", "waste"), "odd": ("wrong", "waste", "odd")}
"""Which severities end the command with 1, by `--fail-on`."""

MOST_WRITTEN: Final = 1000
"""Findings of a log in the answer for machines; the rest is counted."""


@click.command()
@click.argument("logs", metavar="LOG…", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="LOG",
    help="Compare with another search of the same position, say, one without a table.",
)
@click.option("--fail-on", type=click.Choice(["waste", "odd"]), help="End with 1 on these as well.")
@click.option(
    "--ignore",
    multiple=True,
    metavar="RULE,…",
    callback=lambda context, option, given: _named(given),
    help="Leave rules out; may be given again.",
)
@click.option(
    "--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Known findings: not counted again."
)
@click.option(
    "--write-baseline",
    "new_baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what is found to FILE, to be known from now on, and end with 0.",
)
@click.option("--list", "list_rules", is_flag=True, help="List the rules: reason, severity, needed fields.")
@click.option("--all", "show_all", is_flag=True, help="Show every finding, not the first of each rule.")
@json_option
@mapping_option
def check(
    logs: tuple[Path, ...],
    against: Path | None,
    fail_on: str | None,
    ignore: tuple[str, ...],
    baseline: Path | None,
    new_baseline: Path | None,
    list_rules: bool,
    show_all: bool,
    as_json: bool,
    mapping: str | None,
) -> None:
    """Check what each LOG (a file, or a folder of logs) claims.

    Exit 0 if nothing is wrong, 1 if something is, 2 if a log cannot be read.
    """
    if list_rules:
        _list_rules(as_json)
        return
    if not logs:
        raise click.UsageError("Which log? `plyscope check LOG`, or `--list` for the rules.")
    _refuse_unknown(ignore)
    from plyscope.visualizer.analysis.check.baseline import known_in

    known: Known = frozenset() if baseline is None else known_in(baseline)
    fields = parsed_mapping(mapping)
    other = None if against is None else read_shown(against, fields)
    answers: list[dict[str, Any]] = []
    checked: list[Checked] = []
    unreadable = False
    paths = [path for each in logs for path in logs_in(each)]
    for path in paths:
        try:
            log = read_shown(path, fields)
            _tell(path if len(paths) > 1 else None, log, fields)
            done = _check_one(path, log, other, ignore, known)
        except click.ClickException as error:
            unreadable = True
            click.echo(f"plyscope: {' '.join(error.message.split())}", err=True)
            answers.append({"log": str(path), "error": error.message})
            continue
        if as_json:
            answers.append(done.as_json())
        else:
            if checked:
                click.echo()
            _print(done, show_all)
        checked.append(done)
    if as_json:
        import orjson

        click.echo(orjson.dumps({"logs": answers}).decode())
    elif len(paths) > 1:
        click.echo(f"\n{_total(checked, len(paths))}")
    if new_baseline is not None and unreadable:
        click.echo(f"plyscope: {new_baseline} was not written, since a log was not checked", err=True)
    elif new_baseline is not None:
        from plyscope.visualizer.analysis.check.baseline import write

        count = write(new_baseline, ((done.name, done.everything()) for done in checked))
        click.echo(f"plyscope: wrote {counted(count, 'finding')} to {new_baseline}", err=True)
    is_failed = new_baseline is None and any(
        done.counts[each] for done in checked for each in COUNTED[fail_on]
    )
    sys.exit(2 if unreadable else 1 if is_failed else 0)


def _tell(path: Path | None, log: Log, mapping: Mapping[str, str] | None) -> None:
    """Say on standard error what the reader has to tell, after the log's name where there are several."""
    name = "" if path is None else f"{path}: "
    for notice in log.notices:
        click.echo(f"plyscope: {name}{notice}", err=True)
    if mapping and not log.mapping:
        click.echo(f"plyscope: {name}--map was not used: the log names its fields as we do", err=True)


def _total(checked: Sequence[Checked], n_logs: int) -> str:
    """How many of several logs are clean, and what was found in the others together."""
    n_clean = sum(not any(each.counts.values()) for each in checked)
    sums = [(sum(each.counts[name] for each in checked), name) for name in SEVERITIES]
    found = ", ".join(f"{n:,} {name}" for n, name in sums if n)
    parts = [f"{n_clean:,} without findings", *([found] if found else [])]
    if n_logs > len(checked):
        parts.append(f"{n_logs - len(checked):,} not read")
    return f"{counted(n_logs, 'log')}: {', '.join(parts)}"


@dataclass(frozen=True)
class Checked:
    """One log after the check: its report, what the comparison with another log found, what is known."""

    name: str
    report: Report
    compared: Sequence[Finding]
    asked: Sequence[str]
    """The rules that were asked, `against` too where the log was compared."""
    known: Known

    def everything(self) -> list[Finding]:
        """Every finding, known ones too, gravest first."""
        found = [*self.report.findings(), *self.compared]
        return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))

    @cached_property
    def fresh(self) -> list[Finding]:
        """Every finding that is not known."""
        from plyscope.visualizer.analysis.check.baseline import is_known

        return [finding for finding in self.everything() if not is_known(finding, self.known)]

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many findings count, by severity."""
        if self.known or self.compared:
            return {each: sum(finding.severity == each for finding in self.fresh) for each in SEVERITIES}
        return dict(self.report.counts)

    @property
    def n_known(self) -> int:
        """How many findings the baseline has."""
        return len(self.report) + len(self.compared) - sum(self.counts.values())

    def found(self, limit: int | None) -> list[Found]:
        """What counts, by rule, with the first `limit` findings of each."""
        from plyscope.visualizer.analysis.check.against import REASON
        from plyscope.visualizer.analysis.check.rules import RULES
        from plyscope.visualizer.analysis.check.text import Found, found_in

        if not self.known and not self.compared:
            return found_in(self.report, limit)
        by_kind: dict[tuple[str, str], list[Finding]] = {}
        for finding in self.fresh:
            by_kind.setdefault((finding.rule, finding.severity), []).append(finding)
        return [
            Found(
                name,
                severity,
                RULES[name].reason if name in RULES else REASON,
                len(findings),
                findings[:limit],
            )
            for (name, severity), findings in by_kind.items()
        ]

    def as_json(self) -> dict[str, Any]:
        """The answer for machines, as `docs/check.md` has it."""
        answer = self.report.as_json(self.name, MOST_WRITTEN)
        if not self.known and not self.compared:
            return answer | {"checked": list(self.asked)}
        groups = [
            {"rule": each.rule, "severity": each.severity, "count": each.count, "first": each.findings[0].row}
            for each in self.found(1)
        ]
        return answer | {
            "counts": self.counts,
            "checked": list(self.asked),
            "known": self.n_known,
            "findings": [finding.as_json() for finding in self.fresh[:MOST_WRITTEN]],
            "more_findings": max(0, len(self.fresh) - MOST_WRITTEN),
            "groups": groups,
        }


def stage(name: str, part: float) -> str:
    """What the check of a log is at: before its first rows the rules are compiled, once on a machine.

    >>> stage("a.json", 0.0), stage("a.json", 0.25)
    ('checking a.json  compiling the rules, once on a machine …', 'checking a.json  25%')
    """
    at = f"{part:.0%}" if part > 0 else "compiling the rules, once on a machine …"
    return f"checking {name}  {at}"


def _check_one(path: Path, log: Log, other: Log | None, ignore: tuple[str, ...], known: Known) -> Checked:
    """Check one log, showing how far it is."""
    from plyscope.visualizer.analysis.check.run import check as check_log

    with StatusLine(tells_waits=True) as status:

        def tell(part: float) -> None:
            (status.show if part > 0 else status.wait)(stage(path.name, part))

        report = check_log(log, ignore=ignore, on_progress=tell)
        compared = [] if other is None else _compare(path, log, other)
        asked = report.checked if other is None else (*report.checked, "against")
    return Checked(str(path), report, compared, asked, known)


def _compare(path: Path, log: Log, other: Log) -> list[Finding]:
    from plyscope.visualizer.analysis.check.against import against
    from plyscope.visualizer.formats.errors import LogError

    try:
        return against(log, other)
    except LogError as error:
        raise click.ClickException(f"{path}: {error}") from None


def _print(done: Checked, show_all: bool) -> None:
    from plyscope.visualizer.analysis.check.text import FEW, lines

    found = done.found(None if show_all else FEW)
    report = done.report
    for line in lines(done.name, report.n_rows, done.asked, found, report.not_checked, done.n_known):
        severity = line.partition("  ")[0]
        click.echo(click.style(line, fg=COLOURS[severity], bold=True) if severity in COLOURS else line)


def _list_rules(as_json: bool) -> None:
    from plyscope.visualizer.analysis.check.rules import RULES

    if as_json:
        import orjson

        rules = [
            {"rule": rule.name, "severity": rule.severity, "reason": rule.reason, "needs": list(rule.needs)}
            for rule in RULES.values()
        ]
        click.echo(orjson.dumps({"rules": rules}).decode())
        return
    width = max(len(name) for name in RULES)
    for rule in RULES.values():
        click.echo(f"{rule.severity:<6} {rule.name:<{width}}  {rule.reason}")
        click.echo(f"{'':<6} {'':<{width}}  needs {', '.join(rule.needs)}")


def _named(given: Iterable[str]) -> tuple[str, ...]:
    """The names in lists that commas separate.

    >>> _named(["window,cut", " value "])
    ('window', 'cut', 'value')
    """
    return tuple(name for each in given for part in each.split(",") if (name := part.strip()))


def _refuse_unknown(names: Iterable[str]) -> None:
    """Raise BadParameter for a name that is no rule's, with those that are near."""
    from plyscope.visualizer.analysis.check.rules import RULES

    for name in names:
        if name not in RULES:
            near = ", ".join(get_close_matches(name, RULES, cutoff=0.4))
            meant = f"did you mean {near}?" if near else "`plyscope check --list` shows them."
            raise click.BadParameter(f"there is no rule {name!r}; {meant}", param_hint="--ignore")
