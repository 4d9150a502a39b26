// @ts-check
/**
 * The overview below the tree: all of it as one picture. A press goes to the node under it, the wheel shows a shorter
 * or longer part; with the focus on it the arrow keys walk its cells, Enter goes there, + and − zoom.
 */

import { differ } from "../../data/state.js";
import { scaleOf } from "../../draw/colours.js";
import { iconButton, smallButton } from "../../draw/buttons.js";
import { html, redraw, svg } from "../../draw/element.js";
import { boxOf, cellAt, cellBeside, icicle, inkWords } from "./icicle.js";
import { count, counted } from "../../draw/numbers.js";
import { seen } from "../../draw/seen.js";
import { mountLazily } from "../lazily.js";

/** @import { IconName } from "../../draw/icons.js" */
/** @import { Mount, OverviewMark, OverviewPicture, Part, State } from "../../data/types.js" */

/** How a node's width is found. */
const FORMS = /** @type {const} */ ([
  { form: "icicle", label: "Subtrees", title: "A node lies over its children, as wide as all of them (Shift V)" },
  {
    form: "levels",
    label: "Levels",
    title: "All nodes of a level are equally wide, however large their subtrees (Shift V)",
  },
]);
/** Pixels of all bands, at most, and of one. */
const HEIGHT = 112;
const BAND = { least: 3, most: 14 };
/** Pixels of a lane of ticks. */
const LANE = 9;
/** How much a turn of the wheel, or a key, zooms. */
const CLOSER = 0.6;
/** How much of the part an arrow or a turn of a wheel sideways moves. */
const STEP = 0.25;

