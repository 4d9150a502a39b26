"""`plyscope convert`: read a log in any form, write it in the one that the ending of OUT names."""

from __future__ import annotations

from pathlib import Path

import click

from plyscope.visualizer.cli.options import existing_file, mapping_option, parsed_mapping
from plyscope.visualizer.cli.terminal import read_shown, write_shown


@click.command()
@click.argument("source", metavar="IN", type=existing_file())
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@mapping_option
def convert(source: Path, target: Path, mapping: str | None) -> None:
    """Write IN as OUT: `.json`, `.jsonl` or `.plyb` (compact), `.gz` or `.zst` of them, or `.parquet`."""
    from plyscope.visualizer.formats.write.files import check_target

    check_target(target)
    log = read_shown(source, parsed_mapping(mapping))
    for notice in log.notices:
        click.echo(f"plyscope: {notice}", err=True)
    write_shown(log, target)
