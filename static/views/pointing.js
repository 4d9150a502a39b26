// @ts-check
/** The node that is pointed at is marked wherever it stands: its card in the tree, its ply on a board and in a list. */

/**
 * @param {Document} page
 * @param {import("../data/state.js").Store} store
 * @returns {() => void}
 */
export function mountPointing(page, store) {
  return store.subscribe((state, previous) => {
    if (state.hovered === null && previous.hovered === null) return;
    const id = state.hovered === null ? "" : String(state.hovered.id);
    for (const old of page.querySelectorAll(".node-pointed, .ply-pointed"))
      old.classList.remove("node-pointed", "ply-pointed");
    if (id === "") return;
    page.querySelector(`#tree [data-id="${id}"]`)?.classList.add("node-pointed");
    for (const ply of page.querySelectorAll("[data-ids]")) {
      if (ply.getAttribute("data-ids")?.split(" ").includes(id)) ply.classList.add("ply-pointed");
    }
  });
}
