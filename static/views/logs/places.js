// @ts-check
/** The place that an error names, as offsets in the text it is about. */

const PLACE = /\bline ([\d,]+)(?:\D{1,3}col(?:umn|\.)? ([\d,]+))?/i;
/** A path to a value at the beginning of a message, after a line perhaps: `$.root.children[0].outcome:`. */
const PATH = /^(?:line [\d,]+, )?\$((?:\.[^\s.:[\]]+|\[\d+\]|\["[^"]*"\])+)/i;
const STEP = /\.([^.[]+)|\[(\d+)\]|\["([^"]*)"\]/g;
/** The tokens of JSON and of literals: blanks and comments, strings, signs, words. */
const TOKEN =
  /(?:\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|("(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|`(?:[^`\\]|\\[^])*`?)|([{}[\],:])|([^\s{}[\],:"'`/]+|\/)/y;

/** @typedef {{start: number, end: number, line: number}} Place offsets of a place in a text, and its line, from 1 */

/**
 * The word at the line and column that `message` names, or the value at its path. Null where the message names none
 * or the text has no such place.
 * @param {string} message
 * @param {string} text
 * @returns {Place | null}
 */
export function findPlace(message, text) {
  const found = PLACE.exec(message);
  const steps = [...(PATH.exec(message)?.[1] ?? "").matchAll(STEP)].map(
    ([, key, index, quoted]) => key ?? quoted ?? Number(index),
  );
  if (steps.length > 0 && found?.[2] === undefined) {
    const from = found === null ? 0 : startOf(wholeNumber(found[1]), text);
    const value = from === null ? null : valueAt(text, steps, from);
    if (value !== null) return value;
  }
  if (found === null) return null;
  const line = wholeNumber(found[1]);
  const before = startOf(line, text);
  if (before === null) return null;
  const [content = ""] = text.slice(before).split("\n", 1);
  if (found[2] === undefined) return { start: before, end: before + content.length, line };
  const column = Math.min(Math.max(1, wholeNumber(found[2])), content.length + 1) - 1;
  const word = /^(?:[\w$.+-]+|"[^"]*"?|.)/.exec(content.slice(column))?.[0] ?? "";
  return { start: before + column, end: before + column + word.length, line };
}

/**
 * Walk a text from `from` to the value at `steps`; an object or a list is marked by its
 * bracket. Nothing is read but brackets, keys and commas, so that a text need not be right as a whole.
 * @param {string} text
 * @param {readonly (string | number)[]} steps keys and indices
 * @param {number} from
 * @returns {Place | null}
 */
function valueAt(text, steps, from) {
  /** @type {(string | number | null)[]} where one is in each open object or list; null before a key */
  const at = [];
  TOKEN.lastIndex = from;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [all, string, sign, word] = token;
    const top = at.length - 1;
    if (sign === "}" || sign === "]") {
      at.pop();
      if (at.length === 0) return null;
    } else if (sign === ",") {
      if (top < 0) continue;
      const last = at[top];
      at[top] = typeof last === "number" ? last + 1 : null;
    } else if (sign !== ":" && (string ?? word ?? sign) !== undefined) {
      if (sign === undefined && at[top] === null) {
        at[top] = string === undefined ? all : all.slice(1, -1);
        continue;
      }
      if (at.length === steps.length && steps.every((step, i) => at[i] === step)) {
        return {
          start: token.index,
          end: token.index + all.length,
          line: text.slice(0, token.index).split("\n").length,
        };
      }
      if (sign !== undefined) at.push(sign === "[" ? 0 : null);
    }
  }
  return null;
}

/**
 * Where a line begins, counted from 1; null where the text has fewer.
 * @param {number} line
 * @param {string} text
 */
function startOf(line, text) {
  const lines = text.split("\n");
  return line > lines.length ? null : lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
}

/**
 * Whether a text cannot be meant as a log: it begins neither as JSON nor as an assignment.
 * @param {string} text
 */
export function isProse(text) {
  const code = text.replace(/^(?:\s+|\ufeff|\/\/[^\n]*|\/\*[^]*?\*\/)+/, "");
  return code !== "" && !/^["'`{[(\u001f]/.test(code) && !/^[\w$.\s]+=/.test(code.slice(0, 2000));
}

/** @param {string | undefined} digits */
function wholeNumber(digits) {
  return Number((digits ?? "").replace(/,/g, ""));
}
