"""`plyscope check` as a person types it: what it prints, and how it ends.

One verb with all its options: they share the same two logs, so they stand together past 300 lines.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE
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


@pytest.fixture
def waste() -> dict[str, Any]:
    """A reply that is searched with an open window though its sibling has come to 3."""
    child = {"alpha": None, "beta": None, "outcome": "leaf"}
    children = [node("a", 3, "min", **child), node("b", 5, "min", **child)]
    return {
        "plyscope": 1,
        "search": {"fail": "soft"},
        "root": node(None, 5, "max", alpha=None, beta=None, outcome="searched", children=children),
    }


def test_a_clean_log_says_so_and_what_was_checked(plyscope: Command, right: Path) -> None:
    code, out, _ = plyscope("check", right)
    assert code == 0
    assert out.startswith(f"{right}: 3 rows, ")
    assert "rules asked: clean\n" in out
    assert "checked: nan, " in out
    assert " value, " in out


def test_a_wrong_log_ends_with_1_and_tells_node_figures_and_how_to_reproduce(
    plyscope: Command, wrong: Path
) -> None:
    code, out, _ = plyscope("check", wrong)
    assert code == 1
    lines = out.splitlines()
    assert lines[0].endswith("2 wrong")
    assert lines[2].startswith("wrong  value, 1: ")
    assert lines[3] == "  #0  root"
    assert "5" in lines[4]
    assert "3" in lines[4]
    assert lines[5] == "      reproduce: at the root; depth 1; fail soft"


def test_rules_that_lack_fields_are_told_with_the_fields(plyscope: Command, right: Path) -> None:
    out = plyscope("check", right, "--all")[1]
    missing = out.partition("\nnot checked\n")[2]
    assert "needs `moves` (1 node): moves" in missing or "needs `moves` (3 nodes): moves" in missing
    assert "`alpha`, `beta`" in missing


def test_what_was_not_judged_is_one_line_and_the_rules_wait_for_all(plyscope: Command, right: Path) -> None:
    out = plyscope("check", right)[1]
    assert "\nnot checked\n" not in out
    (said,) = [line for line in out.splitlines() if line.startswith("not judged: ")]
    assert said.startswith("not judged: who wins, since no `ending`; legality, since no `game`; ")
    assert re.search(r"^\d+ rules could not be asked \(--all says why\)$", out, re.MULTILINE)
    every = plyscope("check", right, "--all")[1]
    assert "whether plies are taken back, since no `key`" in " ".join(every.split())
    told = json.loads(plyscope("check", right, "--json")[1])["logs"][0]["not_judged"]
    assert told[:2] == [{"what": "who wins", "why": "no `ending`"}, {"what": "legality", "why": "no `game`"}]


def test_waste_ends_with_1_only_where_it_is_asked_to(
    plyscope: Command, tmp_path: Path, waste: dict[str, Any]
) -> None:
    log = saved(tmp_path / "waste.json", waste)
    code, out, _ = plyscope("check", log)
    assert code == 0
    assert "1 waste" in out
    assert "waste  window-wide, 1: " in out
    assert plyscope("check", log, "--fail-on", "waste")[0] == 1
    assert plyscope("check", log, "--fail-on", "odd")[0] == 1


def test_an_ignored_rule_is_not_asked(plyscope: Command, wrong: Path) -> None:
    code, out, _ = plyscope("check", wrong, "--ignore", "value", "--ignore", "claim")
    assert code == 0
    assert "clean" in out
    assert "value" not in out


def test_rules_to_ignore_are_given_one_by_one_or_in_a_list(plyscope: Command, wrong: Path) -> None:
    listed = plyscope("check", wrong, "--ignore", "value,claim", "--ignore", "window")
    assert listed == plyscope("check", wrong, "--ignore", "value", "--ignore", "claim", "--ignore", "window")
    assert "no rule 'windw'" in plyscope("check", wrong, "--ignore", "value, windw")[2]


def test_a_rule_to_ignore_that_does_not_exist_is_refused_with_near_names(
    plyscope: Command, wrong: Path
) -> None:
    code, out, err = plyscope("check", wrong, "--ignore", "windw")
    assert (code, out) == (2, "")
    assert err.startswith("plyscope: ")
    assert "there is no rule 'windw'; did you mean window" in err
    assert "--list" in plyscope("check", wrong, "--ignore", "qqqqqqqq")[2]


def test_of_many_findings_the_first_are_shown_and_all_on_request(plyscope: Command) -> None:
    log = BUGS / "bug-lost-alpha.json"
    few, everything = plyscope("check", log)[1], plyscope("check", log, "--all")[1]
    assert "  … 371 more (--all shows them)\n" in few
    assert few.count("reproduce: ") == 6
    assert everything.count("reproduce: ") == 374 + 40
    assert "more (" not in everything


def test_several_logs_are_checked_and_one_that_cannot_be_read_ends_with_2(
    plyscope: Command, tmp_path: Path, wrong: Path, right: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"plyscope": 1, "root": {"score": true}}')
    code, out, err = plyscope("check", wrong, broken, tmp_path / "none.json", right)
    assert code == 2
    assert f"{wrong}: 3 rows" in out
    assert f"{right}: 3 rows" in out
    lines = [line for line in err.splitlines() if line]
    assert len(lines) == 2
    assert lines[0].startswith(f"plyscope: {broken}: $.root.score")
    assert (
        lines[1] == f"plyscope: {tmp_path / 'none.json'}: the file cannot be read: No such file or directory"
    )


def test_no_log_at_all_is_asked_for(plyscope: Command) -> None:
    code, _, err = plyscope("check")
    assert code == 2
    assert err.startswith("plyscope: Which log?")


def test_the_answer_for_machines_has_its_documented_shape(
    plyscope: Command, tmp_path: Path, wrong: Path, right: Path
) -> None:
    code, out, _ = plyscope("check", wrong, right, tmp_path / "none.json", "--json")
    assert code == 2
    first, second, third = json.loads(out)["logs"]
    shape = {"log", "rows", "counts", "findings", "more_findings", "groups", "checked"}
    assert set(first) == set(second) == shape | {"not_judged", "not_checked"}
    assert first["log"] == str(wrong)
    assert first["counts"] == {"wrong": 2, "waste": 0, "odd": 0}
    finding = first["findings"][0]
    assert finding["message"]
    assert finding["reproduce"] == "at the root; depth 1; fail soft"
    told = {name: finding[name] for name in ("rule", "severity", "node", "path", "expected", "found")}
    assert told == {
        "rule": "value",
        "severity": "wrong",
        "node": 0,
        "path": "root",
        "expected": 5.0,
        "found": 3.0,
    }
    assert first["groups"][0] == {"rule": "value", "severity": "wrong", "count": 1, "first": 0}
    assert {"rule", "needs", "n_nodes", "why"} == set(first["not_checked"][0])
    assert second["findings"] == []
    assert set(third) == {"log", "error"}


@pytest.mark.parametrize("by", ["--write-baseline", "--json"])
def test_known_findings_are_not_counted_again(
    plyscope: Command, tmp_path: Path, wrong: Path, by: str
) -> None:
    known = tmp_path / "known.json"
    if by == "--json":
        known.write_text(plyscope("check", wrong, "--json")[1])
    else:
        code, _, err = plyscope("check", wrong, "--write-baseline", known)
        assert code == 0
        assert f"wrote 2 findings to {known}" in err
    code, out, _ = plyscope("check", wrong, "--baseline", known)
    assert code == 0
    assert "2 known findings not counted" in out
    assert "clean" in out
    answer = json.loads(plyscope("check", wrong, "--baseline", known, "--json")[1])["logs"][0]
    assert answer["known"] == 2
    assert answer["counts"]["wrong"] == len(answer["findings"]) == len(answer["groups"]) == 0


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
        ('{"logs": [1]}', "$.logs[0]: expected an object with a list of `findings`"),
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


def test_every_rule_is_listed_with_what_it_needs(plyscope: Command) -> None:
    from plyscope.visualizer.analysis.check.rules import RULES

    code, out, _ = plyscope("check", "--list")
    assert code == 0
    for rule in RULES.values():
        assert f"{rule.severity:<6} {rule.name} " in out
        assert rule.text.reason in out
        assert f"needs {', '.join(rule.needs)}\n" in out
    rules = json.loads(plyscope("check", "--list", "--json")[1])["rules"]
    assert [rule["rule"] for rule in rules] == list(RULES)
    assert set(rules[0]) == {"rule", "severity", "reason", "needs"}


def test_another_search_of_the_position_shows_what_one_log_cannot(
    plyscope: Command, tmp_path: Path, right: Path
) -> None:
    """An evaluation that is wrong at b alone: each log is consistent, and they differ."""
    other = tree(4)
    other["root"]["children"][1]["score"] = 4
    reference = saved(tmp_path / "other.json", other)
    assert plyscope("check", reference)[0] == 0
    code, out, _ = plyscope("check", right, "--against", reference)
    assert code == 1
    assert "wrong  against, 2: " in out
    assert out.index("#2  b\n") < out.index("#0  root\n")
    assert "The score is 5 here and 4 in the other log, both exact at depth 0." in out
    code, out, _ = plyscope("check", right, "--against", right)
    assert code == 0
    assert ", against\n" in out
    answer = json.loads(plyscope("check", right, "--against", reference, "--json")[1])["logs"][0]
    assert answer["checked"][-1] == "against"
    assert answer["groups"] == [{"rule": "against", "severity": "wrong", "count": 2, "first": 2}]


def test_logs_that_cannot_be_compared_are_refused(plyscope: Command, tmp_path: Path, right: Path) -> None:
    here = saved(tmp_path / "here.json", tree(5, position="one"))
    there = saved(tmp_path / "there.json", tree(5, position="two"))
    code, _, err = plyscope("check", here, "--against", there)
    assert code == 2
    assert "the logs are of different positions, 'one' and 'two'" in err
    bare = saved(tmp_path / "bare.json", {"plyscope": 1, "root": {"score": 1}})
    code, _, err = plyscope("check", right, "--against", bare)
    assert code == 2
    assert "nothing to compare" in err


def test_a_foreign_tree_is_checked_with_the_mapping_given(plyscope: Command, tmp_path: Path) -> None:
    leaves = [{"move": "a", "worth": 3}, {"move": "b", "worth": 5}]
    log = saved(tmp_path / "own.json", {"who": "max", "worth": 3, "replies": leaves})
    code, out, _ = plyscope("check", log, "--map", "children=replies,score=worth,ply=move,layer=who")
    assert code == 1
    assert "wrong  value, 1: " in out


def test_texts_of_a_log_cannot_steer_the_terminal(plyscope: Command, tmp_path: Path) -> None:
    document = tree(5)
    leaf = node("c", 7, "max", outcome="leaf", depth=0)
    document["root"]["children"].append(
        node("x\n\x1b[2J", 2, "min", outcome="searched", depth=1, children=[leaf])
    )
    out = plyscope("check", saved(tmp_path / "odd.json", document))[1]
    assert "\x1b" not in out
    assert "  #3  x\\n\\x1b[2J\n" in out


@pytest.mark.parametrize("option", ["--against", "--baseline"])
def test_a_file_beside_the_log_that_is_not_there_is_named(
    plyscope: Command, right: Path, option: str
) -> None:
    code, out, err = plyscope("check", right, option, right.with_name("none.json"))
    assert (code, out) == (2, "")
    assert err.startswith("plyscope: ")
    assert err.count("\n") == 1
    assert f"{right.with_name('none.json')}: " in err


def test_the_logs_of_a_folder_are_checked_and_an_empty_one_is_refused(
    plyscope: Command, tmp_path: Path, right: Path, wrong: Path
) -> None:
    code, out, _ = plyscope("check", tmp_path)
    assert code == 1
    assert out.index(str(right)) < out.index(str(wrong))
    empty = tmp_path / "empty"
    empty.mkdir()
    code, _, err = plyscope("check", empty)
    assert code == 2
    assert str(empty) in err
    assert ".jsonl" in err
    assert "inside" not in err


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


def test_a_baseline_is_not_replaced_when_a_log_could_not_be_read(
    plyscope: Command, tmp_path: Path, right: Path
) -> None:
    known = tmp_path / "known.baseline"
    known.write_text("kept")
    code, _, err = plyscope("check", right, tmp_path / "missing.json", "--write-baseline", known)
    assert code == 2
    assert known.read_text() == "kept"
    assert f"{known} was not written" in err


@pytest.mark.parametrize("how", ["--json", "--write-baseline"])
@pytest.mark.parametrize("log", sorted(path.name for path in BUGS.glob("*.json")))
def test_either_form_of_baseline_knows_every_finding_again(
    plyscope: Command, tmp_path: Path, how: str, log: str
) -> None:
    """Intervals, open ones too, are written alike in both."""
    known = tmp_path / "known.json"
    if how == "--json":
        known.write_text(plyscope("check", BUGS / log, "--json")[1])
    else:
        plyscope("check", BUGS / log, how, known)
    code, out, _ = plyscope("check", BUGS / log, "--baseline", known)
    assert code == 0
    assert "clean" in out


def test_several_logs_end_with_their_sum(plyscope: Command, right: Path, wrong: Path) -> None:
    _, out, _ = plyscope("check", right, wrong, right.with_name("missing.json"))
    assert out.splitlines()[-1].startswith("3 logs: 1 without findings, ")
    assert out.splitlines()[-1].endswith(" wrong, 1 not read")


def test_notices_of_several_logs_name_the_log(plyscope: Command, right: Path, wrong: Path) -> None:
    _, _, err = plyscope("check", right, wrong, "--map", "score=value")
    assert f"{right}: The mapping was not used" in err
    assert f"{wrong}: The mapping was not used" in err


def test_a_small_log_is_checked_without_a_compiler(wrong: Path) -> None:
    program = (
        "import sys\nfrom plyscope.visualizer.cli.main import run\n"
        f"try:\n    run(['check', {str(wrong)!r}])\n"
        "except SystemExit as leave:\n    assert leave.code == 1, leave.code\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=PATIENCE)
