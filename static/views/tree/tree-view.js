// @ts-check
/** The tree's part of the window: lays out the open nodes, draws them, moves the camera, keeps the focus. */

import { pathTo, samePosition } from "../../data/opening.js";
import { isReweighed, OWN_COLOURS, differ } from "../../data/state.js";
import { SCALES } from "../../data/actions.js";
import { svg } from "../../draw/element.js";
import { canvasMeasure, createLettering } from "../../draw/lettering.js";
import { between } from "./motion.js";
import { createTree } from "./tree.js";
import { countText } from "../../draw/wedge.js";
import { cardBox, centreCamera, contains, familyBox, fillCamera, fitCamera } from "../../layout/camera.js";
import { keepCamera, MARGIN, revealCamera, showCamera, shownBox } from "../../layout/camera.js";
import { layOut } from "../../layout/tree-layout.js";
import { READABLE } from "../../layout/fold.js";
import { ALL_UP_TO, BEYOND, rowsAtFirst, rowsToDraw } from "../../layout/visible.js";
import { mountGestures } from "./gestures.js";
import { sceneOf } from "./scene.js";

/** @import { Camera, Mount, State } from "../../data/types.js" */
/** @import { Box } from "../../layout/camera.js" */
/** @import { Layout } from "../../layout/tree-layout.js" */

/** Changes of these lay the tree out again. */
const OPENING = /** @type {const} */ ([
  "opened",
  "nodes",
  "revision",
  "expanded",
  "shown",
  "room",
  "order",
  "least",
  "labels",
  "kept",
  "top",
  "selected",
  "size",
  "why",
  "diff",
  "only",
]);
/** Changes of these draw it again. */
const LOOKS = /** @type {const} */ ([
  "search",
  "hitMarks",
  "marks",
  "notes",
  "finding",
  "panels",
  "replay",
  "colour",
  "colouring",
  "showTies",
]);

/** The least scale at which a tree whose cards became wider is brought into the window whole. */
const REFIT = 0.5;
/** Pixels of width below which a node and its children are made smaller to be seen together. */
const PHONE = 600;

/** Ties that are drawn beyond the window; nearer ones are drawn with their cards. */
const MOST_TIES = 60;

/** Whether nodes are worth something else: while a slider moves only answers count. @param {State} state @param {State} previous */
function isWeighedAnew(state, previous) {
  const isOther = differ(state.weights, previous.weights, "intervals", "found");
  return isOther || isReweighed(state) !== isReweighed(previous);
}

