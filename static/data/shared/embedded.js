// @ts-check
/**
 * The answers of a page that is one file without a server, in place of the browser's fetch: stored answers as they are,
 * and answers about nodes, made of the stored nodes. Callers see no difference.
 */

/** @import { Details, Finding, Id, Mark, Note, Page, Report, TreeNode } from "../types.js" */

/**
 * The content of the file.
 * @typedef {object} Embedded
 * @property {string} log
 * @property {Record<string, any>} answers by the address that is asked
 * @property {Report} report
 * @property {Finding[]} findings the first of each kind
 * @property {Record<string, Mark>} marks
 * @property {TreeNode[]} nodes in the order of the log
 * @property {Record<string, any>} details of the most important nodes; where their line has an id, it is that node
 */

/** @typedef {{status: number, body: any}} Answer */

/** The error message where the file has no answer. */
const NO_SERVER = "This page is one file without a server: it has no answer to that.";

/** Whether the page is such a file; there is no document where its modules are tested alone. */
export const isShared = typeof document !== "undefined" && document.documentElement.dataset.shared !== undefined;

/**
 * The road to the answers that an element of the document holds, packed.
 * @param {Element} element
 * @returns {(url: string, options?: RequestInit) => Promise<Response>}
 */
export function sendWithin(element) {
  const answers = unpack(element.textContent ?? "").then(createAnswers);
  element.remove(); // megabytes of text that nobody reads again
  return async (url, options) => {
    const { status, body } = (await answers)(url, options?.method ?? "GET");
    return new Response(JSON.stringify(body), { status });
  };
}

/** @param {string} text in base 64 @returns {Promise<Embedded>} */
async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/**
 * A function that answers requests, by address and method.
 * @param {Embedded} held
 * @returns {(url: string, method: string) => Answer}
 */
