// @ts-check
/** The course of a change: first the leaving nodes fold, then the staying ones move, then the new ones unfold. */

/** Milliseconds that a change takes. */
const DURATION = 180;

/** @typedef {{fold: number, move: number, unfold: number}} Stage how far each part is, from 0 to 1 */

/**
 * How far each part of a change is at `share` of its time; parts that do not occur take no time.
 * @param {number} share 0…1
 * @param {{leaving: boolean, moving: boolean, entering: boolean}} parts
 * @returns {Stage}
 */
export function stageAt(share, { leaving, moving, entering }) {
  const n = Number(leaving) + Number(moving) + Number(entering);
  let start = 0;
  /** @param {boolean} occurs */
  const part = (occurs) => {
    if (!occurs) return 1;
    const done = Math.max(0, Math.min(1, share * n - start));
    start += 1;
    return ease(done);
  };
  return { fold: part(leaving), move: part(moving), unfold: part(entering) };
}

/** Slow at both ends. @param {number} share */
export function ease(share) {
  return share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) * (1 - share);
}

/** @param {number} from @param {number} to @param {number} share */
export function between(from, to, share) {
  return from + (to - from) * share;
}

/**
 * Call `step` once per frame with the share of `DURATION` that has gone, up to and including 1.
 * @param {(share: number) => void} step
 * @param {() => void} ended also called when it is stopped
 * @returns {() => void} stops it
 */
export function run(step, ended) {
  let running = true;
  const begun = performance.now();
  function stop() {
    if (!running) return;
    running = false;
    ended();
  }
  function next() {
    if (!running) return;
    const share = Math.min(1, (performance.now() - begun) / DURATION);
    step(share);
    if (share >= 1) stop();
    else requestAnimationFrame(next);
  }
  requestAnimationFrame(next);
  return stop;
}
