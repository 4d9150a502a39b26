// @ts-check
/** The ranks that a randomness quotient may play, as rows with bars: the ply, its score, its loss against the best. */

import { count, plain } from "../../draw/numbers.js";
import { percent } from "./parts.js";

/** @import { Quotient, RankBar } from "../../data/answers.js" */
/** @import { Id } from "../../data/types.js" */
/** @import { FigureRow } from "./figures.js" */

export const RANK_COLUMNS = ["played", "score", "costs"];

/** @param {Quotient} of */
export function rankCaption(of) {
  const best = of.bars[0]?.probability ?? 1;
  const drawn = of.rank === null ? "" : ` Rank ${of.rank} was drawn.`;
  return `Q = ${of.quotient}: the best of ${count(of.n_plies)} plies is played ${percent(best)} of the time.${drawn} Expected loss ${lossText(of)}.`;
}

/**
 * @param {Quotient} of
 * @param {object} how
 * @param {(id: Id) => void} how.act goes to the node of a rank
 * @param {string} [how.drawn] the ply that was played, for a drawn rank whose ply bounds leave open
 * @param {number} [how.most] rows
 * @returns {FigureRow[]}
 */
export function rankRows(of, { act, drawn, most = Infinity }) {
  return of.bars.slice(0, most).map((bar) => {
    const { id } = bar;
    const isDrawn = bar.rank === of.rank;
    const ply = bar.ply ?? (isDrawn ? drawn : undefined);
    return {
      key: `rank-${bar.rank}`,
      name: ply === undefined ? String(bar.rank) : `${bar.rank} ${ply}`,
      share: bar.probability,
      cells: [percent(bar.probability), betweenText(bar.score_low, bar.score_high), costText(bar)],
      title: `rank ${bar.rank}${isDrawn ? ", drawn" : ""}: played with probability ${bar.probability.toPrecision(3)}`,
      strong: isDrawn,
      ...(id !== null && bar.ply !== null && { act: () => act(id) }),
    };
  });
}

/** @param {{loss_low: number, loss_high: number | null}} of */
function lossText({ loss_low: low, loss_high: high }) {
  if (low === high) return plain(low, 2);
  return high === null ? `at least ${plain(low, 2)}` : `${plain(low, 2)} to ${plain(high, 2)}`;
}

/** @param {RankBar} bar */
function costText({ cost_low: low, cost_high: high, exact }) {
  if (exact) return plain(low ?? undefined, 2);
  if (high !== null) return `${plain(low ?? 0, 2)} to ${plain(high, 2)}`;
  return low ? `≥ ${plain(low, 2)}` : "unknown";
}

/** @param {number | null} low @param {number | null} high */
function betweenText(low, high) {
  if (low !== null && low === high) return plain(low, 2);
  if (low !== null && high !== null) return `${plain(low, 2)} to ${plain(high, 2)}`;
  if (low !== null) return `≥ ${plain(low, 2)}`;
  return high === null ? "unknown" : `≤ ${plain(high, 2)}`;
}
