"""`plyscope check` as a person types it: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Command

BUGS = Path(__file__).parents[3] / "examples" / "bugs"


def node(ply: str | None, score: float, layer: str, **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "score": score, "layer": layer, "bound": "exact", **fields}


def tree(score: float, **header: Any) -> dict[str, Any]:
    """A root over two replies worth 3 and 5: right is 5.

    root ── a 3
         └─ b 5
    """
    children = [node("a", 3, "min", outcome="leaf", depth=0), node("b", 5, "min", outcome="leaf", depth=0)]
    root = node(None, score, "max", outcome="searched", depth=1, children=children)
    return {"plyscope": 1, "search": {"fail": "soft"}, **header, "root": root}


def saved(path: Path, document: dict[str, Any]) -> Path:
    path.write_text(json.dumps(document))
    return path


@pytest.fixture
def right(tmp_path: Path) -> Path:
    return saved(tmp_path / "right.json", tree(5))


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    return saved(tmp_path / "wrong.json", tree(3))


def test_waste_ends_with_1_only_where_it_is_asked_to(plyscope: Command, tmp_path: Path) -> None:
    """A reply is searched with an open window though its sibling has come to 3."""
    document = tree(5)
    for each in (document["root"], *document["root"]["children"]):
        each |= {"alpha": None, "beta": None}
    log = saved(tmp_path / "waste.json", document)
    code, out, _ = plyscope("check", log)
    assert code == 0
    assert "1 waste" in out
    assert "waste  window-wide, 1: " in out
    assert plyscope("check", log, "--fail-on", "waste")[0] == 1
    assert plyscope("check", log, "--fail-on", "odd")[0] == 1


def test_rules_to_ignore_are_given_one_by_one_or_in_a_list(plyscope: Command, wrong: Path) -> None:
    listed = plyscope("check", wrong, "--ignore", "value,claim", "--ignore", "window")
    assert listed == plyscope("check", wrong, "--ignore", "value", "--ignore", "claim", "--ignore", "window")
    code, out, err = plyscope("check", wrong, "--ignore", "value, windw")
    assert (code, out) == (2, "")
    assert "there is no rule 'windw'; did you mean window" in err
    assert "--list" in plyscope("check", wrong, "--ignore", "qqqqqqqq")[2]


def test_several_logs_are_checked_and_one_that_cannot_be_read_ends_with_2(
    plyscope: Command, tmp_path: Path, wrong: Path, right: Path
) -> None:
    known, broken, gone = (tmp_path / name for name in ("known.baseline", "broken.json", "none.json"))
    known.write_text("kept")
    broken.write_text('{"plyscope": 1, "root": {"score": true}}')
    code, out, err = plyscope("check", wrong, broken, gone, right, "--write-baseline", known)
    assert (code, known.read_text()) == (2, "kept")
    assert (f"{wrong}: 3 rows" in out, f"{right}: 3 rows" in out) == (True, True)
    of_broken, of_gone, of_baseline = [line for line in err.splitlines() if line]
    assert of_broken.startswith(f"plyscope: {broken}: $.root.score")
    assert of_gone == f"plyscope: {gone}: the file cannot be read: No such file or directory"
    assert f"{known} was not written" in of_baseline


def test_a_known_finding_with_another_figure_is_new(plyscope: Command, tmp_path: Path, wrong: Path) -> None:
    known = tmp_path / "known.json"
    plyscope("check", wrong, "--write-baseline", known)
    moved = tree(3)
    moved["root"]["children"].insert(0, node("z", 1, "min", outcome="leaf", depth=0))
    assert plyscope("check", saved(tmp_path / "moved.json", moved), "--baseline", known)[0] == 0
    code, out, _ = plyscope("check", saved(tmp_path / "new.json", tree(2)), "--baseline", known)
    assert code == 1
    assert "known finding" not in out
    both = saved(tmp_path / "both.json", tree(3, result={"score": 4, "ply": "b"}))
    code, out, _ = plyscope("check", both, "--baseline", known)
    assert code == 1
    assert "2 known findings not counted" in out
    assert "result, 1: " in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no json", "no baseline"),
        ("[]", "expected an object with `logs`"),
        ('{"logs": [{"findings": 1}]}', "$.logs[0]: expected an object with a list of `findings`"),
        ('{"logs": [{"findings": [{}]}]}', "$.logs[0].findings[0]: expected an object with `rule`"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(
    plyscope: Command, tmp_path: Path, wrong: Path, text: str, words: str
) -> None:
    known = tmp_path / "known.json"
    known.write_text(text)
    code, out, err = plyscope("check", wrong, "--baseline", known)
    assert (code, out) == (2, "")
    assert err.startswith(f"plyscope: {known}")
    assert words in err


def test_texts_of_a_log_cannot_steer_the_terminal(plyscope: Command, tmp_path: Path) -> None:
    document = tree(5)
    leaf = node("c", 7, "max", outcome="leaf", depth=0)
    document["root"]["children"].append(
        node("x\n\x1b[2J", 2, "min", outcome="searched", depth=1, children=[leaf])
    )
    out = plyscope("check", saved(tmp_path / "odd.json", document))[1]
    assert "\x1b" not in out
    assert "  #3  x\\n\\x1b[2J\n" in out


def test_folders_inside_a_folder_are_not_checked_which_is_said(
    plyscope: Command, tmp_path: Path, right: Path
) -> None:
    (tmp_path / "deep" / "deeper.json").mkdir(parents=True)
    code, out, err = plyscope("check", tmp_path, "--json")
    assert (code, len(json.loads(out)["logs"])) == (0, 1)
    assert err == f"plyscope: {tmp_path}: 1 folder inside is not looked into; name it as well\n"
    code, _, err = plyscope("check", tmp_path / "deep")
    assert code == 2
    assert "no logs in this folder" in err
    assert err.endswith("; 1 folder inside is not looked into; name it as well\n")


def test_an_answer_as_json_is_a_baseline_too(plyscope: Command, tmp_path: Path) -> None:
    """Intervals, open ones too, are known again."""
    log, known = BUGS / "bug-bounds-as-exact.json", tmp_path / "known.json"
    known.write_text(plyscope("check", log, "--json")[1])
    code, out, _ = plyscope("check", log, "--baseline", known)
    assert (code, "clean" in out) == (0, True)


def test_notices_of_several_logs_name_the_log(plyscope: Command, right: Path, wrong: Path) -> None:
    _, _, err = plyscope("check", right, wrong, "--map", "score=value")
    assert all(f"{log}: The mapping was not used" in err for log in (right, wrong))
