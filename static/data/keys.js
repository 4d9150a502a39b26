// @ts-check
/**
 * The keys of the page, once: what the keyboard obeys and what the help lists are both this table.
 *
 * A key is written as `KeyboardEvent.key`, after `Shift+`, `Alt+` where held. `where` says whether it works on the
 * whole page (outside of text boxes and dialogs) or while the tree has the focus.
 */

/** @typedef {"next" | "previous" | "in" | "out" | "first" | "last" | "toggle" | "pin" | "more" | "siblings" | "fold" | "tip" | "root" | "pv" | "pv-next" | "pv-previous" | "back" | "forward" | "search" | "hit-next" | "hit-previous" | "fit" | "zoom-in" | "zoom-out" | "zoom-reset" | "logs" | "details" | "paste" | "help" | "escape"} Command */
/** @typedef {{command: Command, keys: string[], where: "tree" | "page", text: string}} Key */

/** @type {readonly {title: string, keys: readonly Key[]}[]} */
export const KEYS = [
  {
    title: "Walk the tree",
    keys: [
      { command: "next", keys: ["ArrowDown"], where: "tree", text: "next node" },
      { command: "previous", keys: ["ArrowUp"], where: "tree", text: "previous node" },
      { command: "in", keys: ["ArrowRight"], where: "tree", text: "open the node, then go to its first child" },
      { command: "out", keys: ["ArrowLeft"], where: "tree", text: "fold the node, then go to its parent" },
      { command: "first", keys: ["Home"], where: "tree", text: "first node" },
      { command: "last", keys: ["End"], where: "tree", text: "last node" },
      { command: "toggle", keys: [" "], where: "tree", text: "open or fold the node" },
      { command: "pin", keys: ["Enter"], where: "tree", text: "details of the node" },
      { command: "tip", keys: ["i"], where: "tree", text: "factors of the node, as when pointing at it" },
      { command: "more", keys: ["m"], where: "tree", text: "more of its children" },
      { command: "siblings", keys: ["*"], where: "tree", text: "open all siblings" },
    ],
  },
  {
    title: "Find",
    keys: [
      { command: "search", keys: ["/"], where: "page", text: "search" },
      { command: "hit-next", keys: ["n"], where: "page", text: "next hit" },
      { command: "hit-previous", keys: ["Shift+N"], where: "page", text: "previous hit" },
      { command: "pv", keys: ["p"], where: "page", text: "open the principal variation" },
      { command: "pv-next", keys: ["]"], where: "page", text: "forward along the principal variation" },
      { command: "pv-previous", keys: ["["], where: "page", text: "back along the principal variation" },
      { command: "root", keys: ["r"], where: "page", text: "go to the root" },
      { command: "back", keys: ["Alt+ArrowLeft"], where: "page", text: "back to the node visited before" },
      { command: "forward", keys: ["Alt+ArrowRight"], where: "page", text: "forward again" },
    ],
  },
  {
    title: "Look",
    keys: [
      { command: "fit", keys: ["f"], where: "page", text: "fit the tree into the window" },
      { command: "zoom-in", keys: ["+", "="], where: "page", text: "zoom in" },
      { command: "zoom-out", keys: ["-"], where: "page", text: "zoom out" },
      { command: "zoom-reset", keys: ["0"], where: "page", text: "natural size" },
      { command: "fold", keys: ["Shift+F"], where: "page", text: "fold everything" },
    ],
  },
  {
    title: "Page",
    keys: [
      { command: "logs", keys: ["l"], where: "page", text: "panel of logs" },
      { command: "details", keys: ["d"], where: "page", text: "panel of details" },
      { command: "paste", keys: ["j"], where: "page", text: "paste JSON" },
      { command: "escape", keys: ["Escape"], where: "page", text: "close what is open" },
      { command: "help", keys: ["?"], where: "page", text: "this list" },
    ],
  },
];

const SHOWN = new Map([
  ["ArrowDown", "\u2193"],
  ["ArrowUp", "\u2191"],
  ["ArrowRight", "\u2192"],
  ["ArrowLeft", "\u2190"],
  [" ", "Space"],
  ["-", "\u2212"],
  ["Escape", "Esc"],
]);

/**
 * A key as it is printed on the keyboard, in its parts: `["Alt", "←"]`.
 * @param {string} key
 * @returns {string[]}
 */
export function keyParts(key) {
  const parts = key.length > 1 ? key.split("+").filter((part) => part !== "") : [key];
  return parts.map((part) => SHOWN.get(part) ?? (part.length === 1 ? part.toUpperCase() : part));
}

/**
 * The command that a key press asks for, or null.
 * @param {{key: string, altKey: boolean, ctrlKey: boolean, metaKey: boolean, shiftKey: boolean}} event
 * @param {"tree" | "page"} where
 * @returns {Command | null}
 */
export function commandOf(event, where) {
  if (event.ctrlKey || event.metaKey) return null;
  const named = `${event.altKey ? "Alt+" : ""}${event.shiftKey && /^[A-Za-z]$/.test(event.key) ? "Shift+" : ""}${event.key}`;
  for (const group of KEYS) {
    for (const key of group.keys) {
      if (key.where === where && key.keys.includes(named)) return key.command;
    }
  }
  return null;
}
