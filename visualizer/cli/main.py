"""The command `plyscope`: finds the module of each verb when it is called, and turns errors into one line."""

from __future__ import annotations

import importlib
import io
import re
import sys
from typing import Final

import click

from plyscope.version import __version__

COMMANDS: Final = {
    "view": "show logs in a browser",
    "search": "search a position and record the search",
    "check": "find what cannot be in a log",
    "diff": "compare two searches of a position",
    "explain": "say why this ply and not that one",
    "what-if": "what other weights would make of a search",
    "query": "find nodes by an expression over their fields",
    "convert": "write a log in another form",
    "stats": "figures of a search: levels, order, smaller limits, iterations",
    "picture": "the tree as textbooks draw it, as SVG, PNG or PDF",
    "replay": "the search as it ran, event by event",
    "library": "list and clear the converted logs in the cache",
    "quotient": "how often the randomness quotient plays each rank",
    "perft": "count the positions of a game by depth",
    "games": "list the games that can be searched",
    "match": "two players against each other, with ratings and their intervals",
    "tournament": "several players against each other, from a file",
    "tune": "find weights of an evaluation by playing",
    "lab": "published figures of other players, measured again beside ours",
    "uhp": "play Hive over the Universal Hive Protocol",
    "castle": "rank all plays of a turn by eight factors, for up to four players",
    "reversi": "answer one position of Reversi, solved exactly near the end",
    "bench": "search fixed positions: the engine's signature and speed",
}


class Verbs(click.Group):
    """The commands by name; only the one that runs is imported, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb's module; None where there is no such verb."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command = getattr(importlib.import_module(f"plyscope.visualizer.cli.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=Verbs)
@click.version_option(__version__, prog_name="plyscope")
def plyscope() -> None:
    """A search-tree debugger for game AI: record a search, walk its tree, find the bug."""


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and leave the process: 0 when it went well, 2 with one line when it did not.

    A pipe that was closed (`plyscope stats log | head`) ends it quietly. Text that the terminal's encoding
    lacks is escaped.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        plyscope.main(arguments, prog_name="plyscope", standalone_mode=False)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(2)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "plyscope"
        message = error.format_message()
        end = "" if message.endswith((".", "?")) else "."
        _fail(f"{message}{end} Try `{where} --help`.")
    except click.Abort:
        _fail("stopped", code=130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except (click.ClickException, ValueError, OSError) as error:
        if not _is_expected(error):
            raise
        _fail(error.format_message() if isinstance(error, click.ClickException) else _words(error))


def _is_expected(error: Exception) -> bool:
    """Whether this error is about what the user gave us; a programmer's ValueError keeps its traceback."""
    from plyscope.engine.game import GameError
    from plyscope.engine.match.errors import MatchError
    from plyscope.engine.options import OptionError
    from plyscope.visualizer.analysis.query.errors import QueryError
    from plyscope.visualizer.formats.errors import LogError

    refusals = (LogError, GameError, MatchError, OptionError, QueryError)
    return isinstance(error, (click.ClickException, OSError, *refusals))


def _words(error: Exception) -> str:
    from plyscope.engine.options import OptionError

    if isinstance(error, OptionError):
        return as_options(str(error))
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def as_options(message: str) -> str:
    """A message of the engine on an option of its own, in the names of the command line.

    >>> as_options("table_depth: there is no table to use; expected a size, such as table=16")
    '--table-depth: there is no table to use; expected a size, such as --table 16'
    """
    name, colon, rest = message.partition(": ")
    if colon and name.isidentifier():
        message = f"--{name.replace('_', '-')}: {rest}"
    message = re.sub(r"\b(\w+)=True\b", lambda found: "--" + found[1].replace("_", "-"), message)
    return re.sub(r"\b(\w+)=([\d.]+)", lambda found: f"--{found[1].replace('_', '-')} {found[2]}", message)


def _fail(message: str, code: int = 2) -> None:
    click.echo(f"plyscope: {' '.join(message.split())}", err=True)
    sys.exit(code)
