// @ts-check
/**
 * The one table of nodes, in the drawer below the tree: hits of a search or of an expression, children of a node,
 * visits of its position, findings of the check, changes from another log. Columns are chosen, headings sort, rows are
 * paged from the server; the current row is the selected node. Only visible rows are drawn, so that ten million rows
 * are no burden.
 */

import { differ } from "../../data/state.js";
import { findingAt, listedOf } from "./actions.js";
import { button, smallButton } from "../../draw/buttons.js";
import { html, renew } from "../../draw/element.js";
import { icon, layerMark } from "../../draw/icons.js";
import { apart, count, decimalsFor } from "../../draw/numbers.js";
import { fullScore, shortScore } from "../../draw/scores.js";
import { nodeName } from "../../draw/words.js";
import { changeCell, createKinds } from "../diff/changes.js";
import { createColourChoice } from "../colour/choice.js";
import { noteOn } from "../notes/actions.js";
import { createColumns } from "./columns.js";

/** @import { Listing, MountTab, State } from "../../data/types.js" */
/** @import { Digits } from "../../draw/numbers.js" */

/** Pixels of a row, as in the style sheet; and of the longest list that browsers scroll pixel by pixel. */
const ROW = 28;
const LONGEST = 8_000_000;
/** The least width of columns in pixels, where it is not 76. */
const WIDTHS = new Map([
  ["score", 90],
  ["change", 170],
  ["before", 130],
  ["now", 130],
]);
const SEPARATOR = " > ";
/** Pixels of a letter of a heading, so that headings and cells have one width; of a long heading its longest word counts. */
const LETTER = 7.2;
/** Pixels around the plies of a path. */
const AROUND_PATH = 32;
const KINDS = /** @type {const} */ ({
  search: "Hits of the search",
  hits: "Hits of the search",
  children: "Children of the node",
  visits: "Visits of the position",
  findings: "Findings of the check",
  changes: "Changes from the other log",
});
const SHORT = /** @type {const} */ ({
  search: "Hits",
  hits: "Hits",
  children: "Children",
  visits: "Visits",
  findings: "Findings",
  changes: "Changes",
});

