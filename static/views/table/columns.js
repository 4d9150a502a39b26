// @ts-check
/** The choice of a table's columns: a button that opens a list of the fields of the log, each on or off. */

import { button, smallButton } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { placeBeside } from "../menu.js";

/** @import { Actions } from "../../data/types.js" */

/** @param {Actions} actions */
export function createColumns(actions) {
  const list = html("div.menu.rows-choice", { popover: "auto", role: "group", "aria-label": "Columns of the table" });
  const opener = smallButton("Columns", () => void open(), { "aria-haspopup": "true" });
  let shown = /** @type {string[]} */ ([]);

  async function open() {
    const fields = (await actions.fieldsToAsk()).filter(({ name }) => name !== "id");
    placeBeside(list, opener);
    const all = [...new Set([...shown, ...fields.map(({ name }) => name)])];
    const meaning = new Map(fields.map((field) => [field.name, field.meaning]));
    const usual = button(
      "The usual columns",
      choose(() => null),
      { class: "menu-command" },
    );
    list.replaceChildren(
      usual,
      ...all.map((name) => {
        const box = html("input", {
          type: "checkbox",
          checked: shown.includes(name),
          onchange: choose(() => (shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name])),
        });
        return html("label.rows-field", { title: meaning.get(name) ?? "" }, box, html("span", name));
      }),
    );
    list.showPopover();
    usual.focus();
  }

  /** @param {() => string[] | null} wanted */
  function choose(wanted) {
    return () => {
      const names = wanted();
      shown = names ?? shown;
      void actions.chooseColumns(names?.length === 0 ? null : names);
      if (names === null) list.hidePopover();
    };
  }

  return {
    element: html("span.rows-columns", { "data-asks": true }, opener, list),
    /** @param {string[]} names those that are drawn */
    draw: (names) => void (shown = names),
  };
}
