"""Charts with axes are drawn under the page's policy, in its colours, and saved as pictures."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.page.conftest import module_address

DRAW = """async (address) => {
  const { drawChart } = await import(address);
  const place = document.createElement("div");
  place.id = "here";
  place.style.cssText = "position: fixed; inset: 60px 40px auto; z-index: 99; background: var(--pane)";
  document.body.append(place);
  const hold = () => () => (place.dataset.drawn = "true");
  const store = { get: () => ({ theme: "light" }), subscribe: () => () => {}, hold };
  const values = [{ depth: 1, score: 4 }, { depth: 2, score: -2.5 }, { depth: 3, score: 7 }];
  const spec = { data: { values }, height: 160, mark: { type: "line", point: true, color: "var(--good)" },
    encoding: { x: { field: "depth", type: "ordinal" }, y: { field: "score", type: "quantitative" } } };
  const caption = "Score by <b>depth</b>.";
  const table = { columns: ["depth", "score"], rows: values.map(({ depth, score }) => [depth, score]) };
  window.removeChart = drawChart(place, { name: "scores", caption, spec, table }, store);
}"""


def drawn(page: Page) -> Page:
    """The page with a chart on it."""
    page.evaluate(DRAW, module_address(page, "views/chart.js"))
    page.locator("#here[data-drawn=true] svg.marks").wait_for()
    return page


def test_a_chart_is_drawn_under_the_policy_in_the_page_s_colours(tree: Page) -> None:
    refused: list[str] = []
    tree.on(
        "console",
        lambda message: refused.append(message.text) if "Content Security" in message.text else None,
    )
    page = drawn(tree)
    assert page.locator("#here .mark-line path").count() == 1
    assert page.locator("#here .mark-symbol path").count() == 3
    good = page.evaluate(
        """() => {
          const it = document.createElement("i");
          it.style.color = "var(--good)";
          document.body.append(it);
          return getComputedStyle(it).color;
        }"""
    )
    assert page.locator("#here .mark-line path").get_attribute("stroke") == good
    assert refused == []
    expect(page.get_by_label("Score by <b>depth</b>.").first).to_be_visible()
    page.evaluate("removeChart()")
    assert page.locator("#here > *").count() == 0


def test_its_figures_are_a_table_too(tree: Page) -> None:
    page = drawn(tree)
    page.get_by_role("button", name="As a table").click()
    cells = page.locator("#here td").all_inner_texts()
    assert cells == ["1", "4", "2", "-2.5", "3", "7"]
    assert page.locator("#here svg.marks").is_hidden()
    page.get_by_role("button", name="As a table").click()
    assert page.locator("#here svg.marks").is_visible()


def test_the_picture_is_saved_as_svg_and_png(tree: Page) -> None:
    page = drawn(tree)
    for ending, begins in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save the picture as {ending.upper()}").click()
        assert download.value.suggested_filename == f"scores.{ending}"
        assert download.value.path().read_bytes().startswith(begins)
