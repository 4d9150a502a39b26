// @ts-check
/**
 * The tidy drawing of a tree whose rows have different heights: children stand below one another in order, as
 * close as their subtrees allow on every level, and a parent stands at the middle of its first and last child.
 *
 * Reingold and Tilford's contours (Tidier Drawings of Trees, 1981) with threads kept apart for the upper and the
 * lower contour, without recursion: linear in the number of rows, whatever the depth.
 */

/**
 * The middle of every row, the topmost edge at 0.
 * @param {ArrayLike<number>} parent row of the parent, -1 at a root; a parent stands before its children
 * @param {ArrayLike<number>} height
 * @param {{siblings: number, cousins: number}} gap least distance between rows of one parent, and of two
 * @returns {Float64Array}
 */
export function tidy(parent, height, gap) {
  const n = parent.length;
  // One row more than there are: the forest's own, above the roots.
  const first = new Int32Array(n + 1).fill(-1);
  const last = new Int32Array(n + 1).fill(-1);
  const next = new Int32Array(n).fill(-1);
  const offset = new Float64Array(n + 1); // of a row's middle from its parent's
  const upper = new Int32Array(n + 1).fill(-1); // threads: the next row of a contour below a row without children
  const lower = new Int32Array(n + 1).fill(-1);
  const upperOffset = new Float64Array(n + 1);
  const lowerOffset = new Float64Array(n + 1);
  // The deepest row of each contour of a subtree, and its place from the subtree's own row.
  const upperEnd = new Int32Array(n + 1);
  const lowerEnd = new Int32Array(n + 1);
  const upperEndAt = new Float64Array(n + 1);
  const lowerEndAt = new Float64Array(n + 1);

  for (let row = 0; row < n; row += 1) {
    const above = parent[row] === -1 ? n : at(parent, row);
    if (first[above] === -1) first[above] = row;
    else next[at(last, above)] = row;
    last[above] = row;
  }

  // Children stand after their parent, so going backwards settles every child before its parent.
  for (let row = n; row > 0; row -= 1) settle(row - 1);
  settle(n);

  /** @param {number} row */
  function settle(row) {
    upperEnd[row] = lowerEnd[row] = row;
    const head = at(first, row);
    if (head === -1) return;
    offset[head] = 0;
    let [topEnd, topAt] = [at(upperEnd, head), at(upperEndAt, head)];
    let [bottomEnd, bottomAt] = [at(lowerEnd, head), at(lowerEndAt, head)];
    let tail = head;
    for (let child = at(next, head); child !== -1; child = at(next, child)) {
      // Down both contours: the lower one of what stands already, the upper one of the child.
      let [a, aAt, b, bAt] = [tail, at(offset, tail), child, 0];
      let shift = -Infinity;
      let space = gap.siblings;
      for (;;) {
        shift = Math.max(shift, aAt + at(height, a) / 2 + space - (bAt - at(height, b) / 2));
        space = gap.cousins;
        const [aNext, aStep] = below(a, last, lower, lowerOffset);
        const [bNext, bStep] = below(b, first, upper, upperOffset);
        const [aEnds, bEnds] = [aNext === -1, bNext === -1];
        if (!aEnds && !bEnds) {
          [a, aAt, b, bAt] = [aNext, aAt + aStep, bNext, bAt + bStep];
          continue;
        }
        offset[child] = shift;
        const childEnd = at(lowerEnd, child);
        const childEndAt = shift + at(lowerEndAt, child);
        if (!aEnds) {
          // The child is the shallower: its lower contour goes on with that of what stood before.
          lower[childEnd] = aNext;
          lowerOffset[childEnd] = aAt + aStep - childEndAt;
        } else {
          if (!bEnds) {
            upper[topEnd] = bNext;
            upperOffset[topEnd] = shift + bAt + bStep - topAt;
            [topEnd, topAt] = [at(upperEnd, child), shift + at(upperEndAt, child)];
          }
          [bottomEnd, bottomAt] = [childEnd, childEndAt];
        }
        break;
      }
      tail = child;
    }
    const middle = at(offset, tail) / 2;
    for (let child = head; child !== -1; child = at(next, child)) offset[child] = at(offset, child) - middle;
    [upperEnd[row], upperEndAt[row]] = [topEnd, topAt - middle];
    [lowerEnd[row], lowerEndAt[row]] = [bottomEnd, bottomAt - middle];
  }

  /**
   * @param {number} row
   * @param {Int32Array} child
   * @param {Int32Array} thread
   * @param {Float64Array} step
   * @returns {[number, number]}
   */
  function below(row, child, thread, step) {
    const own = at(child, row);
    return own !== -1 ? [own, at(offset, own)] : [at(thread, row), at(step, row)];
  }

  const middles = new Float64Array(n);
  let top = Infinity;
  for (let row = 0; row < n; row += 1) {
    middles[row] = (parent[row] === -1 ? 0 : at(middles, at(parent, row))) + at(offset, row);
    top = Math.min(top, at(middles, row) - at(height, row) / 2);
  }
  for (let row = 0; row < n; row += 1) middles[row] = at(middles, row) - top;
  return middles;
}

/** An entry that is known to be there. @param {ArrayLike<number>} list @param {number} index */
function at(list, index) {
  return /** @type {number} */ (list[index]);
}
