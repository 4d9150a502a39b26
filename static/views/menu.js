// @ts-check
/** A button of the topbar that opens a short list of commands below itself; the browser closes it. */

import { button } from "../draw/buttons.js";
import { html, keyParts } from "../draw/element.js";
import { icon } from "../draw/icons.js";

/** @import { IconName } from "../draw/icons.js" */

/** Keys of what asks the server: a page that is one file has neither them nor their commands. */
export const ASKING_KEYS = new Set(".,><hHkatvVugxdFODG");
/** Pixels between a menu and the edge of the window. */
const MARGIN = 8;

/**
 * @param {object} menu
 * @param {string} menu.id
 * @param {string} menu.label
 * @param {IconName} menu.icon
 * @param {string} [menu.text] beside the icon
 * @param {HTMLButtonElement[]} menu.commands
 * @returns {HTMLElement} the button, and the list beside it
 */
export function createMenu({ id, label, icon: name, text, commands }) {
  const button = html(
    "button",
    {
      class: text === undefined ? "button button-icon" : "button",
      type: "button",
      popovertarget: id,
      "aria-label": label,
      "aria-haspopup": "true",
      title: label,
    },
    icon(name),
    text !== undefined && html("span.button-text", text),
    text !== undefined && icon("down", "menu-more"),
  );
  const list = html("div.menu", { id, popover: "auto", onkeydown: keyed }, commands);
  list.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-stays]") === null) list.hidePopover();
  });
  list.addEventListener("beforetoggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
    placeBeside(list, button);
  });
  list.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === "open") commands[0]?.focus();
  });

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const shown = commands.filter((command) => command.getClientRects().length > 0);
    const at = shown.findIndex((command) => command === document.activeElement);
    shown[(at + step + shown.length) % shown.length]?.focus();
  }

  return html("div.menu-place", button, list);
}

/**
 * Place a list at its control: below or above it, and in line with its left or right edge, where the window has more room.
 * @param {HTMLElement} list
 * @param {Element} control
 */
export function placeBeside(list, control) {
  const { top, bottom, left, right } = control.getBoundingClientRect();
  const { clientHeight, clientWidth } = document.documentElement;
  const [isBelow, isAtLeft] = [top < clientHeight / 2, left + right < clientWidth];
  list.style.top = isBelow ? `${bottom + 4}px` : "auto";
  list.style.bottom = isBelow ? "auto" : `${Math.max(MARGIN, clientHeight - top + 4)}px`;
  list.style.maxHeight = `${(isBelow ? clientHeight - bottom : top) - MARGIN - 4}px`;
  list.style.left = isAtLeft ? `${Math.max(MARGIN, left)}px` : "auto";
  list.style.right = isAtLeft ? "auto" : `${Math.max(MARGIN, clientWidth - right)}px`;
}

/** A control that asks the server. @template {HTMLElement} E @param {E} control */
export function asking(control) {
  control.dataset.asks = "";
  return control;
}

/**
 * A command of a menu.
 * @param {IconName} name
 * @param {string} label
 * @param {() => void} press
 * @param {string} [key] that does the same
 */
export function menuCommand(name, label, press, key) {
  return button(
    [
      icon(name),
      html("span.menu-label", label),
      key !== undefined &&
        html(
          "span",
          { "aria-hidden": "true" },
          keyParts(key).map((part) => html("kbd", part)),
        ),
    ],
    press,
    { class: "menu-command", "data-asks": ASKING_KEYS.has(key ?? "") },
  );
}