/** @type {Mount} */
export function mountTree(container, store, actions) {
  const tree = createTree();
  const canvas = svg("svg.tree-canvas", { role: "presentation" }, absentHatch(), tree.world);
  container.replaceChildren(canvas);
  const writing = createLettering(canvasMeasure(container));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const testing = document.documentElement.dataset.testing === "true";
  /** @type {Layout | null} */
  let layout = null;
  /** @type {Box | null} the part of a large tree that is drawn */
  let drawnBox = null;
  /** The camera on the screen, and the one that it moves to. */
  let shown = store.get().camera;
  let aimed = shown;
  /** Whether the camera shows everything and was not moved since: then it does so again when the window changes its size. */
  let fitting = false;
  /** The number of the last drawing: the rows that an earlier one left for later are dropped. */
  let turn = 0;

  /** @param {Camera} camera */
  function look(camera) {
    shown = camera;
    const { x, y, scale } = camera;
    tree.world.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(4)})`);
  }

  /**
   * The camera for a new layout: the node that was acted on keeps its place on the screen, and the aim comes into view.
   * @param {State} state
   * @param {Layout} next
   * @param {Layout | null} old
   */
  function cameraFor(state, next, old) {
    const { aim, size } = state;
    let camera = state.camera;
    if (aim === null && camera !== aimed) return camera; // somebody moved it by hand
    if (aim?.kind === "fit" || aim?.kind === "refit") {
      const whole = fitCamera(next, size, SCALES.low);
      if (aim.kind === "fit" || whole.scale >= REFIT) return whole;
    }
    const anchor = [aim?.id, state.selected].find((id) => id != null && old?.rowOf.has(id) && next.rowOf.has(id));
    if (anchor != null && old !== null) {
      const before = cardBox(old, old.rowOf.get(anchor) ?? 0);
      const after = cardBox(next, next.rowOf.get(anchor) ?? 0);
      camera = {
        ...camera,
        x: camera.x + (before.left - after.left) * camera.scale,
        y: camera.y + (before.top - after.top) * camera.scale,
      };
    }
    if (aim?.kind === "reveal") {
      const boxes = (aim.ids ?? []).flatMap((id) => next.rowOf.get(id) ?? []).map((row) => cardBox(next, row));
      return revealCamera(camera, boxes, size);
    }
    const row = aim?.id == null ? undefined : next.rowOf.get(aim.id);
    if (aim === null || row === undefined) return camera;
    if (aim.kind === "centre") return fillCamera(centreCamera(camera, cardBox(next, row), size), next, size);
    const box = familyBox(next, row);
    if (size.width < PHONE) {
      const scale = Math.max(REFIT, Math.min(camera.scale, (size.width - MARGIN) / (box.right - box.left)));
      camera = { ...camera, scale }; // so that the scores of the children are on the screen
    }
    const fitting = fitCamera(next, size, 0).scale;
    if (fitting < camera.scale && Math.min(fitting, 1 / camera.scale) >= READABLE)
      camera = { ...camera, scale: fitting }; // a little smaller, it is seen whole
    return fillCamera(showCamera(camera, box, cardBox(next, row), size), next, size);
  }

  /** The selected node where the window shows it; it stays in view when a panel or a sheet takes room. */
  function selectionSeen() {
    const { selected, camera, size } = store.get();
    const row = selected === null ? undefined : layout?.rowOf.get(selected);
    if (layout === null || row === undefined) return null;
    return contains(shownBox(camera, size, 0), cardBox(layout, row)) ? selected : null;
  }

  function clear() {
    tree.draw([], { animate: false });
    layout = null;
  }

  /** @param {State} state @param {boolean} relaid @param {boolean} [isRest] whether to draw the rows that the last drawing left */
  function draw(state, relaid, isRest = false) {
    turn += 1;
    if (state.phase !== "ready" || state.opened === null) return clear();
    const old = layout;
    if (relaid || layout === null) layout = layOut(state, writing, countText);
    const now = layout;
    const camera = cameraFor(state, now, old);
    if (state.aim !== null) fitting = state.aim.kind.endsWith("fit");
    else if (state.camera !== aimed) fitting = false;
    const start = shown;
    aimed = camera;
    if (camera !== state.camera || state.aim !== null) store.update({ camera, aim: null });
    const path = pathTo(state, state.selected).flatMap((id) => now.rowOf.get(id) ?? []);
    const tied = state.showTies ? samePosition(state, state.selected, now.rowOf.keys()).slice(0, MOST_TIES) : [];
    const also = tied.flatMap((id) => now.rowOf.get(id) ?? []);
    const rows = rowsToDraw(now, camera, state.size, [...path, ...also]);
    drawnBox = now.rows.ids.length > ALL_UP_TO ? shownBox(camera, state.size, BEYOND / 2) : null;
    const focused = canvas.contains(document.activeElement);
    const animate = old !== null && state.animate && !testing && !calm.matches && !isRest;
    const release = store.hold();
    const first = isRest
      ? rows
      : rowsAtFirst(now, camera, state.size, rows, (row) => path.includes(row) || isDrawn(now, row));
    const mine = turn;
    tree.draw(sceneOf(state, now, first, writing), {
      animate,
      frame: (share) =>
        look({
          x: between(start.x, camera.x, share),
          y: between(start.y, camera.y, share),
          scale: between(start.scale, camera.scale, share),
        }),
      ended: () => {
        if (aimed === camera) look(camera);
        if (first === rows) release();
        else {
          afterNextFrame(() => {
            if (turn === mine) draw(store.get(), false, true);
            release();
          });
        }
      },
    });
    if (focused || document.activeElement === document.body) focusSelected(state, focused);
  }

  /**
   * Make the cards that would come into the window, and measure their texts.
   * @param {State} next a likely next state
   */
  function prepare(next) {
    if (layout === null || next.phase !== "ready" || next.opened === null || next.nodes.size === 0) return;
    const laid = layOut(next, writing, countText);
    const camera = cameraFor(next, laid, layout);
    const rows = rowsToDraw(laid, camera, next.size, []);
    const first = rowsAtFirst(laid, camera, next.size, rows, (row) => isDrawn(laid, row));
    tree.prepare(sceneOf(next, laid, first, writing));
  }

  /** @param {Layout} laid @param {number} row */
  const isDrawn = ({ rows }, row) => tree.group(`${(rows.hidden[row] ?? 0) > 0 ? "m" : "n"}${rows.ids[row]}`) !== null;

  /** The focus follows the selection while it is in the tree. @param {State} state @param {boolean} focused */
  function focusSelected(state, focused) {
    const group = state.selected === null ? null : tree.group(`n${state.selected}`);
    if (focused && group !== null && document.activeElement !== group) group.focus({ preventScroll: true });
  }

  store.subscribe((state, previous) => {
    const appeared = state.phase !== previous.phase;
    container.dataset.colour = colourName(state);
    const isElsewhere = state.live?.open !== previous.live?.open;
    if (appeared || isElsewhere || isWeighedAnew(state, previous) || differ(state, previous, ...OPENING)) {
      if (state.nodes !== previous.nodes) clear(); // nodes of another log are others, whatever their ids
      draw(state, true);
    } else if (state.aim !== null || differ(state, previous, ...LOOKS)) draw(state, false);
    else if (state.camera !== aimed) {
      tree.finish();
      fitting = false;
      aimed = layout === null ? state.camera : keepCamera(state.camera, layout, state.size);
      look(aimed);
      if (aimed !== state.camera) store.update({ camera: aimed });
      if (drawnBox !== null && !contains(drawnBox, shownBox(state.camera, state.size, 0))) draw(state, false);
    }
  });

  store.onForeseen((next) => prepare(next));

  const watcher = new ResizeObserver(() => {
    const { width, height } = container.getBoundingClientRect();
    const { size } = store.get();
    if (width === 0 || height === 0 || (size.width === width && size.height === height)) return;
    const seen = selectionSeen();
    actions.setSize(width, height);
    if (fitting && store.get().aim === null && store.get().search === null) actions.fit();
    else if (seen !== null && store.get().aim === null) store.update({ aim: { kind: "show", id: seen } });
  });
  watcher.observe(container);
  mountGestures(container, canvas, store, actions);
  container.dataset.colour = colourName(store.get());
  look(shown);
}

/** Draw once the frame that is drawn now is on the screen. @param {() => void} work */
const afterNextFrame = (work) => void requestAnimationFrame(() => requestAnimationFrame(work));

/** The name of the colouring of cards: one of the built-in ones, or `value` for a field or expression. @param {State} state */
const colourName = ({ colour }) => (OWN_COLOURS.includes(colour) ? colour : "value");

/** The hatching of cards that do not state the value by which the tree is coloured. */
function absentHatch() {
  const lines = svg("path.absent-lines", { d: "M-2 2l4-4M0 8l8-8M6 10l4-4" });
  const paper = svg("rect.absent-paper", { width: 8, height: 8 });
  return svg(
    "defs",
    svg("pattern", { id: "absent-hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse" }, paper, lines),
  );
}
