// @ts-check
/** The ways from a tree to a game and on: each is a key, a command of the menu and a control of the page. */

import { isShared } from "../../data/shared/embedded.js";

/** @import { Actions, Id, State } from "../../data/types.js" */
/** @import { IconName } from "../../draw/icons.js" */

/**
 * @typedef {object} Way
 * @property {string} key
 * @property {IconName} icon
 * @property {string} label
 * @property {string} what it does, for the help
 * @property {string} lacks the reason why it is missing
 * @property {(state: State) => boolean} isThere
 * @property {(actions: Actions, node: Id, state: State) => unknown} go
 */

const UNKNOWN_GAME = "The game of this log is not known here, so nothing goes on from its nodes.";
const goesOn = (/** @type {State} */ { opened }) => !isShared && opened?.playable === true;

/** @type {Readonly<Record<"playOn" | "searchOn" | "back", Way>>} */
export const WAYS = {
  playOn: {
    key: "O",
    icon: "run",
    label: "Play on from here",
    what: "play on from the node, against an agent",
    lacks: UNKNOWN_GAME,
    isThere: goesOn,
    go: (actions, node) => actions.playOn(node),
  },
  searchOn: {
    key: "D",
    icon: "search",
    label: "Search on from here",
    what: "search on from the node, deeper or by another algorithm",
    lacks: UNKNOWN_GAME,
    isThere: goesOn,
    go(actions, node) {
      actions.setPanel("details", true); // where one says by what
      return actions.searchOn(node, "GET");
    },
  },
  back: {
    key: "G",
    icon: "back",
    label: "Back to its game or match",
    what: "back to the game or match of this log",
    lacks: "This log is of no game or match that was played here.",
    isThere: ({ opened }) => opened?.game_page !== undefined,
    go: (_actions, _node, { opened }) => location.assign(opened?.game_page ?? ""),
  },
};

/**
 * Take a way from the node of the details, or say why it is not there.
 * @param {Way} way
 * @param {Actions} actions
 * @param {State} state
 */
export function take(way, actions, state) {
  const node = state.details?.id ?? state.selected;
  if (way.isThere(state) && node !== null) void way.go(actions, node, state);
  else actions.notify("note", way.lacks);
}

/** The tip of a control that is a way. @param {Way} way */
export const tipOf = ({ label, key }) => `${label} (Shift ${key})`;
