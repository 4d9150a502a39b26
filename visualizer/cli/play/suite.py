"""`plyscope suite`: positions with known best plies, solved by one agent or two."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli.terminal import (
    ANY_FOLDER,
    EXISTING_FILE,
    json_option,
    print_json,
    remark,
    write_shown,
)

if TYPE_CHECKING:
    from plyscope.engine.match.agents import Agent
    from plyscope.engine.match.suite import Choice, Problem


@click.command()
@click.argument("file", type=EXISTING_FILE, metavar="FILE.epd")
@click.argument("agents", nargs=-1, required=True, metavar="AGENT [AGENT]")
@click.option("--game", default="chess", show_default=True, help="The game of the positions.")
@click.option("--seed", type=click.IntRange(0), default=0, help="All that is drawn follows from it.")
@click.option("--logs", type=ANY_FOLDER, metavar="FOLDER", help="Write the searches that failed as logs.")
@json_option
def suite(
    file: Path, agents: tuple[str, ...], game: str, seed: int, logs: Path | None, as_json: bool
) -> None:
    """Have AGENT, as `match` takes them, choose a ply in each position of FILE.epd.

    `bm` are the plies that solve it, `am` those to avoid. Of two agents the positions are listed in which
    their choices differ, of one those that it failed.
    """
    from plyscope.engine.match.agents import read_agent
    from plyscope.engine.match.suite import choices, read_suite
    from plyscope.visualizer.cli.play.game import find_game

    if len(agents) > 2:
        raise click.UsageError("a suite is for one agent or two.")
    rules = find_game(game)
    problems = read_suite(rules, file.read_text("utf-8", "replace").splitlines())
    read = [read_agent(text) for text in agents]
    solved: list[list[Choice]] = []
    for agent in read:
        agent.check(rules)
        solved.append([])
        with StatusLine(tells_waits=True) as status:
            for choice in choices(rules, problems, agent, seed=seed, records=logs is not None):
                solved[-1].append(choice)
                status.show(f"{agent.name}: {len(solved[-1]):,} of {len(problems):,} …")
    paths = [] if logs is None else write_failed(problems, read, solved, logs)
    if as_json:
        print_json(answer(problems, read, solved))
        return
    for line in lines(problems, read, solved):
        click.echo(line)
    if paths:
        remark(f"wrote {len(paths)} logs to {logs}")


def write_failed(
    problems: Sequence[Problem], agents: Sequence[Agent], solved: Sequence[Sequence[Choice]], folder: Path
) -> list[Path]:
    """Write the failed searches of ours, by the number of the line and the agent."""
    from plyscope.visualizer.formats.seal.recording import log_from_recording

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, (agent, chosen) in enumerate(zip(agents, solved, strict=True), start=1):
        for problem, choice in zip(problems, chosen, strict=True):
            if choice.recording is not None and not choice.is_right:
                paths.append(folder / f"line{problem.number:04}-agent{number}.json.gz")
                write_shown(log_from_recording(choice.recording), paths[-1], says=False)
        if not agent.searches:
            remark(f"{agent.name} is no search of ours and has no logs")
    return paths


def lines(
    problems: Sequence[Problem], agents: Sequence[Agent], solved: Sequence[Sequence[Choice]]
) -> list[str]:
    """A line a position that one agent failed, or where two chose otherwise; then how many were solved."""
    said = []
    for problem, *chosen in zip(problems, *solved, strict=True):
        if len(chosen) == 2 and chosen[0].ply == chosen[1].ply:
            continue
        if len(chosen) == 1 and chosen[0].is_right:
            continue
        wanted = [
            f"{name} {' '.join(plies)}"
            for name, plies in (("bm", problem.best), ("am", problem.avoid))
            if plies
        ]
        plies = "  ".join(
            f"{each.ply or each.fault} {'solved' if each.is_right else 'failed'}" for each in chosen
        )
        said.append(f"{problem.name}: {plies}  ({', '.join(wanted)})")
    for agent, of_agent in zip(agents, solved, strict=True):
        n_right = sum(choice.is_right for choice in of_agent)
        said.append(f"{agent.name}: {n_right:,} of {len(problems):,} solved")
    return said


def answer(
    problems: Sequence[Problem], agents: Sequence[Agent], solved: Sequence[Sequence[Choice]]
) -> dict[str, object]:
    """The same for machines, of every position."""
    return {
        "agents": [agent.name for agent in agents],
        "solved": [sum(choice.is_right for choice in chosen) for chosen in solved],
        "positions": [
            {
                **{"line": problem.number, "id": problem.name, "position": problem.position},
                **{"bm": problem.best, "am": problem.avoid},
                "choices": [
                    {"ply": each.ply, "solved": each.is_right}
                    | ({} if each.fault is None else {"fault": each.fault})
                    for each in chosen
                ],
            }
            for problem, *chosen in zip(problems, *solved, strict=True)
        ],
    }
