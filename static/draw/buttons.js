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

/**
 * A group of controls at which Tab stops once; arrows go from one to the next (`stepWithin`).
 * @template {Element} E
 * @param {E} group
 */
export function asOneStop(group) {
  group.setAttribute("data-one-stop", "");
  const stops = stopsOf(group);
  const first = stops.find((stop) => stop === document.activeElement) ?? stops[0];
  for (const stop of stops) stop.tabIndex = stop === first ? 0 : -1;
  return group;
}

/**
 * Go to the next control of a group that is one stop, or to the one before; false where the key means no such step.
 * @param {KeyboardEvent} event
 */
export function stepWithin({ key, target }) {
  const control = target instanceof HTMLElement ? target : null;
  const group = control?.closest("[data-one-stop]");
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (control === null || group == null || step === undefined) return false;
  const stops = stopsOf(group);
  const next = stops[Math.max(0, Math.min(stops.length - 1, stops.indexOf(control) + step))];
  control.tabIndex = -1;
  if (next !== undefined) next.tabIndex = 0;
  next?.focus();
  return true;
}

/** @param {Element} group */
function stopsOf(group) {
  return /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button, summary")]);
}

/** Call a control so, for who hears it and in its tooltip. @param {HTMLElement} control @param {string} words */
export function nameControl(control, words) {
  control.setAttribute("aria-label", words);
  control.title = words;
}
