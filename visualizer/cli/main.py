"""The command `plyscope`: finds the module of each verb when it is called, and turns errors into one line."""

from __future__ import annotations

import importlib
import io
import re
import shlex
import sys
from difflib import get_close_matches
from typing import Final

import click

from plyscope.engine.former import left
from plyscope.version import __version__
from plyscope.visualizer.memory_limit import bound_memory, want_of_memory

SECTIONS: Final = {
    "Look at a search": {
        "view": ("look.view", "show logs in a browser"),
        "check": ("look.check", "find what cannot be in a log"),
        "explain": ("look.explain", "say why this ply and not that one"),
        "stats": ("look.stats", "figures of a search: levels, order, smaller limits, iterations"),
        "query": ("look.query", "find nodes by an expression over their fields"),
        "what-if": ("look.diff", "what other weights would make of a search"),
        "diff": ("look.diff", "compare two searches of a position"),
        "worst": ("look.stats", "the plies of a game that lost the most"),
        "replay": ("look.explain", "the search as it ran, event by event"),
        "share": ("look.picture", "a log as one HTML file, which opens without a server"),
        "picture": ("look.picture", "the tree as textbooks draw it, as SVG, PNG or PDF"),
    },
    "Record and play": {
        "search": ("play.search", "search a position and record the search"),
        "play": ("play.play", "play against an agent, and see why it played so"),
        "match": ("play.match", "two players against each other, with ratings and their intervals"),
        "tournament": ("play.match", "several players against each other, from a file"),
        "suite": ("play.suite", "solve a suite of positions (EPD) by one player or two"),
        "tune": ("play.tune", "find weights of an evaluation by playing"),
        "uhp": ("play.uhp", "play Hive over the Universal Hive Protocol"),
        "uci": ("play.uci", "have an engine search over UCI, and keep what it says as a log"),
        "games": ("play.games", "list the games that can be searched"),
        "perft": ("play.perft", "count the positions of a game by depth"),
        "quotient": ("play.perft", "how often the randomness quotient plays each rank"),
        "bench": ("play.bench", "search fixed positions: the engine's signature and speed"),
    },
    "Files": {
        "convert": ("files", "write a log in another form"),
        "library": ("files", "list and clear the converted logs in the cache"),
    },
    "Other people's players": {
        "study": ("study", "what an installed package brings, such as plyscope-studies"),
    },
}
"""The commands as the help lists them: each by its name, with its module and what it is for."""

COMMANDS: Final = {name: told for section in SECTIONS.values() for name, told in section.items()}
READERS: Final = {*SECTIONS["Look at a search"], *SECTIONS["Files"]} - {"view"}
"""Commands that read logs in their own process, with as much memory as a viewer's readers may take."""
LEFT: Final = ("castle", "lab", "reversi")
"""Commands that have left for the package plyscope-studies."""


class Verbs(click.Group):
    """The commands by name; only the one that runs is imported, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order in which the help has them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb's module; None where there is none. Raises ClickException for one that left."""
        if cmd_name in LEFT:
            raise click.ClickException(left(cmd_name, f"run `plyscope study {cmd_name}`"))
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"plyscope.visualizer.cli.{COMMANDS[cmd_name][0]}")
        command = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs by section, without importing them."""
        width = max(map(len, COMMANDS))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{width}}", says) for name, (_, says) in commands.items()])


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
    given = sys.argv[1:] if arguments is None else arguments
    try:
        if arguments is None and READERS.intersection(given[:1]):  # else the process is somebody else's
            bound_memory()
        plyscope.main(given, prog_name="plyscope", standalone_mode=False, obj=tuple(given))
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(2)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "plyscope"
        message = _with_nearest(error)
        end = "" if message.endswith((".", "?")) else "."
        _fail(f"{message}{end} Try `{where} --help`.")
    except click.Abort:
        _fail("stopped", code=130)
    except MemoryError:
        _fail(want_of_memory(shlex.join(given)))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except (click.ClickException, ValueError, OSError) as error:
        if not _is_expected(error):
            raise
        _fail(error.format_message() if isinstance(error, click.ClickException) else _words(error))


def _with_nearest(error: click.UsageError) -> str:
    """The message; where a command was misspelt, with the one that is meant. Of options click says that."""
    message = error.format_message()
    named = re.match(r"No such command '(.*?)'\.", message)
    if named is None or error.ctx is None or not isinstance(error.ctx.command, click.Group):
        return message
    nearest = get_close_matches(named[1].lower(), error.ctx.command.list_commands(error.ctx), n=1)
    return f"No such command {named[1]!r}; did you mean {nearest[0]}?" if nearest else message


def _is_expected(error: Exception) -> bool:
    """Whether this error is about what the user gave us; a programmer's ValueError keeps its traceback."""
    from plyscope.engine.game import GameError
    from plyscope.engine.match.errors import MatchError
    from plyscope.engine.option import OptionError
    from plyscope.visualizer.analysis.query.errors import QueryError
    from plyscope.visualizer.formats.errors import LogError

    refusals = (LogError, GameError, MatchError, OptionError, QueryError)
    return isinstance(error, (click.ClickException, OSError, *refusals))


def _words(error: Exception) -> str:
    from plyscope.engine.option import OptionError

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
