// @ts-check
/** Tells whether a text of the search box is an expression over fields, or names plies, a path or an id. */

import { FIELDS } from "./fields.js";

/** Fields that any log may have; those of factors are told by the dot in their names. */
const FIELDS_ASKED = new Set([
  ...FIELDS.map(({ name }) => name),
  "level",
  "index",
  "children",
  "nodes_below",
  "is_stub",
]);

/** Fields whose names alone are conditions. */
const CONDITIONS = /^(?:not\s+)?(?:parent\.|root\.)?(?:is_stub|quiescence|in_check)$/i;
/** Two things compared, an `=` with blanks or a value beside it: `e8=Q` is a ply. */
const COMPARED = /\S\s*(?:<=|>=|!=|<>|<)\s*\S|\S\s*(?:\s==?\s|==?\s*(?:'|-?\d|\.\d|-?inf\b|true\b|false\b))\s*\S*/i;
const WORDS =
  /\S\s+(?:is\s+(?:not\s+)?null\b|(?:not\s+)?i?like\s*'|(?:not\s+)?between\s+\S+\s+and\b|(?:not\s+)?in\s*\()/i;
const CALLS = /^\s*(?:not\s+)?\(*-?(?:abs|floor|ceil|round|isnan)\s*\(/i;
/** A left side of `>` that only an expression has: a name with a dot or an underscore, or a known field. */
const NAME = /^[\s(-]*(?:not\s+)?[\s(-]*([a-z][a-z0-9_]*(?:\.[^\s>]+)?)\s*>/i;
/** An expression that is unfinished, begins with two brackets, or has signs of more than one statement. */
const BROKEN = /(?:<|<=|!=|==?|>=)\s*$|^\s*\(\s*\(|;|--/;
/** A name on the left of an equals sign. */
const EQUAL = /^[\s(-]*(?:not\s+)?([a-z][\w.]*)\s*==?/i;
/** Numbers that are calculated with and compared, or plies of such signs. */
const NUMBERS = /^[\s(-]*[\d.][\d.\s()-]*[+*/%][\d.\s()+*/%-]*>\s*\S/;
/** A word and a number: a path of two plies, or a misspelt field. */
const PERHAPS = /^[\s(-]*[a-z]\w*\s*>\s*-?[\d.]+\s*$/i;

/**
 * @param {string} text
 * @returns {"expression" | "either" | "text"} `either`: a path where there is one, else an expression
 */
export function kindOf(text) {
  const question = text.trim();
  if (question.startsWith("#")) return "text";
  if (CONDITIONS.test(question) || WORDS.test(question) || CALLS.test(question)) return "expression";
  const name = NAME.exec(question)?.[1];
  if (
    name !== undefined &&
    (FIELDS_ASKED.has(name) ||
      /^(?:parent|root|tt|ucb|factors|contributions|scores|extra)\./.test(name) ||
      name.includes("_"))
  )
    return "expression";
  if (COMPARED.test(question)) return "expression";
  const equal = EQUAL.exec(question)?.[1];
  if (BROKEN.test(question) || (equal !== undefined && FIELDS_ASKED.has(equal))) return "expression";
  return PERHAPS.test(question) || NUMBERS.test(question) ? "either" : "text";
}
