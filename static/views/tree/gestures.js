// @ts-check
/** Gestures of the pointer on the tree: drag pans, the wheel and two fingers zoom, a press selects and opens. */

import { FOREST } from "../../data/types.js";

/** @import { Actions, Id, Store } from "../../data/types.js" */

/** Pixels that a press may wander and still be a press. */
const STILL = 5;
/** Zoom per pixel of a wheel, and of a trackpad's pinch (a wheel with the control key). */
const WHEEL = 0.0016;
const PINCH = 0.01;
/** Pixels in a line and a page of a wheel that does not count in pixels. */
const LINE = 16;

/**
 * @param {HTMLElement} container
 * @param {SVGSVGElement} canvas
 * @param {Store} store
 * @param {Actions} actions
 */
export function mountGestures(container, canvas, store, actions) {
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  let wandered = 0;
  let pressed = /** @type {Element | null} */ (null);
  /** Where the last press was: what moves under a pointer that rests there is not pointed at. */
  let rests = /** @type {{x: number, y: number} | null} */ (null);

  /** @param {{clientX: number, clientY: number}} event */
  const inTree = (event) => {
    const box = container.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  /** @param {WheelEvent} event */
  function onWheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? store.get().size.height : 1;
    if (event.shiftKey && !event.ctrlKey) {
      actions.pan(-(event.deltaX || event.deltaY) * unit, 0);
      return;
    }
    const delta = Math.max(-240, Math.min(240, event.deltaY * unit));
    actions.zoom(Math.exp(-delta * (event.ctrlKey ? PINCH : WHEEL)), inTree(event));
  }

  /** @param {PointerEvent} event */
  function onDown(event) {
    if (event.pointerType === "mouse" && event.button > 1) return;
    if (fingers.size === 0) {
      wandered = 0;
      pressed = event.target instanceof Element ? event.target : null;
    }
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size > 1) wandered = Infinity;
  }

  /** @param {PointerEvent} event */
  function onMove(event) {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    fingers.set(event.pointerId, now);
    const other = others[0];
    if (other !== undefined) {
      const [wide, was] = [now, before].map(({ x, y }) => Math.max(1, Math.hypot(x - other.x, y - other.y)));
      const spread = (wide ?? 1) / (was ?? 1);
      const middle = { clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 };
      actions.zoom(spread, inTree(middle));
      actions.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      return;
    }
    wandered += Math.hypot(now.x - before.x, now.y - before.y);
    if (wandered < STILL) {
      fingers.set(event.pointerId, before);
      wandered = Math.hypot(now.x - before.x, now.y - before.y);
      return;
    }
    if (!canvas.hasPointerCapture(event.pointerId)) canvas.setPointerCapture(event.pointerId);
    container.dataset.dragging = "true";
    actions.pan(now.x - before.x, now.y - before.y);
  }

  /** @param {PointerEvent} event */
  function onUp(event) {
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
    delete container.dataset.dragging;
    if (wandered < STILL && pressed !== null && event.type === "pointerup") press(pressed, event);
    pressed = null;
  }

  /** @param {Element} target @param {PointerEvent} event */
  function press(target, event) {
    rests = { x: event.clientX, y: event.clientY };
    actions.hover(null);
    const more = target.closest("[data-more]");
    if (more !== null) {
      void actions.showMore(Number(more.getAttribute("data-more")));
      return;
    }
    const id = idOf(target);
    if (id === null) return;
    const parent = store.get().nodes.get(id)?.parent;
    if (target.closest("[data-above]") !== null && parent != null) {
      void actions.goTo(parent);
      return;
    }
    const hold = event.shiftKey || event.ctrlKey || event.metaKey;
    const again = store.get().selected === id;
    actions.select(id);
    const { check, details } = store.get().panels;
    if (check && details) actions.setPanel("check", false); // it lay over the details, which tell of the node
    /** @type {SVGElement | null} */ (target.closest("[data-id]"))?.focus({ preventScroll: true });
    const wedge = target.closest("[data-wedge]") !== null;
    if (wedge || !store.get().expanded.has(id)) void actions.expand(id, { hold });
    else if (again) actions.collapse(id);
  }

  /** @param {PointerEvent} event */
  function onOver(event) {
    if (event.pointerType !== "mouse" || fingers.size > 0) return;
    if (rests?.x === event.clientX && rests.y === event.clientY) return;
    rests = null;
    const { id, part } = pointedAt(event.target);
    const { hovered } = store.get();
    if (id !== (hovered?.id ?? null) || (id !== null && part !== hovered?.part)) {
      actions.hover(id, event.clientX, event.clientY, part);
    }
  }

  const onLeave = () => actions.hover(null);

  canvas.addEventListener("wheel", onWheel, { passive: false });
  canvas.addEventListener("pointerdown", onDown);
  canvas.addEventListener("pointermove", onMove);
  canvas.addEventListener("pointerup", onUp);
  canvas.addEventListener("pointercancel", onUp);
  canvas.addEventListener("pointerover", onOver);
  canvas.addEventListener("pointerleave", onLeave);
}

/** @param {Element} element */
function idOf(element) {
  const id = element.closest("[data-id]")?.getAttribute("data-id");
  return id == null ? null : Number(id);
}

/**
 * The node that is pointed at, and which part of its drawing; the roots that have no room have no node above them.
 * @param {EventTarget | null} target
 * @returns {{id: Id | null, part: "card" | "wedge" | "more"}}
 */
function pointedAt(target) {
  if (!(target instanceof Element)) return { id: null, part: "card" };
  const more = target.closest("[data-more]")?.getAttribute("data-more");
  if (more != null) return { id: Number(more) === FOREST ? null : Number(more), part: "more" };
  return { id: idOf(target), part: target.closest("[data-wedge]") === null ? "card" : "wedge" };
}