export function createAnswers(held) {
  const { nodes, details, report, findings, marks } = held;
  const opened = held.answers[`/logs/${held.log}?as_read=1`];
  const summary = opened?.log;
  /** @type {Map<Id, TreeNode>} */
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const placeOf = new Map(nodes.map((node, place) => [node, place]));
  /** @type {Map<Id, TreeNode[]>} */
  const children = new Map();
  for (const node of nodes) {
    if (node.parent === null) continue;
    const siblings = children.get(node.parent);
    if (siblings === undefined) children.set(node.parent, [node]);
    else siblings.push(node);
  }

  /** @param {unknown} body @returns {Answer} */
  const found = (body) => ({ status: 200, body });
  /** @param {string} error @returns {Answer} */
  const refused = (error) => ({ status: 404, body: { error, status: 404 } });

  /**
   * All children that are here; those from the first on without a gap come as they stand, the others beside them.
   * @param {TreeNode} node
   * @returns {Page}
   */
  function page(node) {
    const here = children.get(node.id) ?? [];
    const gap = here.findIndex((child, at) => child.index !== at);
    const items = gap < 0 ? here : here.slice(0, gap);
    return { total: node.n_children, offset: 0, items, ...(gap >= 0 && { best: here.slice(gap) }) };
  }

  /** @param {TreeNode} node */
  function pathOf(node) {
    const path = [node];
    for (let at = byId.get(node.parent ?? -1); at !== undefined; at = byId.get(at.parent ?? -1)) path.push(at);
    return path.reverse();
  }

  /** @param {TreeNode} node */
  const textOf = (node) =>
    pathOf(node)
      .slice(1)
      .map(({ ply }) => ply ?? "?")
      .join(" > ") || "root";

  /** @param {TreeNode} node @returns {Details} */
  function detailsOf(node) {
    const told = details[node.id];
    const way = { node, path: pathOf(node) };
    if (told === undefined) return /** @type {any} */ ({ ...way, extras: {}, isInPart: true });
    const known = (/** @type {Id | TreeNode} */ each) => (typeof each === "number" ? byId.get(each) : each);
    const { line } = told;
    return {
      ...way,
      ...told,
      ...(line && { line: { ...line, nodes: line.nodes.map(known), leaf: known(line.leaf) } }),
    };
  }

  /** The nodes that a text names: an id, a path, a ply or words of a note, a whole ply before a part of one. @param {string} text */
  function named(text) {
    const wanted = text.trim().toLowerCase();
    const { notes = [] } = held.answers[`/logs/${held.log}/notes`] ?? {};
    const noted = new Set(
      notes.flatMap((/** @type {Note} */ note) => (note.text.toLowerCase().includes(wanted) ? [note.id] : [])),
    );
    const lower = (/** @type {TreeNode} */ node) => (node.ply ?? "").toLowerCase();
    const isWhole = nodes.some((node) => lower(node) === wanted);
    return nodes.filter((node) => {
      if (wanted.startsWith("#")) return `#${node.id}` === wanted;
      if (wanted.includes(" > ")) return wanted.endsWith(lower(node)) && textOf(node).toLowerCase() === wanted;
      return noted.has(node.id) || (isWhole ? lower(node) === wanted : lower(node).includes(wanted));
    });
  }

  /** A page of what was found. @template T @param {T[]} all @param {URLSearchParams} query */
  function pageOf(all, query) {
    const offset = Number(query.get("offset") ?? 0);
    return { total: all.length, offset, items: all.slice(offset, offset + Number(query.get("limit") ?? 50)) };
  }

  /** @param {URLSearchParams} query */
  function search(query) {
    const hits = named(query.get("q") ?? "");
    const from = placeOf.get(/** @type {TreeNode} */ (byId.get(Number(query.get("from") ?? -1)))) ?? -1;
    const at = hits.findIndex((node) => (placeOf.get(node) ?? 0) >= from);
    const found = pageOf(hits, query);
    return { q: query.get("q"), ...found, paths: found.items.map(textOf), ...(at >= 0 && { at }) };
  }

  /** The nodes of one position, as far as they are here. @param {URLSearchParams} query */
  function visitsOf(query) {
    const key = byId.get(Number(query.get("key")))?.key;
    const { items, ...page } = pageOf(
      nodes.filter((node) => node.key === key && key !== undefined),
      query,
    );
    return { ...page, columns: [], nodes: items, rows: items.map((node) => ({ path: textOf(node) })) };
  }

  /** @param {URLSearchParams} query */
  function findingsOf(query) {
    const [rule, severity, node, text] = ["rule", "severity", "node", "text"].map((name) => query.get(name));
    const wanted = text?.toLowerCase() ?? "";
    const all = findings.filter(
      (each) =>
        (rule == null || each.rule === rule) &&
        (severity == null || each.severity === severity) &&
        (node == null || each.node === Number(node)) &&
        `${each.rule} #${each.node} ${each.path} ${each.message}`.toLowerCase().includes(wanted),
    );
    const groups = (report.groups ?? []).map(({ rule, severity }) => {
      const count = all.filter((each) => each.rule === rule && each.severity === severity).length;
      return { rule, severity, count };
    });
    const { items, ...page } = pageOf(all, query);
    const inside = items.map((each) => ({ ...each, involved: each.involved.filter((id) => byId.has(id)) }));
    return { ...page, items: inside, groups: groups.filter(({ count }) => count > 0), unread: 0 };
  }

  /** @param {string} id @param {string} what @param {URLSearchParams} query */
  function ofNode(id, what, query) {
    const node = byId.get(Number(id));
    if (node === undefined)
      return refused(`This node is not in this file, which has ${nodes.length} nodes of the log.`);
    if (what === "/path") return found({ path: pathOf(node) });
    if (what === "/details") return found(detailsOf(node));
    if (what === "/board") return found(details[node.id]?.board ?? { drawing: null, reason: "not in this file" });
    if (what !== "") return refused(NO_SERVER);
    const offset = Number(query.get("offset") ?? 0);
    return found({ node, children: offset === 0 ? page(node) : { total: node.n_children, offset, items: [] } });
  }

  return (url, method) => {
    const { pathname, searchParams: query } = new URL(url, "file:///");
    if (url === "/logs") return found({ logs: [summary], default: held.log, folders: [] });
    const exact = method === "GET" ? held.answers[url] : undefined;
    if (exact !== undefined) return found(exact);
    const [, what = ""] = /^\/logs\/[^/]+(\/.*)$/.exec(pathname) ?? [];
    if (what === "/reading" || what === "/summary") return found({ ...summary, opened });
    if (what === "/check") return found(report);
    if (what === "/check/findings") return found(findingsOf(query));
    const ids = (query.get("ids") ?? "").split(",").filter((id) => id !== "");
    if (what === "/check/marks")
      return found({ marks: Object.fromEntries(ids.flatMap((id) => (marks[id] ? [[id, marks[id]]] : []))) });
    if (what === "/query" && query.get("rows") === "visits") return found(visitsOf(query));
    if (what === "/search") return found(search(query));
    if (what.startsWith("/weights")) return found({ state: "none", reason: NO_SERVER });
    if (what === "/explain")
      return refused(
        "This file says why of the root, its plies and the nodes above the one at which it opened; the log says it of every node.",
      );
    if (what === "/nodes") {
      const lost = ids.find((id) => !byId.has(Number(id)));
      if (lost !== undefined) return ofNode(lost, "", query);
      const asked = ids.flatMap((id) => byId.get(Number(id)) ?? []);
      return found({ nodes: asked.map((node) => ({ node, children: page(node) })) });
    }
    const [, id, rest = ""] = /^\/nodes\/(\d+)(\/.*)?$/.exec(what) ?? [];
    return id === undefined ? refused(NO_SERVER) : ofNode(id, rest, query);
  };
}
