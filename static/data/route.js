// @ts-check
/**
 * The address of a view, as text after the `#`: the log, the node, the open nodes, the camera. A list of open nodes
 * that would make the address too long is cut to the path to the selection.
 */

import { ORDERS } from "./claims.js";
import { isOld, otherId } from "./merged.js";
import { isOpen, pathTo } from "./opening.js";
import { FOREST } from "./types.js";

/** @import { Camera, Id, Kind, Part, Severity, State, Summary } from "./types.js" */

/**
 * @typedef {object} Route
 * @property {string | null} log
 * @property {Id | null} node
 * @property {string | null} ply the chosen one, to go to its node
 * @property {Id | null} pinned
 * @property {Id[]} open
 * @property {[Id, number][]} shown
 * @property {Camera | null} camera
 * @property {boolean} check whether the panel of the check is open
 * @property {(Kind & {at: number}) | null} finding the one that is looked at in it
 * @property {number | null} event the one that the replay is at
 * @property {string | null} stop where a run of it stops, where that is not at cuts
 * @property {string | null} against the log that it is compared with
 * @property {number | null} againstIteration the one of that log that it is compared with
 * @property {Record<string, number>} weights those that are not as logged
 * @property {Id | null} iteration the root of the tree that the chart of iterations points at
 * @property {State["drawer"]} drawer the tab of the drawer that was asked for
 * @property {{form: "icicle" | "levels", part: Part | null} | null} overview its form and the part
 *   of it that is shown; null: it is hidden
 * @property {TableLink | null} table the expression that is asked, and the table that is listed
 * @property {State["colour"]} colour
 * @property {State["order"]} order
 * @property {number} least nodes of a subtree that is drawn
 */

/**
 * @typedef {object} TableLink
 * @property {string | null} q the expression
 * @property {{source: "children" | "visits" | "findings" | "changes", of: Id | null, q?: string} | null} rows what is
 *   listed in place of its hits
 * @property {string[] | null} columns
 * @property {string | null} sort
 * @property {boolean} descending
 * @property {boolean} only whether only its rows and what stands above them are drawn
 */

/** The tabs of the drawer below the tree, each drawn by its row of `TABS` (`views/page/drawer.js`). */
export const DRAWERS = /** @type {const} */ (["rows", "weights", "statistics", "game", "notes"]);

/** Characters that a field or expression may have by which the tree is coloured. */
const LONGEST_COLOUR = 4000;
/** Characters that the list of open nodes may take. */
const LONGEST = 1500;

/** Ids as one short word: sorted, each as its distance from the one before, in base 36. @param {Iterable<Id>} ids */
function packIds(ids) {
  let last = 0;
  return [...new Set(ids)]
    .sort((a, b) => a - b)
    .map((id) => {
      const distance = id - last;
      last = id;
      return distance.toString(36);
    })
    .join(".");
}

/** The ids that `packIds` packed; none for any other word. @param {string} packed */
function unpackIds(packed) {
  if (!/^[0-9a-z]+(\.[0-9a-z]+)*$/.test(packed)) return [];
  let last = 0;
  return packed.split(".").map((distance) => (last += parseInt(distance, 36)));
}

