// @ts-check
/**
 * Moves the levels of a tidy drawing up and down as wholes, so that a chain of wide nodes does not leave the window: a
 * family then is as near the middle of its parent as the window allows. A column keeps its order and gaps, and cards of
 * different columns never touch, so nothing can overlap.
 */

/**
 * Move the levels into `span` pixels, or as many as the highest level takes; the topmost edge is at 0 then.
 * @param {Float64Array} middle of every row, the topmost edge at 0; changed in place
 * @param {ArrayLike<number>} height
 * @param {ArrayLike<number>} depth
 * @param {number} span
 * @returns {number} the height of the drawing
 */
export function intoSpan(middle, height, depth, span) {
  /** @type {number[]} */
  const top = [];
  /** @type {number[]} */
  const bottom = [];
  for (let row = 0; row < middle.length; row += 1) {
    const level = at(depth, row);
    const half = at(height, row) / 2;
    top[level] = Math.min(top[level] ?? Infinity, at(middle, row) - half);
    bottom[level] = Math.max(bottom[level] ?? -Infinity, at(middle, row) + half);
  }
  if (top.length === 0) return 0;
  const reach = (/** @type {number} */ level) => at(bottom, level) - at(top, level);
  const total = bottom.reduce((lowest, edge) => Math.max(lowest, edge), 0);
  const highest = top.reduce((most, _, level) => (reach(level) > reach(most) ? level : most), 0);
  const room = Math.max(span, reach(highest));
  if (total <= room) return total;

  // The highest level stays in the middle of the window's height, and the others move towards it.
  const ceiling = Math.max(0, Math.min((at(top, highest) + at(bottom, highest) - room) / 2, total - room));
  let moved = 0;
  const moves = top.map((edge, level) => {
    const above = ceiling - (edge + moved);
    const below = at(bottom, level) + moved - (ceiling + room);
    if (above > 0) moved += above;
    else if (below > 0) moved -= below;
    return moved;
  });
  let [first, last] = [Infinity, -Infinity];
  for (let level = 0; level < moves.length; level += 1) {
    first = Math.min(first, at(top, level) + at(moves, level));
    last = Math.max(last, at(bottom, level) + at(moves, level));
  }
  for (let row = 0; row < middle.length; row += 1) middle[row] = at(middle, row) + at(moves, at(depth, row)) - first;
  return last - first;
}

/** An entry that is known to be there. @param {ArrayLike<number>} list @param {number} index */
function at(list, index) {
  return /** @type {number} */ (list[index]);
}