/** @type {MountTab} */
export function mountRows({ head, body }, store, actions) {
  const title = html("h2.rows-title");
  const source = html("span.rows-source", { "data-asks": true, role: "group", "aria-label": "Rows of the table" });
  const sourceList = html("select.field.rows-source-list", {
    "data-asks": true,
    "aria-label": "Rows of the table",
    onchange: () => pickSource(/** @type {Listing["source"]} */ (sourceList.value)),
  });
  const columns = createColumns(actions);
  const choice = createColourChoice(actions);
  const colour = button("Colour", pickColour, {
    class: "button button-small rows-colour",
    "aria-haspopup": "true",
    title: "Colour the tree by a column or by what was asked",
  });
  const files = /** @type {const} */ (["csv", "parquet"]).map((form) =>
    html("a.button.button-small.rows-file", { download: "", "data-asks": true }, form === "csv" ? "CSV" : "Parquet"),
  );
  const space = html("div.rows-space", { role: "presentation" });
  const list = html("div.rows-list", { role: "listbox", tabindex: 0, onscroll: scrolled, onkeydown: keyed }, space);
  const names = html("div.rows-row.rows-names", { role: "group", "aria-label": "Sort by" });
  const kinds = createKinds(actions);
  const only = button("Only these", () => void actions.setOnly(store.get().only === null), {
    class: "button button-small rows-only",
    "data-asks": true,
    title: "Draw only these nodes and what stands above them; again: the tree as it was",
  });
  head.replaceChildren(
    title,
    source,
    sourceList,
    kinds.element,
    columns.element,
    html("span.rows-columns", { "data-asks": true }, colour, choice.list),
    only,
    ...files,
  );
  body.replaceChildren(names, list);
  let known = /** @type {Listing | null} */ (null);
  /** @type {Map<number, HTMLElement>} the rows that are drawn, by their place */
  const standing = new Map();

  /** The drawn height of the list, and whether its scroll bar stands for more rows than fit that height. */
  const length = () => Math.min(LONGEST, (known?.total ?? 0) * ROW);
  const inSight = () => Math.ceil(list.clientHeight / ROW) + 1;

  /** The first row in sight. */
  function firstRow() {
    const total = known?.total ?? 0;
    if (total * ROW <= LONGEST) return Math.floor(list.scrollTop / ROW);
    return Math.floor((list.scrollTop / Math.max(1, LONGEST - list.clientHeight)) * Math.max(0, total - inSight() + 1));
  }

  function scrolled() {
    const listing = known;
    if (listing === null) return;
    const first = firstRow();
    const last = Math.min(listing.total, first + inSight()) - 1;
    drawRows(true);
    for (const at of [last, first]) {
      if (at >= 0 && (at < listing.offset || at >= listing.offset + listing.items.length)) {
        actions.showHits(first);
        return;
      }
    }
  }

  /**
   * @param {boolean} [keeps] whether rows that stand are as they were, so that a press on one survives that the list
   *   scrolls under it
   */
  function drawRows(keeps = false) {
    const listing = known;
    if (listing === null) return;
    if (!keeps) standing.clear();
    const first = firstRow();
    const top = listing.total * ROW <= LONGEST ? first * ROW : list.scrollTop;
    const rows = [];
    const shown = columnsOf(listing);
    const digits = apart(listing.items.map(({ score }) => score));
    const decimals = new Map(
      shown.map((name) => [name, decimalsFor(listing.cells.map((cell) => /** @type {any} */ (cell[name])))]),
    );
    for (let at = first; at < Math.min(listing.total, first + inSight()); at += 1) {
      const row =
        standing.get(at) ?? tableRow(listing, at, shown, digits, decimals, store.get(), () => void actions.goToHit(at));
      standing.set(at, row);
      row.style.setProperty("top", `${top + (at - first) * ROW}px`);
      rows.push(row);
    }
    for (const [at, row] of standing) if (!rows.includes(row)) standing.delete(at);
    for (const row of [...space.children]) if (!rows.some((each) => each === row)) row.remove();
    rows.forEach((row, place) => {
      if (space.children[place] !== row) space.insertBefore(row, space.children[place] ?? null);
    });
    if (listing.at >= first && listing.at < first + rows.length)
      list.setAttribute("aria-activedescendant", `hit-${listing.at}`);
    else list.removeAttribute("aria-activedescendant");
  }

  /** Have the current row in sight. @param {number} at */
  function reveal(at) {
    const total = known?.total ?? 0;
    if (total * ROW > LONGEST) {
      if (at < firstRow() || at >= firstRow() + inSight() - 1)
        list.scrollTop = (at / total) * (LONGEST - list.clientHeight);
    } else if (at * ROW < list.scrollTop) list.scrollTop = at * ROW;
    else if ((at + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (at + 1) * ROW - list.clientHeight;
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    if (known === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, inSight() - 2);
    const steps = /** @type {Record<string, number>} */ ({
      ArrowDown: known.at + 1,
      ArrowUp: known.at - 1,
      PageDown: known.at + page,
      PageUp: known.at - page,
      Home: 0,
      End: known.total - 1,
    });
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    void actions.goToHit(to);
  }

  function pickColour() {
    if (known === null) return;
    const { colour: now } = store.get();
    const asked = known.source === "hits" ? [{ of: known.q, label: `hit or not: ${known.q}` }] : [];
    const shown = columnsOf(known).map((of) => ({ of, label: of.replaceAll("_", " ") }));
    void choice.open(
      colour,
      [...asked, ...shown, ...(now === "layer" ? [] : [{ of: "layer", label: "layer, as usual" }])],
      now,
    );
  }

  /** @param {Listing["source"]} wanted */
  function pickSource(wanted) {
    const { selected, table } = store.get();
    const of = table?.of ?? selected;
    if (wanted === "changes" || wanted === "findings") void actions.showTable(wanted, null);
    else if (wanted !== "children" && wanted !== "visits") actions.closeTable();
    else if (of !== null) void actions.showTable(wanted, of);
  }

  /** @param {State} state @param {Listing} listing */
  function drawHead(state, listing) {
    const { search } = state;
    const total = html("b.number", count(listing.total));
    const one = listing.total === 1;
    const node = listing.of === null ? undefined : state.nodes.get(listing.of);
    const of = html("bdi.cut", node === undefined ? `#${listing.of}` : nodeName(node));
    const question = html("bdi", { class: listing.source === "hits" ? "cut expression" : "cut" }, listing.q);
    if (listing.source === "changes") title.replaceChildren(total, one ? " change" : " changes");
    else if (listing.source === "findings") title.replaceChildren(total, one ? " finding" : " findings");
    else if (listing.source === "children") title.replaceChildren(total, one ? " child of " : " children of ", of);
    else if (listing.source === "visits")
      title.replaceChildren(total, one ? " visit of the position of " : " visits of the position of ", of);
    else title.replaceChildren(total, one ? " hit of " : " hits of ", question);
    title.title = [title.textContent, ...listing.notices].join("; ");
    const sources = [
      ...(search !== null && search.total > 0 ? [search.source] : []),
      /** @type {const} */ ("children"),
      /** @type {const} */ ("visits"),
      ...(state.report?.state === "done" && (state.report.groups ?? []).length > 0
        ? [/** @type {const} */ ("findings")]
        : []),
      ...(state.diff.found !== null ? [/** @type {const} */ ("changes")] : []),
    ];
    renew(
      source,
      sources.map((each) =>
        smallButton(SHORT[each], () => pickSource(each), {
          "data-key": each,
          "aria-pressed": String(each === listing.source),
          title: KINDS[each],
        }),
      ),
    );
    head.toggleAttribute("data-many", sources.length > 3);
    renew(
      sourceList,
      sources.map((each) => html("option", { value: each, "data-key": each, title: KINDS[each] }, SHORT[each])),
    );
    sourceList.value = listing.source;
    only.setAttribute("aria-pressed", String(state.only !== null));
    only.disabled = listing.total === 0;
    list.setAttribute("aria-label", KINDS[listing.source]);
    for (const [at, form] of /** @type {const} */ (["csv", "parquet"]).entries())
      files[at]?.setAttribute("href", actions.fileOfRows(form));
    const ofChanges = listing.source === "changes";
    if (files[1] !== undefined) files[1].hidden = ofChanges;
    columns.element.hidden = ofChanges;
    colour.hidden = ofChanges;
    only.hidden = ofChanges;
    kinds.draw(state, listing);
    columns.draw(columnsOf(listing));
    drawNames(listing);
  }

  /** @param {Listing} listing */
  function drawNames(listing) {
    const shown = columnsOf(listing);
    const others = [
      ...(listing.source === "findings" ? [/** @type {const} */ ([96, 120])] : []),
      ...shown.map(columnWidth),
      /** @type {const} */ ([56, 76]),
    ];
    // The longest path gets its width before the other columns get more than their least.
    const share = `(100% - ${pathWidth(listing)}px - ${others.length} * var(--s3)) / ${others.length}`;
    const tracks = others.map(([least, most]) => `clamp(${least}px, ${share}, ${most}px)`);
    body.style.setProperty("--rows-columns", `minmax(140px, 1fr) ${tracks.join(" ")}`);
    renew(names, [
      html("span", "path"),
      ...(listing.source === "findings" ? [html("span.rows-rule", "rule")] : []),
      ...[...shown, "id"].map((name) => {
        const way = listing.sort !== name ? "" : listing.descending ? "descending" : "ascending";
        const label = name.replaceAll("_", " ");
        return button(
          [html("span", heading(name)), way !== "" && icon(way === "ascending" ? "up" : "down")],
          () => void actions.sortBy(name),
          {
            class: "rows-name",
            "data-key": name,
            "aria-label": `${label}${way === "" ? "" : `, sorted ${way}`}`,
            title:
              way === ""
                ? `Sort by ${name}`
                : way === "ascending"
                  ? `Sort by ${name}, the greatest first`
                  : `In the order of the ${listing.source === "children" ? "tree: best, searched or by pre-score" : "search"}`,
          },
        );
      }),
    ]);
  }

  /** @param {State} state */
  function draw(state) {
    const before = known;
    const listing = state.phase === "ready" ? listedOf(state) : null;
    known = listing !== null && (listing.total > 0 || state.table !== null) ? listing : null;
    if (known === null) return;
    drawHead(state, known);
    if (!state.panels.drawer) return;
    space.style.setProperty("height", `${length()}px`);
    const isOther = before === null || differ(before, known, "q", "source", "of", "sort", "descending");
    if (isOther && known.at < 0) list.scrollTop = 0;
    if (known.at >= 0 && (isOther || before.at !== known.at)) reveal(known.at);
    drawRows();
  }

  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    const isFolded = state.panels.drawer !== previous.panels.drawer;
    if (isFolded || differ(state, previous, "search", "table", "only", "notes", "phase")) draw(state);
  });
  const watcher = new ResizeObserver(() => drawRows(true));
  watcher.observe(list);
  return () => {
    remove();
    watcher.disconnect();
    head.replaceChildren();
    head.removeAttribute("data-many");
    body.replaceChildren();
  };
}

