"""`plyscope explain`: why this ply and not that one."""

from __future__ import annotations

from pathlib import Path

import click

from plyscope.visualizer.cli.terminal import (
    EXISTING_FILE,
    game_option,
    json_option,
    mapping_option,
    open_log,
    print_json,
    say,
    tell_game,
)


@click.command()
@click.argument("log", type=EXISTING_FILE)
@click.option(
    "--node",
    metavar="PATH",
    help="The ply to explain: plies joined by ' > ' from the root, or #5 for an id. "
    "Default: the ply that was chosen.",
)
@click.option("--versus", metavar="PLY", help="The ply beside it to compare with. Default: the best other.")
@click.option(
    "--exact",
    is_flag=True,
    help="Search now a ply that has only a bound, or was not searched: with the settings of LOG, where "
    "Plyscope's engine wrote it.",
)
@click.option("--board", is_flag=True, help="Print the position after the ply too.")
@json_option
@mapping_option
@game_option
def explain(
    log: Path,
    node: str | None,
    versus: str | None,
    exact: bool,
    board: bool,
    as_json: bool,
    mapping: dict[str, str] | None,
) -> None:
    """Explain why one ply of LOG and not another: the margin by factor, and the line that decided each."""
    from plyscope.explaining import explain as explained
    from plyscope.log import tree_of

    read = open_log(log, mapping)
    if exact:
        tell_game(tree_of(read).log)
    try:
        found = explained(read, node, versus, exact=exact)
    except LookupError as error:
        raise click.ClickException(f"{log}: {error}") from None
    told = found.as_json()
    if board and found.chosen is not None:
        from plyscope.visualizer.board_text import board_text
        from plyscope.visualizer.boards import Boards

        told["board"] = Boards(tree_of(read).log).drawing(found.chosen.row)
    if as_json:
        print_json(told)
        return
    say(str(found).splitlines())
    if "board" in told:
        drawing, players = told["board"], tree_of(read).log.players
        click.echo(f"\nafter {found.chosen.ply}" if found.chosen and found.chosen.ply else "")
        click.echo(board_text(drawing, players) if "kind" in drawing else f"no board: {drawing['reason']}")
