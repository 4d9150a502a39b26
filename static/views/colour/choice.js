// @ts-check
/** The choice of a field or expression by which the tree is coloured: a list, and a field for any other. */

import { button } from "../../draw/buttons.js";
import { html, withCode } from "../../draw/element.js";
import { placeBeside } from "../menu.js";
import { goesOn } from "../table/search.js";

/** @import { Actions, AskedField } from "../../data/types.js" */

/** @typedef {{of: string, label: string}} Offered something to colour by, and how it is called */

/** @param {Actions} actions */
export function createColourChoice(actions) {
  const wrong = html("p.colour-wrong", { role: "alert", hidden: true });
  const fields = html("datalist");
  fields.id = `colour-fields-${(made += 1)}`;
  const input = html("input.field.colour-input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "score - static",
    "aria-label": "Field or expression to colour by",
    list: fields.id,
    oninput: suggest,
  });
  const commands = html("div.colour-offered");
  const form = html(
    "form.colour-form",
    { onsubmit: submit },
    html("span.colour-row", input, html("button.button.button-small", { type: "submit" }, "Colour")),
    wrong,
    fields,
  );
  const list = html(
    "div.menu.colour-choice",
    { popover: "auto", role: "group", "aria-label": "Colour the tree by" },
    html("p.colour-title", "Colour the tree by"),
    commands,
    form,
  );
  let names = /** @type {AskedField[]} */ ([]);

  function suggest() {
    wrong.hidden = true;
    const { value } = input;
    const found =
      value.trim() === "" ? names.slice(0, 40).map((field) => field.written ?? field.name) : goesOn(value, names);
    fields.replaceChildren(...found.map((each) => html("option", { value: each })));
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    void choose(input.value);
  }

  /** @param {string} text */
  async function choose(text) {
    const of = text.trim();
    if (of === "") return;
    const error = ["layer", "score", "outcome"].includes(of) ? null : await actions.wrongColour(of);
    wrong.replaceChildren(...withCode(error ?? ""));
    wrong.hidden = error === null;
    input.setAttribute("aria-invalid", String(error !== null));
    if (error !== null) return void input.focus();
    actions.setColour(of);
    list.hidePopover();
  }

  /**
   * Show the choice beside a control.
   * @param {HTMLElement} beside
   * @param {Offered[]} offered
   * @param {string} now the current colour
   */
  async function open(beside, offered, now) {
    placeBeside(list, beside);
    commands.replaceChildren(
      ...offered.map(({ of, label }) =>
        button(html("span.menu-label.cut", html("bdi", label)), () => void choose(of), {
          class: "menu-command",
          "aria-pressed": String(of === now),
        }),
      ),
    );
    input.value = offered.some(({ of }) => of === now) ? "" : now;
    wrong.hidden = true;
    list.showPopover();
    input.focus();
    names = await actions.fieldsToAsk();
    suggest();
  }

  return { list, open };
}

let made = 0;
