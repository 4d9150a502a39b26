import assert from "node:assert/strict";
import test from "node:test";

import { foldedPath } from "../../static/views/page/breadcrumb.js";

test("whatever of a path is folded, every node is shown or listed, once and in order", () => {
  for (let length = 0; length < 7; length += 1) {
    const path = Array.from({ length }, (_, i) => i);
    for (const root of [true, false]) {
      for (const last of [1, 2, 3]) {
        const { first, hidden, last: end } = foldedPath(path, { root, last });
        assert.deepEqual([...first, ...hidden, ...end], path);
        assert.ok(first.length <= 1 && end.length === Math.min(last, length));
      }
    }
  }
});