/** The address of the view that `state` shows. @param {State} state */
export function writeRoute(state) {
  if (state.log === null) return "";
  const fields = new URLSearchParams({ log: state.log });
  if (state.phase !== "ready") return `#${fields}`;
  if (state.selected !== null) fields.set("node", String(state.selected));
  const reachable = [...state.expanded].filter((id) => isReachable(state, id));
  let open = packIds(reachable.filter((id) => !isOld(id)));
  if (open.length > LONGEST) {
    const way = pathTo(state, state.selected).filter((id) => state.expanded.has(id));
    open = packIds(way.filter((id) => !isOld(id)).slice(-200));
  }
  if (open !== "") fields.set("open", open);
  const old = packIds(reachable.filter(isOld).slice(-50).map(otherId));
  if (old !== "") fields.set("open_old", old);
  const shown = [...state.shown].filter(([id]) => id > FOREST && state.expanded.has(id)).slice(-20);
  if (shown.length > 0) fields.set("more", shown.map((pair) => pair.join("-")).join("."));
  const { x, y, scale } = state.camera;
  fields.set("at", [Math.round(x), Math.round(y), Number(scale.toFixed(3))].join("_"));
  if (state.colour !== "layer") fields.set("colour", state.colour);
  if (state.order !== "best") fields.set("order", state.order);
  if (state.least > 0) fields.set("least", String(state.least));
  if (state.pinned !== null) fields.set("pin", String(state.pinned));
  if (state.replay !== null) fields.set("t", String(state.replay.event));
  if (state.replay !== null && state.stop !== "cut") fields.set("stop", state.stop);
  if (state.diff.against !== null) fields.set("against", state.diff.against);
  if (state.diff.iteration !== null) fields.set("against_iteration", String(state.diff.iteration));
  if (state.drawer !== null) fields.set("drawer", state.drawer);
  if (state.panels.overview) fields.set("overview", writePart(state.overview));
  if (state.drawer === "statistics" && state.iteration !== null) fields.set("iteration", String(state.iteration));
  const weights = packWeights(state.weights.changed);
  if (weights !== "") fields.set("weights", weights);
  const finding = state.finding ?? state.linked;
  if (state.panels.check)
    fields.set("check", finding === null ? "open" : `${finding.severity}.${finding.rule}.${finding.at}`);
  writeTable(fields, state);
  return `#${fields}`;
}

/**
 * The expression, the table in place of its hits, its columns and its order.
 * @param {URLSearchParams} fields
 * @param {State} state
 */
function writeTable(fields, { search, table, only }) {
  const query = search?.source === "hits" && search.error === undefined ? search : null;
  if (query !== null) fields.set("q", query.q);
  if (table !== null)
    fields.set(
      "rows",
      table.source === "changes"
        ? ["changes", ...(table.q === "" ? [] : [table.q])].join(".")
        : table.source === "findings"
          ? "findings"
          : `${table.source}.${table.of}`,
    );
  if (only !== null && (query !== null || table !== null)) fields.set("only", "1");
  const listing = table ?? query;
  if (listing?.chosen) fields.set("cols", listing.chosen.join(","));
  if (listing?.sort) fields.set("sort", `${listing.descending ? "-" : ""}${listing.sort}`);
}

/** @param {URLSearchParams} fields @returns {TableLink | null} */
function readTable(fields) {
  const [, ofNode, of] = /^(children|visits)\.(\d{1,15})$/.exec(fields.get("rows") ?? "") ?? [];
  const [, changes, kind = ""] = /^(changes|findings)(?:\.([a-z_]{1,20}))?$/.exec(fields.get("rows") ?? "") ?? [];
  const source = ofNode ?? changes;
  const q = fields.get("q") || null;
  if (q === null && source === undefined) return null;
  const columns =
    fields
      .get("cols")
      ?.split(",")
      .filter((name) => name !== "") ?? null;
  const sort = fields.get("sort") || null;
  return {
    q,
    rows:
      source === undefined
        ? null
        : {
            source: /** @type {"children" | "visits" | "findings" | "changes"} */ (source),
            of: of === undefined ? null : Number(of),
            ...(kind !== "" && { q: kind }),
          },
    columns: columns?.length ? columns : null,
    sort: sort?.replace(/^-/, "") || null,
    descending: sort?.startsWith("-") ?? false,
    only: fields.get("only") === "1",
  };
}

/** Whether the node is drawn: all above it are open. @param {State} state @param {Id} id */
function isReachable(state, id) {
  const path = pathTo(state, id);
  const first = path[0];
  if (first === undefined || (first !== state.top && state.nodes.get(first)?.parent !== null)) return false;
  return path.every((step) => step === id || isOpen(state, step));
}

/**
 * The view that an address names; whatever it does not say, or says wrongly, is as if left out.
 * @param {string} hash
 * @returns {Route}
 */
