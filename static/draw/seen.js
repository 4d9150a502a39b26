// @ts-check
/** Texts of a log within sentences: invisible characters are replaced by visible signs, long texts are shortened. */

/** Control characters but for tabs and line ends, marks of direction, and what has no width but joins no letters. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * The text with every unseen character as a sign: `␛` for an escape, `‹U+202E›` for a right-to-left override.
 * @param {string} text
 */
export function seen(text) {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\u2039U+${code.toString(16).toUpperCase().padStart(4, "0")}\u203a`;
  });
}

/**
 * A text of a log within a sentence, without its middle where it is long, since its end has the figures.
 * @param {string} text
 * @param {number} [most] characters
 */
export function brief(text, most = 80) {
  const signs = [...text];
  if (signs.length <= most) return text;
  const end = Math.floor(most * 0.4);
  return `${signs.slice(0, most - end - 1).join("")}\u2026${signs.slice(-end).join("")}`;
}

/** A ply among the figures of a sentence: one that reads as a number stands in quotes. @param {string} ply */
export function amongFigures(ply) {
  return /^[-+\u2212]?\d+([.,]\d+)?$/.test(ply) ? `\u201c${ply}\u201d` : brief(ply, 60);
}
