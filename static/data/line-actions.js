// @ts-check
/**
 * Walking the two lines of a pair together: the tree folds to them, and one goes along a line or over to the other.
 * The pair stays as it was asked about; the details follow the walk, also where they were held at a node.
 */

/** @import { Id, Lines, Room, State } from "./types.js" */

/** @typedef {"x" | "y"} Side */

/** Children that a node on a line shows: those on the lines, and some of what stood beside them. */
const BESIDE = 4;

/** The node that the details are about. @param {Pick<State, "lines" | "pinned" | "selected">} state */
export function followed({ lines, pinned, selected }) {
  return lines !== null ? selected : (pinned ?? selected);
}

/**
 * The place of the selected node on the lines; null where it is on neither.
 * @param {Lines} lines
 * @param {Id | null} id
 * @returns {{side: Side, at: number} | null}
 */
export function placeOn(lines, id) {
  for (const side of /** @type {const} */ (["x", "y"])) {
    const at = id === null ? -1 : lines[side].indexOf(id);
    if (at >= 0) return { side, at };
  }
  return null;
}

/**
 * The nodes of both lines beside which one is: as far along as one is, or their ends.
 * @param {Lines} lines
 * @param {number} at
 * @returns {[x: Id, y: Id]}
 */
export function beside({ x, y }, at) {
  return [/** @type {Id} */ (x[Math.min(at, x.length - 1)]), /** @type {Id} */ (y[Math.min(at, y.length - 1)])];
}

/** @param {Room & {currentWhy: () => Promise<void>}} room */
export function createLineActions({ store, api, loader, walk, attempt, notify, currentWhy }) {
  /** Fold the tree to both lines and walk them; again: end that. */
  async function walkLines() {
    if (store.get().lines !== null) return endLines();
    await currentWhy();
    const { why } = store.get();
    const { chosen = null, rival = null, lines: [first, second] = [] } = why?.answer ?? {};
    if (why === null || chosen === null || rival === null || first === undefined) {
      notify("note", "There are no two lines to walk here: select a node that has a sibling.");
      return undefined;
    }
    const x = first.nodes.map(({ id }) => id);
    const y = second === undefined ? [rival.id] : second.nodes.map(({ id }) => id);
    const { expanded, held, kept, shown, top, camera, selected, nodes } = store.get();
    const began = { expanded, held, kept, shown, top, camera };
    await walk.goTo(/** @type {Id} */ (y.at(-1)));
    await walk.goTo(/** @type {Id} */ (x.at(-1)));
    if (store.get().nodes !== nodes) return undefined;
    const on = selected !== null && (x.includes(selected) || y.includes(selected)) ? selected : chosen.id;
    store.update((state) => ({
      lines: { pair: why.asked, x, y, boards: new Map(), began },
      ...foldedTo(state, [x, y], on, BESIDE),
      selected: on,
    }));
    walk.fillRoom();
    return undefined;
  }

  /** The tree as it was before, the selection where the walk went. */
  function endLines() {
    const { lines, selected } = store.get();
    if (lines === null) return;
    const { began } = lines;
    store.update({
      lines: null,
      ...began,
      kept: new Set([...began.kept, ...(selected === null ? [] : [selected])]),
      aim: { kind: "show", id: selected },
    });
    if (selected !== null) void walk.goTo(selected);
  }

  /** Go along the line on which one is. @param {1 | -1} step */
  async function stepLine(step) {
    const { lines, selected } = store.get();
    const place = lines === null ? null : placeOn(lines, selected);
    const next = place === null ? undefined : lines?.[place.side][place.at + step];
    if (next !== undefined) await go(next);
  }

  /** Go over to the other line, as far along it as one is. @param {Side} side */
  async function goToLine(side) {
    const { lines, selected } = store.get();
    const place = lines === null ? null : placeOn(lines, selected);
    if (lines === null || place === null || place.side === side) return;
    const [x, y] = beside(lines, place.at);
    await go(side === "x" ? x : y);
  }

  /** @param {Id} id */
  async function go(id) {
    if (store.get().nodes.has(id)) walk.select(id);
    else await walk.goTo(id);
  }

  /** Fetch the boards of both lines at the current place. */
  async function loadBoards() {
    const { lines, selected } = store.get();
    const place = lines === null ? null : placeOn(lines, selected);
    if (lines === null || place === null) return;
    for (const id of beside(lines, place.at)) {
      if (lines.boards.has(id)) continue;
      lines.boards.set(id, null); // asked for
      await attempt(async () => {
        const drawing = await loader.ask((log) => api.board(log, id));
        const now = store.get().lines;
        if (drawing === null || now === null || now.x !== lines.x) return;
        store.update({ lines: { ...now, boards: new Map(now.boards).set(id, drawing) } });
      });
    }
  }

  store.subscribe((state, previous) => {
    if (state.lines === null) return;
    if (state.phase !== "ready" || placeOn(state.lines, state.selected) === null) store.update({ lines: null });
    else if (state.dialog === "board" && (state.selected !== previous.selected || state.dialog !== previous.dialog))
      void loadBoards();
  });

  return { walkLines, endLines, stepLine, goToLine };
}

/**
 * The change of the state that folds the tree to some lines, whose nodes are loaded, with all of them in view, or where
 * that is too much, the surroundings of a node.
 * @param {State} state
 * @param {Id[][]} lines
 * @param {Id | null} id
 * @param {number} [wanted] how many children a node on a line shows; else as many as there is room for
 * @returns {Pick<State, "expanded" | "held" | "kept" | "shown" | "aim">}
 */
export function foldedTo(state, lines, id, wanted) {
  const open = lines.flatMap((line) => above(state, line));
  return {
    expanded: new Set(open),
    held: new Set(open),
    kept: new Set(lines.flat()),
    shown: new Map(wanted === undefined ? [] : open.map((id) => [id, wanted])),
    aim: { kind: "refit", id },
  };
}

/**
 * The nodes above a line and on it that lead from the root to its last one, as far as it goes from parent to child.
 * @param {State} state
 * @param {Id[]} line
 */
function above({ nodes }, line) {
  const first = line[0];
  /** @type {Id[]} */
  const found = [];
  for (
    let id = first === undefined ? null : (nodes.get(first)?.parent ?? null);
    id !== null;
    id = nodes.get(id)?.parent ?? null
  )
    found.push(id);
  for (const [place, id] of line.entries()) {
    const next = line[place + 1];
    if (next === undefined || nodes.get(next)?.parent !== id) break;
    found.push(id);
  }
  return found;
}
