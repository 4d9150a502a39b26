"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path

import click

mapping_option = click.option(
    "--map",
    "mapping",
    metavar="OURS=THEIRS,…",
    help="Which fields of a foreign tree are which: children=replies,score=value; "
    "'layer=max first' or 'layer=min first' says that the layers alternate.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="The same answer for machines.")


def parsed_mapping(text: str | None) -> dict[str, str] | None:
    """The mapping of `--map`; raises LogError for what is none."""
    if text is None:
        return None
    from plyscope.visualizer.formats.foreign.meaning.mapping import parse_mapping

    return dict(parse_mapping(text))


def existing_file() -> click.Path:
    """The type of an argument that names a file to read."""
    return click.Path(exists=True, dir_okay=False, path_type=Path)
