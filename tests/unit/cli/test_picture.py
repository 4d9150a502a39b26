"""`plyscope picture` and boards in the terminal: the same as from scripts, in files of three forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plyscope as face
from tests.unit.cli.conftest import Command

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
TEXTBOOK = EXAMPLES / "textbook-alpha-beta.json"


BUGS = EXAMPLES / "bugs"
IN_DOCS = {
    "textbook": (TEXTBOOK, "--windows"),
    "wrong-sign": (BUGS / "bug-wrong-sign.json", "--node", "b2 > c3 > a1"),
    "lost-alpha": (BUGS / "bug-lost-alpha.json", "--levels", "2", "--windows"),
    "five-lines": (),
}


@pytest.mark.parametrize("name", IN_DOCS)
def test_pictures_in_the_docs_are_those_of_the_command(plyscope: Command, tmp_path: Path, name: str) -> None:
    """`plyscope picture` with these arguments and `-o docs/images/NAME.svg` makes them anew."""
    arguments: tuple[object, ...] = IN_DOCS[name]
    if name == "five-lines":
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        start = readme.index('    {"plyscope": 1')
        log = tmp_path / "five-lines.json"
        log.write_text(readme[start : readme.index("\n\n", start)], encoding="utf-8")
        arguments = (log,)
    kept = ROOT / "docs" / "images" / f"{name}.svg"
    assert plyscope("picture", *arguments)[:2] == (0, kept.read_text(encoding="utf-8"))
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "README.md", *ROOT.glob("docs/*.md")))
    assert f"images/{name}.svg" in pages


def test_highlighted_nodes_are_named_to_the_command_and_the_function(plyscope: Command) -> None:
    log = face.open(TEXTBOOK)
    found = face.picture(log, "b", highlight=[log.node("b > a"), log.node(5)], windows=True)
    asked = ("--node", "b", "--windows", "--highlight", "b > a", "--highlight", "#5")
    assert plyscope("picture", TEXTBOOK, *asked) == (0, found.svg, "")
    assert face.picture(TEXTBOOK, "b", highlight="b > a", windows=True)._repr_svg_() == found.svg


def test_the_ending_names_the_form_and_a_png_has_so_many_pixels_for_each_of_the_svg(
    plyscope: Command, tmp_path: Path
) -> None:
    for ending, begins in (("SVG", b"<svg "), ("PDF", b"%PDF-"), ("PNG", b"\x89PNG")):
        target = tmp_path / f"tree.{ending}"
        assert plyscope("picture", TEXTBOOK, "-o", target, "--scale", 3) == (0, "", "")
        assert target.read_bytes().startswith(begins)
    tripled = int.from_bytes(target.read_bytes()[16:20], "big")
    plyscope("picture", TEXTBOOK, "-o", target, "--scale", 1)
    assert abs(tripled - 3 * int.from_bytes(target.read_bytes()[16:20], "big")) <= 3


def test_a_png_that_is_too_large_is_refused(plyscope: Command, tmp_path: Path) -> None:
    fan = {"plyscope": 1, "root": {"children": [{"ply": f"p{at}", "score": at} for at in range(3000)]}}
    path = tmp_path / "fan.json"
    path.write_text(json.dumps(fan), encoding="utf-8")
    code, _, err = plyscope("picture", path, "--children", 3000, "-o", tmp_path / "fan.png")
    assert code == 2
    assert "pixels is too large; write .svg or .pdf" in err
    assert plyscope("picture", path, "--children", 3000, "-o", tmp_path / "fan.svg")[0] == 0


def test_a_function_refuses_what_the_command_cannot_be_given() -> None:
    with pytest.raises(face.PictureError, match="levels: found -1"):
        face.picture(TEXTBOOK, levels=-1)
    with pytest.raises(face.PictureError, match="children: found 0"):
        face.picture(TEXTBOOK, children=0)
    other = face.open(TEXTBOOK)
    with pytest.raises(ValueError, match="another log"):
        face.picture(TEXTBOOK, other.main_root)


REVERSI = EXAMPLES / "reversi-midgame.json.gz"


def test_explain_prints_the_position_after_the_ply(plyscope: Command) -> None:
    without = plyscope("explain", REVERSI)[1]
    code, out, _ = plyscope("explain", REVERSI, "--board")
    assert (code, out[: len(without)]) == (0, without)
    board = out[len(without) :].splitlines()
    assert board[:3] == ["", "after f8", "   a   b   c   d   e   f   g   h"]
    assert board[10:] == [
        "8  .   .   b   b   b  [b]  .   .",
        "b: black disc, w: white disc; [ ] last ply, ( ) changed by it",
    ]
    assert json.loads(plyscope("explain", REVERSI, "--board", "--json")[1])["board"]["step"] == {"to": [5, 7]}


def test_explain_says_why_there_is_no_board(plyscope: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    log.write_text('{"plyscope": 1, "root": {"layer": "max", "children": [{"ply": "a", "score": 1}]}}')
    out = plyscope("explain", log, "--board")[1]
    assert "no board: the log does not say which game it is of" in out


def test_perft_prints_the_position_first(plyscope: Command) -> None:
    out = plyscope("perft", "tictactoe", 1, "--board")[1].splitlines()
    assert out[0].split() == ["a", "b", "c"]
    assert out[-1].startswith("9 leaves")
