// @ts-check
/** Buttons that do something at once; one that sends a form, opens a menu or is a tab is made by `html`. */

import { html } from "./element.js";
import { icon } from "./icons.js";

/** @import { Attributes, Child } from "./element.js" */
/** @import { IconName } from "./icons.js" */

/**
 * @param {Child | readonly Child[]} content
 * @param {(event: any) => unknown} press not called while the button is `aria-disabled`
 * @param {Attributes} [more] a class takes the place of the usual one
 */
export function button(content, press, more = {}) {
  const onclick = (/** @type {Event} */ event) => {
    const pressed = /** @type {Element} */ (event.currentTarget);
    if (pressed.getAttribute("aria-disabled") !== "true") press(event);
  };
  return html("button.button", { type: "button", ...more, onclick }, content);
}

/** @param {Child | readonly Child[]} content @param {(event: any) => unknown} press @param {Attributes} [more] */
export function smallButton(content, press, more = {}) {
  return button(content, press, { class: "button button-small", ...more });
}

/**
 * A small button that shows an icon alone.
 * @param {IconName} name
 * @param {string} label for who does not see it; the tooltip too where `more` has no title
 * @param {(event: any) => unknown} press
 * @param {Attributes} [more]
 */
export function iconButton(name, label, press, more = {}) {
  const look = { class: "button button-icon button-small", "aria-label": label || null, title: label || null };
  return button(icon(name), press, { ...look, ...more });
}

/** Call a control so, for who hears it and in its tooltip. @param {HTMLElement} control @param {string} words */
export function nameControl(control, words) {
  control.setAttribute("aria-label", words);
  control.title = words;
}
