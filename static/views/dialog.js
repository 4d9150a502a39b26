// @ts-check
/** A dialog as the state says: open while its name is `state.dialog`, however the browser or the person closes it. */

/** @import { Actions, State, Store } from "../data/types.js" */

/**
 * @param {HTMLDialogElement} dialog
 * @param {NonNullable<State["dialog"]>} name
 * @param {Store} store
 * @param {Actions} actions
 * @param {(state: State) => boolean} [begin] fills it before it opens; false leaves it closed
 */
export function followState(dialog, name, store, actions, begin = () => true) {
  /** Whether the last frame left the dialog open and it was not asked to close since. */
  let shown = false;

  function leave() {
    shown = false;
    if (store.get().dialog === name) actions.closeDialog();
  }

  /** The browser reports a closed dialog later, when the state may have asked for it again and no frame has drawn it yet. */
  function closed() {
    if (shown && !dialog.open) leave();
  }

  /** Escape is heard at once. @param {KeyboardEvent} event */
  function keyed(event) {
    if (event.key === "Escape") leave();
  }

  /** So is the button of a form that closes it. @param {SubmitEvent} event */
  function submitted(event) {
    const { target } = event;
    if (!event.defaultPrevented && target instanceof HTMLFormElement && target.method === "dialog") leave();
  }

  /** @param {State} state */
  function draw(state) {
    const open = state.dialog === name;
    if (open && shown && !dialog.open) return leave();
    if (!open && dialog.open) dialog.close();
    if (open && !dialog.open && begin(state)) dialog.showModal();
    shown = dialog.open;
  }

  dialog.addEventListener("close", closed);
  dialog.addEventListener("keydown", keyed);
  dialog.addEventListener("submit", submitted);
  store.follow(draw);
}
