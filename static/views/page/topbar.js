// @ts-check
/** The row of commands, on a phone the most used ones. Its controls are made once; only their texts change. */

import { isShared } from "../../data/shared/embedded.js";
import { isBestFirst } from "../../data/claims.js";
import { OWN_COLOURS } from "../../data/state.js";
import { pvOf } from "../../data/opening.js";
import { button, iconButton } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { askingCommands } from "./asking.js";
import { createBreadcrumb } from "./breadcrumb.js";
import { createColourChoice } from "../colour/choice.js";
import { createBadge } from "../check/badge.js";
import { take, tipOf, WAYS } from "../game/ways.js";
import { chooseFiles } from "../logs/files.js";
import { asking, createMenu, menuCommand } from "../menu.js";
import { saveFigure, saveTree, shareLog } from "../picture/saving.js";
import { mountSearch } from "../table/search.js";

/** @import { Mount, State } from "../../data/types.js" */
/** @import { IconName } from "../../draw/icons.js" */

const THEMES = /** @type {const} */ ({
  system: { icon: "system", next: "light" },
  light: { icon: "sun", next: "dark" },
  dark: { icon: "moon", next: "system" },
});

const UNFOLDED = "data-unfolded";

/** Choices of colours that are no colour's name: a field or expression that is on, and the way to choose one. */
const VALUE = "\u00a0value";
const ANY = "\u00a0any";
/** Characters of it that are shown. */
const LONGEST_COLOUR = 24;

