// @ts-check
/**
 * The colour of the tree by a field or an expression: the page asks once for its scale over the whole log, and for the
 * values of nodes as they are loaded. Setting `State.colour` colours the tree; for an expression that cannot be a
 * colour there is a notice, and the tree returns to the colours of its layers.
 */

import { messageOf } from "../../data/api.js";
import { isOld } from "../../data/merged.js";
import { OWN_COLOURS } from "../../data/state.js";

/** @import { Id, Room, State } from "../../data/types.js" */

/** Nodes asked about at once. */
const MOST_ASKED = 500;

/** @param {Room} room */
export function createColourActions({ store, api, loader, notify }) {
  let asking = false;

  /** Ask for the values that are missing until there are none. */
  async function follow() {
    if (asking) return;
    asking = true;
    try {
      for (let next = missing(store.get()); next !== null; next = missing(store.get())) await ask(next.of, next.ids);
    } finally {
      asking = false;
    }
  }

  /** @param {string} of @param {Id[]} ids */
  async function ask(of, ids) {
    try {
      const answer = await loader.ask((log) => api.colour(log, of, ids));
      if (answer !== null && store.get().colour === of) keep(of, ids, answer);
    } catch (error) {
      if (store.get().colour !== of) return;
      store.update({ colour: "layer", colouring: null });
      notify("error", `The tree is not coloured by ${of}: ${messageOf(error)}`);
    }
  }

  /** @param {string} of @param {Id[]} ids @param {Awaited<ReturnType<typeof api.colour>>} answer */
  function keep(of, ids, { scale, values, places }) {
    const before = store.get().colouring;
    const known = before?.of === of && before.nodes === store.get().nodes ? before.values : new Map();
    const fresh = ids.map((id) => /** @type {const} */ ([id, { value: values[id], place: places?.[id] ?? -1 }]));
    store.update(({ nodes }) => ({ colouring: { of, nodes, scale, values: new Map([...known, ...fresh]) } }));
  }

  store.subscribe(() => void follow());

  return {
    /** Colour the tree by `layer`, `score`, `outcome`, else by a field or an expression. @param {string} colour */
    setColour: (colour) => store.update({ colour: colour.trim() || "layer" }),

    /**
     * The error of a field or expression as a colour of the tree; null where it is right.
     * @param {string} of
     */
    async wrongColour(of) {
      try {
        await loader.ask((log) => api.colour(log, of, []));
        return null;
      } catch (error) {
        return messageOf(error);
      }
    },
  };
}

/**
 * The wanted colour of the tree, and the nodes whose values are missing; null where none is.
 * @param {State} state
 */
function missing({ phase, colour, colouring, nodes }) {
  if (phase !== "ready" || OWN_COLOURS.includes(colour)) return null;
  const known = colouring?.of === colour && colouring.nodes === nodes ? colouring.values : null;
  const ids = [];
  for (const id of nodes.keys()) {
    if (known?.has(id) || isOld(id)) continue;
    ids.push(id);
    if (ids.length === MOST_ASKED) break;
  }
  return ids.length > 0 || known === null ? { of: colour, ids } : null;
}
