"""`plyscope query`: the nodes for which an expression over their fields is true."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.engine.quoting import counted, visible
from plyscope.visualizer.cli import terminal

if TYPE_CHECKING:
    from plyscope.querying import Hits
    from plyscope.visualizer.analysis.query.data_set import FileHits

FEW: Final = 50
"""Rows that are printed where nobody says how many."""
LONGEST: Final = 60
"""Characters of a cell on a terminal; a path is shown whole."""


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG")
@click.argument("expression", metavar="EXPR")
@click.option(
    "--columns",
    metavar="A,B,…",
    help="Fields to show beside id and path; by default those of EXPR, score, outcome.",
)
@click.option(
    "--sort", metavar="VALUE", help="Sort by a field or a value, such as 'abs(static - score)'; unknown last."
)
@click.option("--desc", "descending", is_flag=True, help="The greatest first.")
@click.option(
    "--limit",
    type=click.IntRange(0),
    metavar="N",
    help=f"Show so many rows; by default {FEW} on the screen and in JSON, all in a file and in CSV.",
)
@click.option(
    "-o",
    "--output",
    type=terminal.ANY_FILE,
    metavar="FILE",
    help="Write the rows to FILE, a .csv or .parquet.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print the rows as CSV.")
@terminal.json_option
@terminal.mapping_option
@terminal.game_option
def query(
    logs: tuple[str, ...],
    expression: str,
    columns: str | None,
    sort: str | None,
    descending: bool,
    limit: int | None,
    output: Path | None,
    as_csv: bool,
    as_json: bool,
    mapping: dict[str, str] | None,
) -> None:
    """Find the nodes of LOG for which EXPR is true.

    LOG is one log in any form, or many as Parquet: a pattern in quotes such as 'logs/*.parquet', or a folder.

    EXPR is a condition over the fields of nodes, such as "layer = 'min' and score < -50",
    "abs(static - score) > 200", "nodes_below > 1000" or "parent.score != score"; the language is in
    docs/query.md.
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json are two forms of the same rows; give one of them.")
    if output is not None:
        from plyscope.visualizer.analysis.query.table import refuse_ending

        refuse_ending(output)
    goes_out_whole = output is not None or as_csv
    asked: dict[str, Any] = {
        "columns": None
        if columns is None
        else [each for part in columns.split(",") if (each := part.strip())],
        "sort": sort,
        "descending": descending,
        "limit": limit if limit is not None else None if goes_out_whole else FEW,
    }
    hits: Hits | FileHits
    if len(logs) > 1 or _are_many(logs[0]):
        from plyscope.querying import query_files

        if mapping is not None:
            raise click.UsageError("--map is for one log; files of Parquet name their fields as we do.")
        hits = query_files(logs, expression, **asked)
    else:
        from plyscope.querying import query as find

        terminal.EXISTING_FILE.convert(logs[0], None, click.get_current_context())
        hits = find(terminal.open_log(Path(logs[0]), mapping), expression, **asked)
    if not as_json:
        terminal.tell_notices(hits.notices)
    if output is not None:
        hits.write(output)
        terminal.remark(
            f"wrote {counted(len(hits), 'row')} to {output}: {terminal.size_words(output.stat().st_size)}"
        )
    if as_json:
        terminal.print_json(hits.as_json())
    elif as_csv:
        _print_csv(hits)
    elif output is None:
        _print(hits)


def _are_many(log: str) -> bool:
    """Whether this names many files: a folder, or a pattern."""
    path = Path(log)
    return path.is_dir() or (not path.exists() and any(sign in log for sign in "*?["))


def _print_csv(hits: Hits | FileHits) -> None:
    """Print the file that `-o hits.csv` would write."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hits.csv"
        hits.write(path)
        with path.open("rb") as file:
            sys.stdout.flush()
            shutil.copyfileobj(file, sys.stdout.buffer)


def _print(hits: Hits | FileHits) -> None:
    from plyscope.querying import Hits

    shown = "" if len(hits) == hits.total else f", the first {len(hits):,} of them:"
    among = "" if isinstance(hits, Hits) else f" in {counted(hits.n_files, 'file')}"
    click.echo(f"{counted(hits.total, 'hit')}{among}{shown}")
    if not len(hits):
        return
    answer = hits.as_json()
    ends = ["path"] if isinstance(hits, Hits) else ["file", "path"]
    names: Sequence[str] = ["id", *answer["columns"], *ends]
    signs, none = hits.signs(), [""] * len(hits)
    lines = [
        [signs.get(name, none)[at] + _cell(row[name], None if name in ends else LONGEST) for name in names]
        for at, row in enumerate(answer["rows"])
    ]
    widths = [max(len(line[at]) for line in [list(names), *lines]) for at in range(len(names) - 1)]
    click.echo()
    padded = [
        [cell.rjust(width) for cell, width in zip(line, widths, strict=False)] for line in [names, *lines]
    ]
    terminal.say("  ".join([*cells, line[-1]]) for cells, line in zip(padded, [names, *lines], strict=True))


def _cell(value: Any, longest: int | None) -> str:
    """A value on one line of a terminal.

    >>> _cell(None, None), _cell(-50.0, None), _cell(True, None), _cell("a\\nb", None)
    ('', '-50', 'true', 'a\\\\nb')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = visible(f"{value:.10g}" if isinstance(value, float) else str(value))
    return text if longest is None or len(text) <= longest else text[: longest - 1] + "…"
