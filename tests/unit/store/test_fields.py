"""The table of fields: what it says reaches readers, writers, check, the pages and the browser."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from plyscope.visualizer.analysis.columns.sight import COLUMNS_SEEN, Sight
from plyscope.visualizer.analysis.nodes.node_json import node_json
from plyscope.visualizer.formats.field_files import MODULE, PAGE, ROOT, SCHEMA, files
from plyscope.visualizer.formats.write.write_json import write_json
from plyscope.visualizer.store.columns import PLACES
from plyscope.visualizer.store.fields import FIELDS, OWN, Field, entry_of
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of

SAMPLES: Final[dict[str, Any]] = {
    "score": 1.5,
    "low edge": -2.5,
    "high edge": 2.5,
    "amount": 0.25,
    "whole": 3,
    "flag": True,
    "text": "a text",
    "long text": "a long text",
    "player": "white",
    "key": "00000000000000ff",
    "id": 0,
    "numbers": [1.5],
    "named numbers": {"mobility": 1.5},
    "texts": ["b2"],
}
"""A value of each kind."""


def sample(field: Field) -> Any:
    if field.kind == "entry":
        return {each.inner_name: sample(each) for each in entry_of(field.name)}
    return next(iter(field.vocabulary.said)) if field.vocabulary else SAMPLES[field.kind]


@pytest.mark.parametrize("path", files())
def test_files_made_from_the_table_are_as_it_makes_them(path: str) -> None:
    made = files()[path]
    assert (ROOT / path).read_text("utf-8") == made, "python -m plyscope.visualizer.formats.field_files"


@pytest.mark.parametrize("field", OWN, ids=lambda field: field.name)
def test_what_a_node_states_of_a_field_is_read_written_and_answered(field: Field) -> None:
    node: dict[str, Any] = {"id": 0, field.name: sample(field)}
    if field.name in ("plies", "pre_scores"):
        node |= {"outcome": "pruned", "plies": ["b2"]}
    log = log_of(node, players=["white"], factors=["mobility"])
    assert log.extras is None
    named = SAMPLES[field.kind].values() if field.kind == "named numbers" else None
    said = node_json(Tree(log), 0, long_texts=True)[field.name]
    assert said == (list(named) if named else sample(field))
    write_json(log, out := io.BytesIO())
    if field.name != "id":  # written where it is not the number of the row
        assert json.loads(out.getvalue())["root"][field.name] == sample(field)


def test_no_two_fields_share_a_bit() -> None:
    bits = [field.bit for field in FIELDS.values() if field.bit]
    assert all(bit.bit_count() == 1 for bit in bits)
    assert len(bits) == len(set(bits))


@pytest.mark.parametrize("wrong", [{"view": ""}, {"view": "mover"}, {"kind": "word"}])
def test_a_row_that_says_no_view_or_no_words_is_refused(wrong: dict[str, Any]) -> None:
    said: dict[str, Any] = {"kind": "score", "view": "score", "group": "what came out", "meaning": "luck"}
    assert Field("luck", **said)
    with pytest.raises(ValueError, match="luck: a"):
        Field("luck", **said | wrong)


def test_check_sees_the_columns_that_the_table_says() -> None:
    checked = {field.column for field in FIELDS.values() if field.is_checked}
    assert {name for name in checked if name not in Sight._fields} == set()
    places = {column.name for column in PLACES}
    assert set(COLUMNS_SEEN) - places == checked & set(COLUMNS_SEEN)


MEANING = "nodes that the engine counted below"
ROW = f'Field("nodes_below", "amount", "what came out", "{MEANING}", is_mostly_whole=True),'
ASK = """
import io, json
from plyscope.visualizer.analysis.nodes.node_json import node_json
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.field_files import main
from plyscope.visualizer.formats.write.write_json import write_json
from plyscope.visualizer.store.tree import Tree
log = read_log(b'{"plyscope": 1, "root": {"score": 1, "nodes_below": 12}}')
main()
write_json(log, out := io.BytesIO())
print(json.dumps([log.extras is None, node_json(Tree(log), 0)["nodes_below"], out.getvalue().decode()]))
"""


def test_a_new_field_is_one_row(tmp_path: Path) -> None:
    """The whole program, with a row more: the field is read, written, answered, told on pages and shown."""
    for folder in ("plyscope", "engine", "visualizer", "docs", "static"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    table = tmp_path / "visualizer" / "store" / "fields.py"
    before, last, after = table.read_text("utf-8").rpartition('    Field("iteration"')
    table.write_text(f"{before}    {ROW}\n{last}{after}", "utf-8")
    run = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    is_known, said, written = json.loads(run.stdout.splitlines()[-1])
    assert (is_known, said) == (True, 12)
    assert '"nodes_below":12' in written
    page, schema, module = ((tmp_path / path).read_text("utf-8") for path in (PAGE, SCHEMA, MODULE))
    assert f"| `nodes_below` | number | {MEANING} |" in page
    assert json.loads(schema)["$defs"]["node"]["properties"]["nodes_below"]["description"] == MEANING
    assert f"[nodes_below] {MEANING}" in module
    shown = f"""
        import {{ nodeFields }} from "{(tmp_path / "static/draw/words.js").as_uri()}";
        const node = {{ id: 0, parent: null, level: 0, index: 0, n_children: 0, nodes_below: 12 }};
        console.log(JSON.stringify(nodeFields(node).find(({{ label }}) => label === "nodes below")));
    """
    assert json.loads(node(shown)) == {
        "label": "nodes below",
        "value": "12",
        "title": MEANING,
    }


def node(script: str) -> str:
    """The output of a JavaScript module, run by Node.js."""
    from playwright._impl._driver import compute_driver_executable

    command = [compute_driver_executable()[0], "--input-type=module", "-e", script]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