export function readRoute(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const colour = fields.get("colour");
  return {
    log: fields.get("log"),
    node: readNode(fields, "node"),
    ply: fields.get("ply"),
    pinned: readNode(fields, "pin"),
    open: [
      ...unpackIds(fields.get("open") ?? ""),
      ...(fields.has("against") ? unpackIds(fields.get("open_old") ?? "").map(otherId) : []),
    ],
    shown: (fields.get("more") ?? "").split(".").flatMap((pair) => {
      const [id, wanted] = pair.split("-").map(readId);
      return id != null && wanted != null ? [/** @type {[Id, number]} */ ([id, wanted])] : [];
    }),
    camera: readCamera(fields.get("at")),
    check: fields.has("check"),
    finding: readFinding(fields.get("check")),
    event: readId(fields.get("t")),
    stop: fields.get("stop") || null,
    against: fields.get("against"),
    againstIteration: fields.has("against") ? readId(fields.get("against_iteration")) : null,
    weights: unpackWeights(fields.get("weights") ?? ""),
    iteration: readId(fields.get("iteration")),
    drawer: DRAWERS.find((tab) => tab === fields.get("drawer")) ?? null,
    overview: readPart(fields.get("overview")),
    table: readTable(fields),
    colour: colour !== null && colour.trim() !== "" && colour.length <= LONGEST_COLOUR ? colour.trim() : "layer",
    order: ORDERS.find((order) => order === fields.get("order")) ?? "best",
    least: readId(fields.get("least")) ?? 0,
  };
}

/**
 * Where the results are of a file that has no tree: the games of a match, the trials of a tuning. Null of a log.
 * @param {Summary | undefined} log
 */
export function pageOfResults(log) {
  if (log?.games === true) return `/match/${log.id}`;
  return log?.tuning === true ? `/tuning/${log.id}` : null;
}

/**
 * Weights as one text: `queen_ring:9,hand:-4`; names are escaped, so that they can hold anything.
 * @param {Record<string, number>} weights
 */
export function packWeights(weights) {
  return Object.entries(weights)
    .map(([name, weight]) => `${encodeURIComponent(name)}:${weight}`)
    .join(",");
}

/**
 * The weights that `packWeights` packed, without those that are no numbers.
 * @param {string} packed
 * @returns {Record<string, number>}
 */
function unpackWeights(packed) {
  const pairs = packed.split(",").flatMap((pair) => {
    const [, name = "", number = ""] = /^(.+):([^:]+)$/.exec(pair) ?? [];
    const weight = Number(number);
    if (name === "" || number.trim() === "" || !Number.isFinite(weight)) return [];
    try {
      return [/** @type {[string, number]} */ ([decodeURIComponent(name), weight])];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(pairs);
}

/** The part that the overview shows: `1200-5000`, or `all`; of levels `levels.all`. @param {State["overview"]} overview */
const writePart = ({ form, part }) =>
  `${form === "levels" ? "levels." : ""}${part === null ? "all" : `${part.first}-${part.last}`}`;

/** @param {string | null} text @returns {Route["overview"]} */
function readPart(text) {
  const [, levels, first, last] = /^(levels\.)?(?:all|(\d{1,15})-(\d{1,15}))$/.exec(text ?? "") ?? [];
  const part = first === undefined ? null : { first: Number(first), last: Number(last) };
  if (text === null) return null;
  return {
    form: levels === undefined ? "icicle" : "levels",
    part: part !== null && part.first < part.last ? part : null,
  };
}

/** @param {string | null | undefined} text */
function readId(text) {
  return text != null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** An id, which may be of the log beside where the address names one. @param {URLSearchParams} fields @param {string} name */
function readNode(fields, name) {
  const text = fields.get(name);
  const [, old] = /^-(\d{1,15})$/.exec(text ?? "") ?? [];
  if (old === undefined) return readId(text);
  return fields.has("against") && isOld(-Number(old)) ? -Number(old) : null;
}

/** @param {string | null} text @returns {Route["finding"]} */
function readFinding(text) {
  const [, severity, rule = "", at] = /^(wrong|waste|odd)\.([a-z-]{1,60})\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return severity === undefined ? null : { severity: /** @type {Severity} */ (severity), rule, at: Number(at) };
}

/** @param {string | null} text @returns {Camera | null} */
function readCamera(text) {
  const numbers = (text ?? "").split("_").map((part) => (part === "" ? NaN : Number(part)));
  if (numbers.length !== 3 || !numbers.every(Number.isFinite)) return null;
  const [x = 0, y = 0, scale = 1] = numbers;
  return scale > 0.01 && scale < 100 ? { x, y, scale } : null;
}
