"""`plyscope study`: the commands of installed packages, by entry points of the group `plyscope.commands`."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Final

import click

GROUP: Final = "plyscope.commands"
"""The group of entry points: a name, and a command of click."""
NONE: Final = "No study is installed; in a checkout of Plyscope: pip install ./studies"


class Studies(click.Group):
    """The installed studies; one is imported when it, or the list of all, is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in alphabetical order."""
        return sorted(point.name for point in entry_points(group=GROUP))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the study; raises ClickException where that fails, and for what is no command."""
        for point in entry_points(group=GROUP, name=cmd_name):
            try:
                command = point.load()
            except Exception as error:
                what = f"{type(error).__name__}: {error}"
                raise click.ClickException(f"study {cmd_name}: {point.value} gives {what}") from error
            if not isinstance(command, click.Command):
                raise click.ClickException(f"study {cmd_name}: {point.value} is no command of click")
            return command
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the studies by the first line of their help, whole."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(n, (c.help or "").partition("\n")[0]) for n, c in commands if c is not None])


@click.group(cls=Studies, invoke_without_command=True)
@click.pass_context
def study(context: click.Context) -> None:
    """Run a study that an installed package brings; without a name, list them."""
    if context.invoked_subcommand is None:
        names = study.list_commands(context)
        click.echo(context.get_help() if names else NONE)