/** The drawn columns: without a bound that the user did not choose, since the score beside it shows it. @param {Listing} listing */
function columnsOf({ columns, chosen }) {
  return chosen === null && columns.includes("score") ? columns.filter((name) => name !== "bound") : columns;
}

/** A column's name as the table writes it. @param {string} name */
function heading(name) {
  return name.replace(/^factors\./, "").replaceAll("_", " ");
}

/**
 * The least and the greatest width of a column, whose heading may take two lines.
 * @param {string} name
 * @returns {readonly [number, number]}
 */
function columnWidth(name) {
  const longest = Math.max(
    ...heading(name)
      .split(" ")
      .map((word) => word.length),
  );
  const least = WIDTHS.get(name) ?? Math.round(Math.max(56, Math.min(76, LETTER * longest)));
  return [least, Math.max(least, Math.round(LETTER * Math.max(11, heading(name).length + 3)))];
}

/** Pixels that the longest path of the rows in sight takes. @param {Listing} listing */
function pathWidth({ paths }) {
  return AROUND_PATH + Math.round(LETTER * Math.max(0, ...paths.map((path) => path.length)));
}

/**
 * One node: its path and its columns; a row that is not loaded yet is blank.
 * @param {Listing} listing
 * @param {number} at
 * @param {string[]} columns
 * @param {Digits} digits that tell the scores of the page apart
 * @param {ReadonlyMap<string, number>} decimals that show the other columns of the page
 * @param {State} state
 * @param {() => void} go
 */
