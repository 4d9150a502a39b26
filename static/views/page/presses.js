// @ts-check
/**
 * Presses of a control that is redrawn or moves between the button's going down and its coming up. The browser forgets
 * such a press; the user means the control that was under the pointer when the button went down, so that one is
 * pressed.
 */

/** Pixels that a pointer may wander and still rest. */
const STILL = 5;
/** The elements that can be pressed. */
const CONTROLS = "button, a[href], summary, [role=option], [role=button], [data-cell]";
/** The attributes that name a control, where it has one of them. */
const NAMES = ["data-cell", "aria-label", "href", "id"];

/** @param {Window} page */
export function keepPresses(page) {
  let down = /** @type {{control: Element, name: string, x: number, y: number} | null} */ (null);

  /** @param {MouseEvent} event */
  function onDown({ button, target, clientX: x, clientY: y }) {
    const control = button === 0 ? controlOf(target) : null;
    down = control && { control, name: nameOf(control), x, y };
  }

  /** @param {MouseEvent} event */
  function onUp(event) {
    const pressed = down;
    down = null;
    if (pressed === null || event.button !== 0) return;
    const rested = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < STILL;
    const under = controlOf(event.target);
    const isSame = under !== null && (under === pressed.control || nameOf(under) === pressed.name);
    const control = isSame ? under : rested ? controlNamed(pressed.name) : null;
    if (control === null) return;
    let isDone = false;
    const onClick = (/** @type {MouseEvent} */ click) => {
      isDone ||= control.contains(/** @type {Node} */ (click.target));
    };
    page.addEventListener("click", onClick, true);
    setTimeout(() => {
      page.removeEventListener("click", onClick, true);
      const now = control.isConnected ? control : controlNamed(pressed.name); // redrawn once more
      if (isDone || !now?.checkVisibility() || now.matches(":disabled")) return;
      now.dispatchEvent(new MouseEvent("click", event));
    });
  }

  page.addEventListener("mousedown", onDown, true);
  page.addEventListener("mouseup", onUp, true);
}

/** The tree hears of presses itself. @param {EventTarget | null} target */
function controlOf(target) {
  const control = target instanceof Element ? target.closest(CONTROLS) : null;
  return control?.closest("#tree") ? null : control;
}

/** The one control of this name; null where there are several. @param {string} name */
function controlNamed(name) {
  const found = [...document.querySelectorAll(CONTROLS)].filter((each) => nameOf(each) === name);
  return found.length === 1 && found[0] !== undefined ? found[0] : null;
}

/**
 * The key by which a control is the same after a redraw: its own key, else all that names it. A row of a table is named
 * by its path, since its figures may have changed; other controls by their text.
 * @param {Element} control
 */
function nameOf(control) {
  const key = control.getAttribute("data-key");
  if (key !== null) return key;
  const text = control.querySelector(".rows-path")?.getAttribute("title") ?? control.textContent;
  return JSON.stringify([control.tagName, ...NAMES.map((name) => control.getAttribute(name)), text]);
}
