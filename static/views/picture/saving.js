// @ts-check
/** Saving the tree as a picture, and sharing it as one file. The code for pictures is loaded with the first one. */

import { messageOf } from "../../data/api.js";
import { html } from "../../draw/element.js";

import { labelsOf } from "../../layout/labels.js";

/** @import { Actions, State } from "../../data/types.js" */

const NOTHING = "There is no tree to save yet: open a log first.";

/** The tree below the selected node as textbooks draw it, made by the server. @param {Actions} actions */
export function saveFigure(actions) {
  const address = actions.fileOfFigure();
  if (address === null) actions.notify("error", NOTHING);
  else html("a", { href: address, download: "figure.svg" }).click();
}

/** Share the log as one file, whose cards show the same fields as now. @param {Actions} actions @param {State} state */
export const shareLog = (actions, state) => actions.share(state.opened === null ? {} : labelsOf(state, state.opened));

/** Save the tree as it is shown now. @param {"svg" | "png"} form @param {State} state @param {Actions} actions */
export async function saveTree(form, state, actions) {
  const container = document.getElementById("tree");
  if (state.phase !== "ready" || state.opened === null || container === null) {
    actions.notify("error", NOTHING);
    return;
  }
  try {
    const [{ save }, { pictureOf, pngOf }] = await Promise.all([import("../chart.js"), import("./picture.js")]);
    const picture = pictureOf(container, state);
    const name =
      state.opened.log.name
        .replace(/\.(json|jsonl|plyb|js|txt|parquet|gz|zst)(?=\.|$)/g, "")
        .replace(/[^\p{L}\p{N}._-]+/gu, "-") || "tree";
    if (form === "svg") return save(new Blob([picture.text], { type: "image/svg+xml" }), `${name}.svg`);
    const { blob, scale } = await pngOf(picture);
    save(blob, `${name}.png`);
    if (scale < 2)
      actions.notify(
        "note",
        `The picture is larger than browsers draw twice as large; it was saved at ${scale.toFixed(2)} times its size. The SVG has no such limit.`,
      );
  } catch (error) {
    actions.notify("error", `The picture could not be made: ${messageOf(error)}`);
  }
}
