"""`plyscope study lab`: published tables and curves, measured again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli.terminal import ANY_FOLDER

EVERY = "all"


@click.command()
@click.argument("names", nargs=-1, metavar="[STUDY]...")
@click.option("--short", is_flag=True, help="The same on less: about a minute each.")
@click.option("--full", is_flag=True, help="As many games as published, where fewer are usual (Odd: hours).")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--workers", type=click.IntRange(1), help="Processes that play; by default all cores.")
@click.option(
    "--into",
    type=ANY_FOLDER,
    help="Write a page for each into this folder, with its pictures; else it is printed, without them.",
)
@click.option(
    "--games", type=ANY_FOLDER, help="Keep the games of matches in this folder, and go on there after a kill."
)
def lab(
    names: tuple[str, ...],
    short: bool,
    full: bool,
    seed: int,
    workers: int | None,
    into: Path | None,
    games: Path | None,
) -> None:
    """Measure published figures again, each beside ours: without a STUDY their list, `all` for all."""
    from plyscope.engine.match.workers import workers_of_machine
    from plyscope_studies.lab.lab import Lab
    from plyscope_studies.lab.report import Report
    from plyscope_studies.lab.studies import STUDIES, run_study

    if not names:
        width = max(map(len, STUDIES))
        for name, study in STUDIES.items():
            click.echo(f"{name:{width}}  {study.shows}")
        return
    for name in names:
        if name not in STUDIES and name != EVERY:
            raise click.UsageError(
                f"there is no study {name!r}; expected {EVERY} or one of {', '.join(STUDIES)}"
            )
    for name in STUDIES if EVERY in names else dict.fromkeys(names):
        with StatusLine(tells_waits=True) as status:
            status.show(f"{name} …")
            report = Report(name, STUDIES[name].title)
            told = partial(_tell, status, name)
            run_study(Lab(report, short, seed, workers or workers_of_machine(), games, full, told))
            written = [] if into is None else report.write(into)
        click.echo(report.markdown() if into is None else "\n".join(map(str, written)))


def _tell(status: StatusLine, name: str, text: str) -> None:
    status.show(f"{name}: {text}")
