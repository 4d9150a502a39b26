"""The table of fields: what it says reaches readers, writers, check, the pages and the browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable

from plyscope.visualizer.analysis.columns.sight import COLUMNS_SEEN, Sight
from plyscope.visualizer.store.columns import PLACES
from plyscope.visualizer.store.field_files import MODULE, PAGE, ROOT, SCHEMA, files
from plyscope.visualizer.store.fields import FIELDS, Field


@pytest.mark.parametrize("path", files())
def test_files_made_from_the_table_are_as_it_makes_them(path: str) -> None:
    made = files()[path]
    assert (ROOT / path).read_text("utf-8") == made, "python -m plyscope.visualizer.store.field_files"


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
from plyscope.visualizer.store.field_files import main
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
    command = [compute_driver_executable()[0], "--input-type=module", "-e", shown]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == {"label": "nodes below", "value": "12", "title": MEANING}
