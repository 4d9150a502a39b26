"""`plyscope tournament`: several players against each other, as a file names them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plyscope.visualizer.cli.options import existing_file, json_option
from plyscope.visualizer.cli.standings import match_options, shown_while, tell_results


@click.command()
@click.argument("file", type=existing_file())
@match_options
@json_option
def tournament(
    file: Path, output: Path | None, view: bool, no_browser: bool, as_json: bool, **asked: Any
) -> None:
    """Play all pairs of the agents in FILE, a TOML file; options go before what it states.

    \b
    game = "reversi"
    games = 10
    [agents]
    deep = {depth = 4, limit = 10}
    fast = "nodes=2000,algorithm=pvs"
    random = "random"
    """
    from plyscope.playing import play_tournament
    from plyscope.status import StatusLine

    with shown_while(output, view=view, browser=not no_browser) as target:
        with StatusLine(tells_waits=True) as status:
            results = play_tournament(file, status, {**asked, "output": target})
        tell_results(results, as_json=as_json)
