// @ts-check
/** The place that an error names, as offsets in the text it is about. */

const PLACE = /\bline ([\d,]+)(?:\D{1,3}col(?:umn|\.)? ([\d,]+))?/i;

/**
 * The word at the line and column that `message` names: offsets of its start and end in `text`, and its line,
 * counted from 1. Null where the message names none or the text has no such line.
 * @param {string} message
 * @param {string} text
 * @returns {{start: number, end: number, line: number} | null}
 */
export function findPlace(message, text) {
  const found = PLACE.exec(message);
  if (found === null) return null;
  const line = wholeNumber(found[1]);
  const lines = text.split("\n");
  const content = lines[line - 1];
  if (content === undefined) return null;
  const before = lines.slice(0, line - 1).reduce((sum, other) => sum + other.length + 1, 0);
  if (found[2] === undefined) return { start: before, end: before + content.length, line };
  const column = Math.min(Math.max(1, wholeNumber(found[2])), content.length + 1) - 1;
  const word = /^(?:[\w$.+-]+|"[^"]*"?|.)/.exec(content.slice(column))?.[0] ?? "";
  return { start: before + column, end: before + column + word.length, line };
}

/**
 * @param {string | undefined} digits
 * @returns {number}
 */
function wholeNumber(digits) {
  return Number((digits ?? "").replace(/,/g, ""));
}
