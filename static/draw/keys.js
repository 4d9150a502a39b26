// @ts-check
/** Keys as they are printed on a keyboard. */

const PRINTED = new Map([
  ["ArrowDown", "\u2193"],
  ["ArrowUp", "\u2191"],
  ["ArrowRight", "\u2192"],
  ["ArrowLeft", "\u2190"],
  [" ", "Space"],
  ["-", "\u2212"],
  ["Escape", "Esc"],
  ["Backspace", "\u232b"],
]);

/**
 * The parts of a key as `KeyboardEvent.key` names it, `Alt+` before it where that is held: `["Alt", "←"]`.
 * A capital letter is the letter with Shift.
 * @param {string} key
 * @returns {string[]}
 */
export function keyParts(key) {
  const parts = key.length > 1 ? key.split("+").filter((part) => part !== "") : [key];
  return parts.flatMap((part) => {
    if (/^[A-Z]$/.test(part)) return ["Shift", part];
    return [PRINTED.get(part) ?? (part.length === 1 ? part.toUpperCase() : part)];
  });
}