/** @type {Mount} */
export function mountOverview(container, store, actions) {
  /** The cell that the arrow keys are at. */
  let cursor = /** @type {{band: number, x: number} | null} */ (null);
  const said = html("p.overview-said");
  const tip = html("p.overview-tip.dim", { "aria-live": "polite" });
  const forms = html("div.overview-forms", { role: "group", "aria-label": "Form of the overview" });
  const commands = html("div.overview-commands");
  const drawing = svg("svg.overview-drawing", { preserveAspectRatio: "none", "aria-hidden": "true" });
  const place = html(
    "div.overview-place",
    {
      tabindex: 0,
      role: "application",
      "aria-roledescription": "icicle",
      onkeydown: keyed,
      onclick: pressed,
      onmousemove: pointed,
      onmouseleave: () => tell(null),
      onblur: () => setCursor(null),
    },
    drawing,
  );
  place.addEventListener("wheel", turned, { passive: false });
  const leaders = html("div.leaders", { role: "group", "aria-label": "Which ply led, by play-outs", hidden: true });
  mountLazily(leaders, store, actions, {
    isThere: ({ opened }) => (opened?.snapshots?.length ?? 0) > 1,
    load: async () => (await import("./leaders.js")).mountLeaders,
  });
  container.replaceChildren(html("div.overview-bar", said, tip, forms, commands), place, leaders);

  /** @param {OverviewPicture} picture */
  const heightOf = ({ bands }) =>
    Math.max(BAND.least, Math.min(BAND.most, Math.floor(HEIGHT / Math.max(1, bands.length))));

  /** The part that is wanted, which the picture may not show yet. @param {State["overview"]} overview */
  const partOf = ({ part, picture }) => part ?? { first: 0, last: picture?.length ?? 1 };

  /** The place of the pointer in the picture. @param {MouseEvent} event */
  function under(event) {
    const { overview } = store.get();
    const { picture } = overview;
    if (picture === null) return null;
    const box = place.getBoundingClientRect();
    const { first, last } = partOf(overview);
    const node = first + ((event.clientX - box.left) / box.width) * (last - first);
    const x = Math.floor(((node - picture.first) / (picture.last - picture.first)) * picture.width);
    return { band: Math.floor((event.clientY - box.top) / heightOf(picture)), x };
  }

  /** @param {{band: number, x: number} | null} at */
  function tell(at) {
    const { overview, opened } = store.get();
    const { picture } = overview;
    const cell = at === null || picture === null ? null : cellAt(picture, at.band, at.x);
    if (cell === null || at === null || picture === null) {
      tip.textContent = "";
      return;
    }
    const level = picture.top + at.band * picture.per_band;
    const levels = picture.per_band === 1 ? `level ${level}` : `levels ${level} to ${level + picture.per_band - 1}`;
    const words = inkWords(picture, cell.at, opened?.search?.["mate"]);
    const others = cell.nodes > 1 ? `, the largest of ${counted(cell.nodes, "node")} here` : "";
    const ply = picture.plies[cell.at];
    tip.textContent = `${ply == null ? "" : `${seen(ply)} `}#${cell.id}, ${levels}${words === "" ? "" : `, ${words}`}${others}`;
  }

  /** @param {MouseEvent} event */
  function pointed(event) {
    tell(under(event));
  }

  /** @param {MouseEvent} event */
  function pressed(event) {
    const at = under(event);
    if (at !== null) go(at);
  }

  /** @param {{band: number, x: number}} at */
  function go({ band, x }) {
    const { picture } = store.get().overview;
    const cell = picture === null ? null : cellAt(picture, band, x);
    if (cell !== null) void actions.goTo(cell.id);
  }

  /** @param {WheelEvent} event */
  function turned(event) {
    event.preventDefault();
    const box = place.getBoundingClientRect();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey)
      actions.moveOverview(Math.sign(event.deltaX || event.deltaY) * STEP);
    else if (event.deltaY !== 0)
      actions.zoomOverview((event.clientX - box.left) / box.width, event.deltaY < 0 ? CLOSER : 1 / CLOSER);
  }

  /** @param {{band: number, x: number} | null} at */
  function setCursor(at) {
    cursor = at;
    tell(at);
    draw(store.get());
  }

  /** Where the arrow keys begin: at the selected node, else at the left. @param {OverviewPicture} picture @param {State} state */
  function beginning(picture, { selected, overview }) {
    const height = heightOf(picture);
    const box = selected === null ? null : boxOf(picture, overview.places.get(selected), height);
    return box === null ? { band: 0, x: 0 } : { band: box.y / height, x: Math.floor(box.x) };
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const state = store.get();
    const { picture } = state.overview;
    if (picture === null) return;
    const here = cursor ?? beginning(picture, state);
    const share = (here.x + 0.5) / picture.width;
    const beside = (/** @type {1 | -1} */ step) => {
      const cell = cellBeside(picture, here.band, here.x, step);
      if (cell !== null) setCursor({ ...here, x: step > 0 ? cell.from : cell.to - 1 });
    };
    const across = (/** @type {1 | -1} */ step) => {
      const band = here.band + step;
      const cell = cellAt(picture, band, here.x) ?? (step > 0 ? cellBeside(picture, band, here.x, 1) : null);
      if (cell !== null) setCursor({ band, x: Math.min(cell.to - 1, Math.max(cell.from, here.x)) });
    };
    const act = /** @type {Record<string, () => void>} */ ({
      ArrowRight: () => (event.shiftKey ? actions.moveOverview(STEP) : beside(1)),
      ArrowLeft: () => (event.shiftKey ? actions.moveOverview(-STEP) : beside(-1)),
      ArrowDown: () => across(1),
      ArrowUp: () => across(-1),
      Enter: () => go(here),
      " ": () => go(here),
      "+": () => actions.zoomOverview(share, CLOSER),
      "=": () => actions.zoomOverview(share, CLOSER),
      "-": () => actions.zoomOverview(share, 1 / CLOSER),
      0: () => actions.wholeOverview(),
    })[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {IconName} name @param {string} label @param {() => void} act @param {boolean} [disabled] */
  const command = (name, label, act, disabled = false) => iconButton(name, label, act, { "data-key": name, disabled });

  /** @param {State["overview"]["form"]} form @param {string} label @param {string} title @param {boolean} isShown */
  const formButton = (form, label, title, isShown) =>
    smallButton(label, () => actions.setOverviewForm(form), {
      "data-key": form,
      "aria-pressed": String(isShown),
      title,
    });

  /** @param {State} state */
  function draw(state) {
    const { overview, opened, selected } = state;
    const { picture } = overview;
    const width = Math.floor(place.getBoundingClientRect().width);
    if (width > 0) actions.setOverviewWidth(width);
    const isWhole = overview.part === null;
    redraw(
      forms,
      FORMS.map(({ form, label, title }) => formButton(form, label, title, form === overview.form)),
    );
    redraw(commands, [
      command("fit", "All of it (0)", () => actions.wholeOverview(), isWhole),
      command("back", "The part to the left (Shift+←)", () => actions.moveOverview(-STEP), isWhole),
      command("forward", "The part to the right (Shift+→)", () => actions.moveOverview(STEP), isWhole),
      command("close", "Close the overview (v)", () => actions.toggleOverview(false)),
    ]);
    if (picture === null) {
      said.textContent = "Drawing …";
      drawing.replaceChildren();
      return;
    }
    const height = heightOf(picture);
    const { first, last } = partOf(overview);
    said.textContent = saidOf(picture, isWhole ? null : { first, last });
    place.setAttribute("aria-roledescription", picture.form === "icicle" ? "icicle" : "rows of pixels");
    place.setAttribute("aria-label", `Overview. ${said.textContent}. Arrow keys walk its cells, Enter goes there`);
    /** @type {[string, OverviewMark[] | undefined][]} */
    const asked = [["hits", overview.hits?.lanes["hits"]]];
    for (const severity of ["wrong", "waste", "odd"]) asked.push([severity, overview.findings?.lanes[severity]]);
    const lanes = asked.flatMap(([name, marks]) => (marks?.length ? [{ name, marks }] : []));
    const below = picture.bands.length * height;
    const full = below + lanes.length * LANE;
    // Until the wanted part has come, the old picture is stretched.
    const scale = picture.width / (picture.last - picture.first);
    drawing.setAttribute(
      "viewBox",
      `${(first - picture.first) * scale} 0 ${Math.max(1, (last - first) * scale)} ${full}`,
    );
    drawing.setAttribute("height", String(full));
    const outlined = [...(opened?.pv ?? [])].flatMap((id) => boxOf(picture, overview.places.get(id), height) ?? []);
    const own = selected === null ? null : boxOf(picture, overview.places.get(selected), height);
    const here = cursor === null ? null : cellAt(picture, cursor.band, cursor.x);
    drawing.replaceChildren(
      ...icicle(picture, height, scaleOf(opened)).map(({ name, share, place: at = -1, d }) => {
        const style = { "--share": share, "--paint": at < 0 ? undefined : `var(--category-${at + 1})` };
        return svg("path", { class: `icicle icicle-${name}`, d, style });
      }),
      ...outlined.map((box) => svg("rect.icicle-pv", { ...box, height: height - 0.6 })),
      ...state.notes.flatMap(({ id, colour }) => {
        const box = id === undefined ? null : boxOf(picture, overview.places.get(id), height);
        return box === null ? [] : [svg("rect.icicle-note", { ...box, height: height - 0.6, "data-colour": colour })];
      }),
      ...(own === null ? [] : [svg("rect.icicle-selected", { ...own, height: height - 0.6 })]),
      ...(here === null || cursor === null
        ? []
        : [
            svg("rect.icicle-cursor", {
              x: here.from,
              y: cursor.band * height,
              width: here.to - here.from,
              height: height - 0.6,
            }),
          ]),
      ...lanes.map(({ name, marks }, i) =>
        svg("path", {
          class: `icicle-ticks icicle-ticks-${name}`,
          d: marks.map(([x]) => `M${x + 0.5} ${below + i * LANE + 2}v${LANE - 2}`).join(""),
        }),
      ),
    );
  }

  const watcher = new ResizeObserver(() => draw(store.get()));
  watcher.observe(place);
  draw(store.get());
  store.subscribe((state, previous) => {
    if (!differ(state, previous, "overview", "selected", "opened", "phase", "notes")) return;
    if (state.overview.picture !== previous.overview.picture) cursor = null;
    draw(state);
  });
}

/**
 * The shown part in words, and the meaning of widths.
 * @param {OverviewPicture} picture
 * @param {Part | null} part
 */
function saidOf({ form, unit, nodes, length, per_band }, part) {
  if (form === "levels") {
    const row = per_band === 1 ? "each level" : `each row of ${per_band} levels`;
    if (part === null) return `All ${counted(nodes, "node")}: those of ${row} are equally wide`;
    const digits = Math.max(0, Math.ceil(-Math.log10((part.last - part.first) / length)) - 1);
    const [from, to] = [part.first, part.last].map((end) => ((100 * end) / length).toFixed(digits));
    return `From ${from} % to ${to} % of ${row}`;
  }
  if (unit === "visits") {
    if (part === null) return `All ${counted(nodes, "node")}, as wide as their visits: ${count(length)} in all`;
    return `Visits ${count(part.first + 1)} to ${count(part.last)} of ${count(length)}`;
  }
  if (part === null) return `All ${counted(nodes, "node")}, each as wide as its subtree`;
  return `Nodes ${count(part.first + 1)} to ${count(part.last)} of ${count(nodes)} in the order searched`;
}
