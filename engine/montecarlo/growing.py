"""Monte Carlo tree search: select, expand, play out, back up; one source, compiled and plain.

A play-out begins at a node without visits. A node that is reached a second time is expanded, which gives it
all its children at once, and one of them is played out. So a node's visits are its own first play-out and
those of its children. The root of a fresh tree is expanded at once and has no play-out of its own.

Sources: Kocsis and Szepesvári 2006 (UCT); Auer, Cesa-Bianchi and Fischer 2002 (UCB1); Gelly and Wang 2006
(first-play urgency).
"""

from __future__ import annotations

import math
from typing import Any, Final

from plyscope.engine.game import FIRST_WON, ONGOING, SECOND_WON, Array, State
from plyscope.engine.games.stepping import copy_state
from plyscope.engine.jit import kernel, word
from plyscope.engine.montecarlo.draws import draw_below, draw_fraction, shuffle
from plyscope.engine.montecarlo.playout import NO_PLIES, TOO_NARROW, draw_place, play_out, winner_of
from plyscope.engine.montecarlo.tree import MOST_GUIDE, ROOT, Trunk

# Why `grow` returned; or it is TOO_NARROW or NO_PLIES of a play-out.
GROWN: Final = 0
NODES_FULL: Final = 1


@kernel
def grow(game: Any, options: Array, trunk: Trunk, counts: Array, until: int) -> int:
    """Go on until `until` play-outs are made in all; returns the reason.

    A play-out that could not be made leaves the tree, and the random draws, unchanged.
    """
    option = options[0]
    count = counts[0]
    nodes = trunk.nodes
    state = trunk.states[1]
    while count["n_playouts"] < until:
        if len(nodes) - count["n_nodes"] < len(trunk.plies):
            return NODES_FULL
        before = trunk.source[0]
        n_before = count["n_nodes"]
        expanded = -1
        copy_state(trunk.states[0], state)

        # Step 1. Select: down to a node without visits, or where the game is over. Step 2. Expand.
        node = ROOT
        level = 0
        came_to = GROWN
        while nodes[node]["status"] == ONGOING and (node == ROOT or nodes[node]["visits"] > 0):
            if nodes[node]["first"] < 0:
                came_to = expand(game, option, trunk, counts, node, state)
                if came_to < 0:
                    break
                expanded = node
            child = select(option, trunk, node)
            game.apply(state, nodes[child]["ply"])
            node = child
            level += 1
            if nodes[node]["visits"] == 0:
                nodes[node]["status"] = game.status(state)
                nodes[node]["player"] = game.player(state)
                nodes[node]["key"] = word(game.key(state)) if option["keeps_keys"] else word(0)

        # Step 3. Play out. The result is kept: it is the node's own share of its visits.
        outcome = came_to
        if came_to == GROWN:
            if nodes[node]["status"] != ONGOING:
                if nodes[node]["visits"] == 0:
                    status = int(nodes[node]["status"])
                    nodes[node]["own"] = winner_of(game, state, status, trunk.values, trunk.weights)
                outcome = nodes[node]["own"]
            else:
                outcome = played_out(game, option, trunk, state)
                nodes[node]["own"] = outcome
            nodes[node]["n_own"] = 1
        if outcome < 0:
            trunk.source[0] = before
            count["n_nodes"] = n_before
            if expanded >= 0:
                nodes[expanded]["first"] = -1
                nodes[expanded]["n_children"] = 0
                nodes[expanded]["n_tried"] = 0
            elif node != ROOT and nodes[node]["visits"] == 0 and nodes[nodes[node]["parent"]]["player"] >= 0:
                nodes[nodes[node]["parent"]]["n_tried"] -= 1
            return outcome

        # Step 4. Back up.
        count["n_playouts"] += 1
        count["n_cut_short"] += outcome == ONGOING
        count["max_level"] = max(count["max_level"], level)
        while node >= 0:
            nodes[node]["visits"] += 1
            nodes[node]["first_wins"] += outcome == FIRST_WON
            nodes[node]["second_wins"] += outcome == SECOND_WON
            node = nodes[node]["parent"]
    return GROWN


@kernel
def expand(game: Any, option: Any, trunk: Trunk, counts: Array, node: int, state: State) -> int:
    """Give the node with the position `state` all its children; returns GROWN, or the reason of a failure."""
    n = game.generate(state, trunk.plies)
    if n < 0:
        return TOO_NARROW
    if n == 0:
        return NO_PLIES
    is_rolled = game.chance_of(state, 0) >= 0.0
    if not is_rolled:
        shuffle(trunk.source, trunk.plies, n)
    if option["by_static"] and not is_rolled:
        judge(game, trunk, n, state)
        sort_best_first(trunk.plies, trunk.scores, n)
    total = 1.0
    if option["guided"] and not is_rolled:
        total = weigh(game, trunk, n, state)
    nodes = trunk.nodes
    first = counts[0]["n_nodes"]
    for i in range(n):
        child = nodes[first + i]
        child["parent"] = node
        child["first"] = -1
        child["n_children"] = 0
        child["n_tried"] = 0
        child["ply"] = trunk.plies[i]
        child["player"] = 0
        child["status"] = ONGOING
        child["own"] = 0
        child["n_own"] = 0
        child["key"] = 0
        child["visits"] = 0
        child["first_wins"] = 0
        child["second_wins"] = 0
        child["prior"] = trunk.scores[i] / total if option["guided"] else math.nan
        if is_rolled:
            child["prior"] = game.chance_of(state, i)
        child["exploit"] = math.nan
        child["explore"] = math.nan
        child["n"] = 0
        child["n_parent"] = 0
        child["expanded_at"] = 0
    counts[0]["n_nodes"] = first + n
    nodes[node]["first"] = first
    nodes[node]["n_children"] = n
    nodes[node]["n_tried"] = n if is_rolled else 0
    nodes[node]["expanded_at"] = nodes[ROOT]["visits"] + 1
    return GROWN