function tableRow(listing, at, columns, digits, decimals, state, go) {
  const node = listing.items[at - listing.offset];
  const attributes = {
    class: "rows-row",
    id: `hit-${at}`,
    role: "option",
    "aria-selected": String(at === listing.at),
    "aria-posinset": at + 1,
    "aria-setsize": listing.total,
    onclick: go,
  };
  if (node === undefined) return html("div", { ...attributes, "aria-busy": "true" }, html("span.dim", "\u2026"));
  const mate = state.opened?.search?.["mate"];
  const path = listing.paths[at - listing.offset] ?? "";
  const steps = path.split(SEPARATOR);
  const way = steps.slice(0, -1).join(" \u203a ");
  const cells = listing.cells[at - listing.offset] ?? {};
  const finding = findingAt(listing, at);
  const note = noteOn(state, node.id);
  return html(
    "div",
    attributes,
    html(
      "span.rows-path",
      { title: path },
      finding !== undefined && icon(finding.severity, `severity-${finding.severity}`),
      layerMark(node.layer),
      way !== "" && html("span.rows-way.cut", html("bdi", `${way} \u203a`)),
      html("b.cut", nodeName(node)),
      note !== undefined &&
        html("span.note-dot", {
          "data-colour": note.colour,
          role: "img",
          "aria-label": `note: ${note.text}`,
          title: note.text,
        }),
    ),
    finding !== undefined &&
      html(
        "span.rows-rule.cut",
        { title: finding.message },
        html("span.visually-hidden", `${finding.severity}: `),
        finding.rule,
      ),
    columns.map((name) => {
      if (listing.source === "changes") return changeCell(name, cells, mate);
      if (name === "score")
        return html("span.number", { title: fullScore(node, mate) }, shortScore(node, mate, digits) || "\u2013");
      if (name === "nodes_below") return html("span.number.dim", count(node.below?.nodes ?? 0));
      const text = `${listing.signs[name]?.[at - listing.offset] ?? ""}${cellText(cells[name], decimals.get(name))}`;
      return html("span", { class: typeof cells[name] === "number" ? "number" : "cut", title: text }, text);
    }),
    html("span.number.dim", `#${node.id}`),
  );
}

/**
 * A value as the table shows it; an unknown one is a dash.
 * @param {unknown} value
 * @param {number} [decimals] of a number that is not very large
 */
function cellText(value, decimals = 0) {
  if (value === null || value === undefined) return "\u2013";
  if (typeof value === "boolean") return value ? "true" : "false";
  const text =
    value === "inf"
      ? "\u221e"
      : value === "-inf"
        ? "-\u221e"
        : typeof value === "number"
          ? Math.abs(value) < 1e9
            ? value.toFixed(decimals)
            : String(value)
          : String(value);
  return typeof value === "number" || value === "-inf" ? text.replace("-", "\u2212") : text;
}