/** @type {Mount} */
export function mountTopbar(container, store, actions) {
  const breadcrumb = createBreadcrumb(actions);
  const game = html("a.button.topbar-game", { hidden: true });
  const search = html("div.search.topbar-middle", { role: "search" });
  const back = topButton("back", "Back", actions.back);
  const forward = topButton("forward", "Forward to the node visited after", actions.forward);
  back.title = "Back to the node visited before (Backspace)";
  forward.title = "Forward to the node visited after it (Alt+\u2192)";
  const fit = topButton("fit", "Fit the tree into the window", actions.fit);
  const line = button([icon("line"), html("span.button-text", "PV")], () => void actions.stepPv(), {
    "aria-label": "Next node of the principal variation",
  });
  const ofScore = html("option", { value: "score" }, "Colour: score");
  const value = html("option", { value: VALUE, hidden: true }, "");
  const ofVisits = html("option", { value: "visits", hidden: true }, "Colour: visits");
  const colour = html(
    "select.field",
    { "aria-label": "Colour by", title: "Colour the nodes by", onchange: pickColour },
    html("option", { value: "layer" }, "Colour: layer"),
    ofScore,
    html("option", { value: "outcome" }, "Colour: outcome"),
    value,
    ofVisits,
    html("option", { value: ANY, hidden: isShared }, "Field or expression\u2026"),
  );
  const choice = createColourChoice(actions);
  const theme = menuCommand("system", "Theme", () => actions.setTheme(THEMES[store.get().theme].next));
  const motion = menuCommand("motion", "Animation", () => actions.setAnimate(!store.get().animate));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  for (const setting of [theme, motion]) setting.dataset.stays = ""; // pressed again until it is as one likes it
  const bring = createMenu({
    id: "bring-menu",
    label: "Open a log",
    icon: "open",
    text: "Open",
    commands: [
      menuCommand("paste", "Paste JSON\u2026", () => actions.openDialog("paste")),
      menuCommand("open", "Open file\u2026", () => chooseFiles(store, actions)),
    ],
  });
  const ways = Object.values(WAYS).map((way) => ({
    way,
    command: menuCommand(way.icon, way.label, () => take(way, actions, store.get()), way.key),
  }));
  const page = createMenu({
    id: "page-menu",
    label: "What to ask, page settings and help",
    icon: "dots",
    commands: [
      ...askingCommands(store, actions),
      ...ways.map(({ command }) => command),
      theme,
      motion,
      menuCommand("card", "What cards show\u2026", () => actions.openDialog("labels"), "L"),
      menuCommand("save", "Save picture (SVG)", () => void saveTree("svg", store.get(), actions), "S"),
      menuCommand("save", "Save picture (PNG)", () => void saveTree("png", store.get(), actions)),
      asking(menuCommand("save", "Textbook figure of the node (SVG)", () => saveFigure(actions))),
      menuCommand("save", "Share as one file\u2026", () => void shareLog(actions, store.get()), "F"),
      menuCommand("help", "Keys and help", () => actions.openDialog("help"), "?"),
    ],
  });
  const commands = topButton("down", "All commands", () =>
    unfoldCommands(container, !container.hasAttribute(UNFOLDED)),
  );
  commands.classList.add("topbar-all");
  commands.setAttribute("aria-controls", container.id);
  const logsPanel = panelButton("logs", "left-panel", "Logs and run", "logs-panel");
  const badge = createBadge(store, actions);
  const detailsPanel = panelButton("details", "right-panel", "Details of the node", "details-panel");

  function pickColour() {
    const { value: picked } = colour;
    drawColour(store.get());
    if (picked === ANY)
      void choice.open(colour, [], OWN_COLOURS.includes(store.get().colour) ? "" : store.get().colour);
    else if (picked !== VALUE) actions.setColour(picked);
  }

  /** @param {State} state */
  function drawColour(state) {
    const isVisited = isBestFirst(state.opened);
    ofVisits.hidden = !isVisited || state.nodes.get(state.opened?.root ?? -1)?.visits === undefined;
    ofScore.textContent = `Colour: ${isVisited && state.opened?.colour === undefined ? "mean" : "score"}`;
    const isOwn = OWN_COLOURS.includes(state.colour) || (state.colour === "visits" && !ofVisits.hidden);
    value.hidden = isOwn;
    const text = isOwn
      ? ""
      : `Colour: ${state.colour.length > LONGEST_COLOUR ? `${state.colour.slice(0, LONGEST_COLOUR)}\u2026` : state.colour}`;
    if (value.textContent !== text) value.textContent = text;
    colour.value = isOwn ? state.colour : VALUE;
  }

  /** @param {"logs" | "details"} panel @param {IconName} name @param {string} label @param {string} controls */
  function panelButton(panel, name, label, controls) {
    const button = topButton(name, label, () => actions.setPanel(panel));
    button.setAttribute("aria-controls", controls);
    return button;
  }

  container.replaceChildren(
    html("div.topbar-group.topbar-where", logsPanel, html("h1.brand", "plyscope"), game, breadcrumb.element),
    search,
    html("div.topbar-group.topbar-middle", { role: "group", "aria-label": "Visited nodes" }, back, forward),
    html(
      "div.topbar-group.topbar-middle.topbar-view",
      { role: "group", "aria-label": "View" },
      fit,
      line,
      colour,
      choice.list,
    ),
    html("div.topbar-group.topbar-bring", { "data-asks": true }, bring),
    badge.element,
    html("div.topbar-group.topbar-middle.topbar-page", page),
    commands,
    detailsPanel,
  );
  unfoldCommands(container, false);
  mountSearch(search, store, actions);

  /** @param {State} state */
  function draw(state) {
    const ready = state.phase === "ready";
    enable(back, state.visited.at > 0);
    enable(forward, state.visited.at < state.visited.length - 1);
    enable(fit, ready);
    enable(line, ready && pvOf(state).size > 0);
    line.title =
      pvOf(state).size > 0
        ? "Next node of the principal variation; at its end, back to the root"
        : "This log states no principal variation";
    colour.disabled = !ready;
    drawColour(state);
    const { game_page: page } = state.opened ?? {};
    game.hidden = page === undefined;
    if (page !== undefined) {
      game.href = page;
      game.textContent = page.startsWith("/play/") ? "Back to the game" : "To its match";
      game.title = tipOf({ ...WAYS.back, label: game.textContent });
    }
    for (const { command, way } of ways) command.hidden = !way.isThere(state);
    relabel(theme, THEMES[state.theme].icon, `Theme: ${state.theme === "system" ? "as the system" : state.theme}`);
    const isMoving = state.animate && !calm.matches;
    const whose = calm.matches ? "off, as the system asks" : state.animate ? "on" : "off";
    relabel(motion, isMoving ? "motion" : "still", `Animation: ${whose}`);
    motion.setAttribute("aria-pressed", String(isMoving));
    enable(motion, !calm.matches);
    logsPanel.setAttribute("aria-expanded", String(state.panels.logs));
    detailsPanel.setAttribute(
      "aria-expanded",
      String(state.panels.details && !state.panels.check && !state.panels.weights),
    );
    badge.draw(state);
  }

  store.follow(draw);
  store.subscribeAtRest(breadcrumb.draw); // it measures what fits
}

/**
 * Show all commands on a phone, which shows one row of them by default; other screens always show all.
 * @param {HTMLElement} topbar
 * @param {boolean} shown
 */
export function unfoldCommands(topbar, shown) {
  topbar.toggleAttribute(UNFOLDED, shown);
  topbar.querySelector(".topbar-all")?.setAttribute("aria-expanded", String(shown));
}

/** @param {IconName} name @param {string} label @param {() => void} press */
const topButton = (name, label, press) => iconButton(name, label, press, { class: "button button-icon" });

/**
 * Another icon and label for a command of a menu.
 * @param {HTMLButtonElement} command
 * @param {IconName} iconName
 * @param {string} label
 */
function relabel(command, iconName, label) {
  const text = html("span.menu-label", label);
  if (command.textContent !== label || command.dataset.icon !== iconName) command.replaceChildren(icon(iconName), text);
  command.dataset.icon = iconName;
}

/**
 * A control without use keeps the focus it may have: it is disabled in name only.
 * @param {HTMLButtonElement} button
 * @param {boolean} enabled
 */
function enable(button, enabled) {
  button.setAttribute("aria-disabled", String(!enabled));
}