@kernel
def select(option: Any, trunk: Trunk, node: int) -> int:
    """Return the child that is visited next, and note the terms by which it was chosen.

    A child without visits comes first; if it has a fixed urgency, only where no child's term exceeds that.
    UCB1's term of a child is its mean, seen by the player to move, + c · sqrt(ln N / n); N and n are the
    visits of the node and of the child. Equal terms go to the child that was tried first. Where chance moves
    the child is drawn.
    """
    nodes = trunk.nodes
    first = nodes[node]["first"]
    n_tried = nodes[node]["n_tried"]
    if nodes[node]["player"] < 0:
        return roll(trunk, first, n_tried)
    has_untried = n_tried < nodes[node]["n_children"]
    if has_untried and option["fpu"] == math.inf:
        nodes[node]["n_tried"] += 1
        return int(first + n_tried)
    if not option["by_ucb"]:
        return int(first + draw_below(trunk.source, n_tried))
    n_parent = nodes[node]["visits"]
    log_n_parent = math.log(n_parent) if n_parent > 0 else 0.0
    best = -1
    best_term = -math.inf
    exploit = 0.0
    explore = 0.0
    for child in range(first, first + n_tried):
        n = nodes[child]["visits"]
        mean = mean_for(nodes[child], nodes[node]["player"])
        bonus = option["c"] * math.sqrt(log_n_parent / n)
        if mean + bonus > best_term:
            best_term = mean + bonus
            best = child
            exploit = mean
            explore = bonus
    if has_untried and option["fpu"] >= best_term:
        nodes[node]["n_tried"] += 1
        return int(first + n_tried)
    nodes[best]["exploit"] = exploit
    nodes[best]["explore"] = explore
    nodes[best]["n"] = nodes[best]["visits"]
    nodes[best]["n_parent"] = n_parent
    return int(best)


@kernel
def roll(trunk: Trunk, first: int, n: int) -> int:
    """Draw one of the `n` outcomes of chance from the node `first` on, by its prior."""
    rest = draw_fraction(trunk.source)
    child = first
    while child < first + n - 1 and rest >= trunk.nodes[child]["prior"]:
        rest -= trunk.nodes[child]["prior"]
        child += 1
    return int(child)


@kernel
def mean_for(node: Any, player: int) -> float:
    """Return the mean result of a node's visits for `player`: a win counts 1, a draw 0.5."""
    wins = node["first_wins"] if player == 0 else node["second_wins"]
    losses = node["second_wins"] if player == 0 else node["first_wins"]
    return float((node["visits"] + wins - losses) / (2 * node["visits"]))


@kernel
def judge(game: Any, trunk: Trunk, n: int, state: State) -> None:
    """Write the evaluation of the position after each of `n` plies, seen by who moves in `state`."""
    player = game.player(state)
    for i in range(n):
        after = state
        if not game.undoes():
            after = trunk.states[2]
            copy_state(state, after)
        game.apply(after, trunk.plies[i])
        status = game.status(after)
        if status == FIRST_WON:
            score = math.inf
        elif status == SECOND_WON:
            score = -math.inf
        else:
            game.values(after, trunk.values)
            score = 0.0
            for factor in range(len(trunk.weights)):
                score += trunk.weights[factor] * trunk.values[factor]
        trunk.scores[i] = score if player == 0 else -score
        if game.undoes():
            game.undo(after, trunk.plies[i])


@kernel
def sort_best_first(plies: Array, scores: Array, n: int) -> None:
    """Sort `n` plies by their scores, the highest first; equal ones stay in their order (insertion sort)."""
    for i in range(1, n):
        ply = plies[i]
        score = scores[i]
        place = i
        while place > 0 and scores[place - 1] < score:
            plies[place] = plies[place - 1]
            scores[place] = scores[place - 1]
            place -= 1
        plies[place] = ply
        scores[place] = score


@kernel
def weigh(game: Any, trunk: Trunk, n: int, state: State) -> float:
    """Write the weight of each of `n` plies in a guided play-out, and return their sum."""
    total = 0.0
    for i in range(n):
        worth = trunk.worths[game.ring(state, trunk.plies[i]) + MOST_GUIDE]
        trunk.scores[i] = worth
        total += worth
    return total


@kernel
def played_out(game: Any, option: Any, trunk: Trunk, state: State) -> int:
    """Play `state` to its end by uniform plies, or by guided ones where that is asked for."""
    if option["guided"]:
        return play_out_guided(game, option, trunk, state)
    return play_out(game, state, trunk.plies, trunk.values, trunk.weights, trunk.source, option["turn_limit"])


@kernel
def play_out_guided(game: Any, option: Any, trunk: Trunk, state: State) -> int:
    """Play `state` out as `play_out` does, each ply with a chance in proportion to its weight."""
    for _ in range(option["turn_limit"]):
        status = game.status(state)
        if status != ONGOING:
            return winner_of(game, state, status, trunk.values, trunk.weights)
        n = game.generate(state, trunk.plies)
        if n < 0:
            return TOO_NARROW
        if n == 0:
            return NO_PLIES
        if game.chance_of(state, 0) >= 0.0:
            game.apply(state, trunk.plies[draw_place(game, state, n, trunk.source)])
            continue
        rest = draw_fraction(trunk.source) * weigh(game, trunk, n, state)
        chosen = 0
        while chosen < n - 1 and rest >= trunk.scores[chosen]:
            rest -= trunk.scores[chosen]
            chosen += 1
        game.apply(state, trunk.plies[chosen])
    return winner_of(game, state, game.status(state), trunk.values, trunk.weights)
