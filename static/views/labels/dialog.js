// @ts-check
/** The dialog of labels: the two or three fields that the cards of each layer show. A choice shows on the cards at once. */

import { isBestFirst, isStub } from "../../data/claims.js";
import { FIELDS } from "../../data/fields.js";
import { isShared } from "../../data/shared/embedded.js";
import { button } from "../../draw/buttons.js";
import { html, tableHead } from "../../draw/element.js";
import { layerMark } from "../../draw/icons.js";
import { isWritten } from "../../draw/lettering.js";
import { LABELLED, labelsKey, labelsOf, usualFields } from "../../layout/labels.js";
import { followState } from "../dialog.js";

/** @import { AskedField, Mount, Opened } from "../../data/types.js" */

const PLACES = ["At the left", "At the right", "Small, behind it"];
const LAYERS = { max: "Root player", min: "Opponent", chance: "Chance", other: "Others", plain: "Nodes" };

/** @type {Mount} */
export function mountLabels(container, store, actions) {
  const dialog = /** @type {HTMLDialogElement} */ (container);
  const rows = html("tbody");

  /** @param {Opened} opened */
  async function fill(opened) {
    draw(opened, []);
    const fields = await actions.fieldsToAsk();
    if (store.get().opened === opened)
      draw(
        opened,
        fields.filter(({ name }) => isWritten(name, opened)),
      );
  }

  /** @param {Opened} opened @param {AskedField[]} fields */
  function draw(opened, fields) {
    const searched = [...store.get().nodes.values()].filter((node) => !isStub(node));
    const found = new Set(searched.map(({ layer = "plain" }) => layer));
    const now = labelsOf(store.get(), opened);
    rows.replaceChildren(
      ...LABELLED.filter((layer) => found.has(layer)).map((layer) => {
        const chosen = now[layer] ?? usualFields(opened);
        const selects = PLACES.map((place, at) =>
          select(fields, chosen[at] ?? "", `${LAYERS[layer]}: ${place}`, at === 2, opened),
        );
        const choose = () => {
          const picked = selects.map(({ value }) => value).filter((name) => name !== "");
          actions.setLabels(labelsKey(opened), { ...labelsOf(store.get(), opened), [layer]: picked });
        };
        for (const each of selects) each.onchange = choose;
        const name = [layer === "plain" ? null : layerMark(layer), ` ${LAYERS[layer]}`];
        return html(
          "tr",
          html("th", { scope: "row" }, name),
          selects.map((each) => html("td", each)),
        );
      }),
    );
  }

  /** @param {AskedField[]} fields @param {string} value @param {string} label @param {boolean} isOptional @param {Opened} opened */
  function select(fields, value, label, isOptional, opened) {
    const names = new Set([
      ...(isOptional ? [""] : []),
      value,
      ...usualFields(opened),
      ...fields.map(({ name }) => name),
    ]);
    const made = html(
      "select.field",
      { "aria-label": label },
      [...names].map((name) =>
        html(
          "option",
          { value: name, title: fields.find((field) => field.name === name)?.meaning },
          wordsOf(name, opened),
        ),
      ),
    );
    made.value = value;
    return made;
  }

  function reset() {
    const { opened } = store.get();
    if (opened === null) return;
    actions.setLabels(labelsKey(opened), {});
    void fill(opened);
  }

  const kept = html("p.dim");
  dialog.replaceChildren(
    html(
      "form.dialog-form",
      { method: "dialog" },
      html("h2.dialog-title", { id: "labels-title" }, "What cards show"),
      kept,
      html("div.dialog-body", html("table.labels", tableHead([null, ...PLACES]), rows)),
      html(
        "div.dialog-commands",
        button("As usual", reset),
        html("button.button.button-first", { type: "submit" }, "Close"),
      ),
    ),
  );
  followState(dialog, "labels", store, actions, ({ opened }) => {
    if (opened === null) return false;
    const of = opened.game === undefined ? "logs that name no game" : `games of ${opened.game}`;
    kept.textContent = isShared
      ? "This page is one file: what is chosen here lasts until it is closed."
      : `For all ${isBestFirst(opened) ? "best-first trees of " : ""}${of}, in this browser.`;
    void fill(opened);
    return true;
  });
}

/** @param {string} name @param {Opened} opened */
function wordsOf(name, opened) {
  if (name === "") return "\u2013";
  if (name === "score" && isBestFirst(opened)) return "score, else mean";
  return FIELDS.find((field) => field.name === name)?.label ?? name.replace("_", " ");
}
