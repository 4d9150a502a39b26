"""The role of each field of a foreign tree, guessed or told by a person, and the notices about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.foreign.find.probe import NESTED, ply_text
from plyscope.visualizer.formats.foreign.meaning import names
from plyscope.visualizer.formats.foreign.meaning.chess import CHESS, Chess, Seen, chess_of, has_fens, is_fen
from plyscope.visualizer.formats.foreign.meaning.factors import (
    Factors,
    gather_factors,
    stated_factors,
)
from plyscope.visualizer.formats.foreign.meaning.fields import Field, collect, last_name, parts_of, plain
from plyscope.visualizer.formats.foreign.meaning.guess import guess_fields
from plyscope.visualizer.formats.foreign.meaning.label_texts import number_for
from plyscope.visualizer.formats.foreign.meaning.layers import (
    Layers,
    key_of,
    layer_field,
    layer_words,
    layers_of_players,
    layers_of_scores,
    player_field,
    scored_tree,
)
from plyscope.visualizer.formats.foreign.meaning.mapping import LAYERS_IN_TURN, ROLES
from plyscope.visualizer.formats.foreign.meaning.plies import is_jit
from plyscope.visualizer.formats.foreign.meaning.pruned import MAX, MIN, NEGAMAX, behind_cuts
from plyscope.visualizer.formats.foreign.sentences import listed
from plyscope.visualizer.formats.foreign.tree import Distinct, Tree
from plyscope.visualizer.formats.tape.kinds import TRUE
from plyscope.visualizer.formats.tape.texts import TextList
from plyscope.visualizer.store.fields import FIELDS

Array = npt.NDArray[Any]

LAYERS: Final = ("max", "min", "chance")
MAX_AROUND: Final = 50
"""The most entries of a list or object around the tree; larger ones are named and left out."""

NOT_FIELDS: Final = ("children", "perspective", "game")
"""Roles that take no field of a node."""


class Reading:
    """One tree, and the role of each of its fields: found in its samples, then read in its columns.

    `taken` is the field by role; `layers` the rule that gives nodes their layers; `factors` are the terms of
    evaluations; `scores` the scores by node, valid where `known`; `means` the sums divided by visits, valid
    where `are_means`.
    """

    def __init__(self, tree: Tree, told: Mapping[str, str]) -> None:
        self.tree, self.told = tree, told
        self.fields: dict[str, Field] = collect(tree.samples)
        guess = guess_fields(tree, self.fields)
        self.taken, self._notes = guess.mapping, guess.notes
        self._correct()

    def read(self, tree: Tree) -> None:
        """Read the columns of a tree with these fields. Raises LogError where a field told is on no node."""
        self.tree = tree
        self._check_told()
        self.has_children = np.zeros(tree.n_nodes, dtype=np.bool_)
        self.has_children[tree.parents[tree.parents >= 0]] = True
        self.chess = self._chess()
        self.scores, self.known = self._numbers("score")
        self.means, self.are_means = self._means()
        self.scored = scored_tree(tree.parents, tree.levels, self.scores, self.known)
        self._open_rows = tree.open_rows if tree.form == NESTED else []
        self.layers = self._layers()
        self.factors = self._factors(tree.samples[0])
        self.layer_of = self._layer_of_nodes()
        self.cut_off = self._cut_off()
        del self.scored  # as large as two columns
        self.taken = {role: self.taken[role] for role in ROLES if role in self.taken}
        roots = np.flatnonzero(tree.parents < 0).tolist()
        self.iterations = dict(zip(roots, self._iterations(roots), strict=True)) if len(roots) > 1 else {}

    def wanted(self) -> dict[str, str]:
        """The paths with wanted values, by role."""
        wanted = dict(self.taken)
        told = self.told.get("layer")
        if told not in ("", *LAYERS_IN_TURN):
            player = self._player()
            turns = layer_field(self.fields) or player
            if layer := told or (turns and turns.path):
                wanted["layer"] = layer
            if player is not None and turns is player and not told:
                wanted["player"] = player.path
        if np.count_nonzero(self.tree.parents < 0) > 1 and (path := self._iteration_field()):
            wanted["iteration"] = path
        return wanted

    @property
    def mapping(self) -> dict[str, str]:
        """The mapping that a person could have told, with the same result."""
        found = {"children": self.tree.children, **self.taken}
        if self.layers.path and not self.layers.is_player:
            found["layer"] = self.layers.path
        elif self.told.get("layer") in LAYERS_IN_TURN:
            found["layer"] = self.told["layer"]
        found["perspective"] = self.told.get("perspective", "")
        found["game"] = CHESS if self.chess else self.told.get("game", "")
        found |= {role: text for role, text in self.told.items() if is_fen(text)}
        return {role: found[role] for role in ROLES if found.get(role)}

    def header(self) -> dict[str, Any]:
        """The header made of the document and the guesses."""
        header: dict[str, Any] = {}
        around = {key: value for key, value in self.tree.around.items() if _is_small(value)}
        around = {**self._totals(), **around}
        stated = around.pop("game") if isinstance(around.get("game"), str) else ""
        if game := CHESS if self.chess else self.told.get("game", stated):
            header["game"] = game
        if self.chess and self.chess.position:
            header["position"] = self.chess.position
        if around:
            header["document"] = around
        perspective = self.told.get("perspective") or ("mover" if self.layers.negamax else "root")
        search = {"perspective": perspective} if perspective != "root" else {}
        if "visits" in self.taken:
            search["order"] = "best_first"
        if search:
            header["search"] = search
        if self.factors and self.factors.header:
            header["factors"] = self.factors.header
        return header

    def _chess(self) -> Chess | None:
        """The reason to take the tree for chess; None where it is not, or a person named another game."""
        told = self.told.get("game", CHESS)
        if plain(told) != CHESS:
            return None
        positions = self.fields.get(self.taken.get("position", ""))
        if positions is not None and not has_fens(positions):
            positions = None
        around = {**{key: text for key, text in self.told.items() if is_fen(text)}, **self.tree.around}
        seen = Seen(around, self.fields, positions, self._plies(), self.tree.parents, self.tree.levels)
        return chess_of(seen, is_told="game" in self.told)

    def _plies(self) -> dict[int, str]:
        tree, path = self.tree, self.taken.get("ply")
        values: Mapping[int, Any] = {}
        if path in self.fields:
            values = self.fields[path].values
        else:
            sampled = np.flatnonzero(np.isin(tree.labels.nodes, list(tree.samples)))
            texts = TextList(tree.labels.texts, tree.labels.codes[sampled])
            values = dict(zip(tree.labels.nodes[sampled].tolist(), texts, strict=True))
        return {node: text for node, value in values.items() if (text := ply_text(value)) is not None}

    def _totals(self) -> dict[str, Any]:
        """Numbers that only the root has and that have no role: totals of the search."""
        if self.tree.n_nodes < 2 or np.count_nonzero(self.tree.parents < 0) > 1:
            return {}
        taken = parts_of(self.taken.values())
        return {
            path: values.values[0]
            for path, values in self.fields.items()
            if "." not in path
            and path not in taken
            and list(values.values) == [0]
            and isinstance(values.values[0], int | float)
            and not isinstance(values.values[0], bool)
        }

    def _numbers(self, role: str) -> tuple[Array, Array]:
        """By node, the number for a role, and whether there is one."""
        return self.tree.numbers(self.taken.get(role, ""), role)

    def _means(self) -> tuple[Array, Array]:
        """By node, the mean from its sum and visits, and whether both are known."""
        if not {"total", "visits"} <= set(self.taken) or "mean" in self.taken:
            return np.zeros(0), np.zeros(self.tree.n_nodes, dtype=np.bool_)
        totals, are_totals = self._numbers("total")
        visits, are_visits = self._numbers("visits")
        are_means = are_totals & are_visits & (visits > 0)
        return totals / np.where(are_means, visits, 1.0), are_means

    def sentences(self) -> Iterator[str]:
        """The notices for the user: first the roles of fields, then guesses and fields left out."""
        yield self._taken_in_words()
        if self.chess and "game" not in self.told:
            yield f"Taken as chess, since {self.chess.why}: `game=` in the mapping undoes that."
        yield from self._notes
        yield from self.layers.notes
        yield from self._odd_scores()
        if n_cut_off := int(np.count_nonzero(self.cut_off)):
            yield f"{counted(n_cut_off, 'node')} without a score behind a cut: read as pruned."
        n_held, first = self.tree.held_beside()
        if n_held:
            yield (
                f'{counted(n_held, "node")} with something else than nodes under "{self.tree.children}" '
                f"(the first at {first}): kept as it is."
            )
        yield from self._no_nodes()
        if self.iterations and self._iteration_field() is None:
            n_roots = len(self.iterations)
            yield f"{n_roots:,} roots: taken as iterations 1 to {n_roots:,}, in order."
        large = [name for name, value in self.tree.around.items() if not _is_small(value)]
        if large:
            yield f"Left out, because it lies around the tree: {listed(large)}."

    def _fields_told(self) -> Iterator[tuple[str, str]]:
        """The roles that a person gave fields, with these; an empty text for no field."""
        for role, path in self.told.items():
            if role == "position" and is_fen(path):
                yield role, ""
            elif role not in NOT_FIELDS and not (role == "layer" and path in LAYERS_IN_TURN):
                yield role, path

    def _correct(self) -> None:
        """Replace guesses by what a person told."""
        for role, path in self._fields_told():
            self.taken.pop(role, None)
            if path and role != "layer":
                for other in [other for other, taken in self.taken.items() if taken == path]:
                    if other not in self.told and {role, other} != {"ply", "score"}:
                        del self.taken[other]
                self.taken[role] = path

    def _check_told(self) -> None:
        for role, path in self._fields_told():
            for part in path.split("|") if path else ():
                if part not in self.fields and not self.tree.has(part):
                    seen = ", ".join(list(self.fields)[:40]) or "none"
                    raise LogError(f'mapping: no node has a field "{part}" for {role}; fields seen: {seen}')

    def _layers(self) -> Layers:
        told = self.told.get("layer")
        if told == "":
            return Layers()
        if told in LAYERS_IN_TURN:
            return self._checked(Layers(by_level=LAYERS_IN_TURN[told]))
        values = self.fields.get(told) if told else layer_field(self.fields)
        if values is not None and (words := layer_words(values)):
            return self._checked(Layers(values.path, words))
        turns = values or self._player()
        if turns is not None:
            layers = layers_of_players(turns, self.scored)
            if layers.is_player and not told:
                self.taken["player"] = turns.path
            return self._checked(layers)
        if "visits" in self.taken:
            return Layers()
        return layers_of_scores(self.scored, self._open_rows, takes_turns=self.chess is not None)

    def _layer_of_nodes(self) -> Array:
        """By node, the index of its layer in LAYERS, -1 where it has none."""
        layers = self.layers
        if layers.by_level:
            of_node = np.array([LAYERS.index(word) for word in layers.by_level], np.int8)[
                self.tree.levels % 2
            ]
        else:
            of_node = np.full(self.tree.n_nodes, -1, np.int8)
        column = self.tree.columns.get(layers.path)
        if column is not None and len(column.nodes):
            distinct = Distinct(column)
            words = [layers.of.get(key_of(value)) for value in distinct.values]
            numbers = np.array([-1 if word is None else LAYERS.index(word) for word in words])[distinct.codes]
            of_node[column.nodes[numbers >= 0]] = numbers[numbers >= 0]
        return of_node

    def _cut_off(self) -> Array:
        """Mask of the nodes that were never searched, because they come after a cutoff."""
        if "visits" in self.taken or (self.tree.is_cut and self.tree.form != NESTED):
            return np.zeros(self.tree.n_nodes, np.bool_)
        sides = np.where((self.layer_of == MAX) | (self.layer_of == MIN), self.layer_of, -1)
        if self.layers.negamax:
            sides = np.where(sides >= 0, NEGAMAX, -1)
        alpha, has_alpha = self._numbers("alpha")
        beta, has_beta = self._numbers("beta")
        alpha, beta = np.where(has_alpha, alpha, np.nan), np.where(has_beta, beta, np.nan)
        cut_off = behind_cuts(self.scored, sides, self.has_children, alpha, beta, self.tree.run)
        cut_off[self._open_rows] = False  # the file was cut there, not the search
        if (path := self.taken.get("outcome")) and (column := self.tree.columns.get(path)) is not None:
            cut_off[column.nodes[column.kinds == TRUE]] = False  # these state how they ended
        return cut_off

    def _player(self) -> Field | None:
        told = self.told.get("player")
        if told == "":
            return None
        return self.fields.get(told) if told else player_field(self.fields, self.tree.parents)

    def _checked(self, layers: Layers) -> Layers:
        """The layers, with negamax where scores fit nothing else."""
        if "perspective" in self.told or "visits" in self.taken:
            return layers
        by_score = layers_of_scores(self.scored, self._open_rows)
        if not by_score.negamax:
            return layers
        return replace(layers, negamax=True, notes=(*layers.notes, *by_score.notes))

    def _factors(self, root: Mapping[str, Any]) -> Factors | None:
        path = self.taken.get("factors")
        if not path:
            return None
        at_root = {key: value for key, value in root.items() if key != path}
        totals, known = self._numbers("static")
        if "static" not in self.taken:
            totals, known = self.scores, self.known & ~self.has_children
        stated = stated_factors({**at_root, **self.tree.around})
        self.terms = self.tree.flat_terms(path, stated.names)
        return gather_factors(self.terms, stated, totals, known)

    def _iteration_field(self) -> str | None:
        told = self.told.get("iteration")
        if told is not None:
            return told or None
        return next((path for path in self.fields if last_name(path) in names.ITERATIONS), None)

    def _iterations(self, roots: list[int]) -> list[int]:
        path = self._iteration_field()
        numbers, known = self.tree.numbers(path or "", "iteration")
        stated = numbers[roots]
        is_whole = (stated >= 0) & (stated <= FIELDS["iteration"].highest) & (np.floor(stated) == stated)
        if known[roots].all() and is_whole.all():
            return [int(value) for value in stated.tolist()]
        return list(range(1, len(roots) + 1))

    def _taken_in_words(self) -> str:
        form = self.tree.form
        if form == NESTED and is_jit(self.tree):
            form = "JavaScript InfoVis Toolkit tree"
        mapping = self.mapping
        parts = [
            f"{role} in turn, {path}"
            if path in LAYERS_IN_TURN and role == "layer"
            else f'{role} from "{path}"'
            for role, path in mapping.items()
            if role not in ("perspective", "game")
        ]
        if self.tree.has_labels and "ply" not in mapping:
            parts.insert(1 if "children" in mapping else 0, "ply from what leads to each node")
        if "score" not in mapping:
            parts.append("score from the bare numbers" if len(self.tree.bare.nodes) else "no scores found")
        taken = parts_of(mapping.values())
        rest = [
            path
            for path, values in self.fields.items()
            if values.values
            and path not in taken
            and path.rpartition(".")[0] not in taken
            and not any(part.startswith(f"{path}.") for part in taken)
            and not any(isinstance(value, dict) for value in values.values.values())
        ]
        kept = ", ".join(rest[:8]) + (f" and {len(rest) - 8} more" if len(rest) > 8 else "")
        return f"Read as {form}: {', '.join(parts)}{f'; kept as they are: {kept}' if rest else ''}."

    def _no_nodes(self) -> Iterator[str]:
        values = self.tree.no_nodes
        if values:
            node, first = values[0]
            where = f'under "{self.tree.children}"' if self.tree.children else "among children"
            yield (
                f"{counted(len(values), 'value')} {where} left out, being no node "
                f"(the first, below {self.tree.where(node)}: {first})."
            )

    def _odd_scores(self) -> Iterator[str]:
        path = self.taken.get("score", "")
        values = self.fields.get(path)
        if values is not None and values.numbers:
            others = (value for node, value in values.values.items() if node not in values.numbers)
            odd = [value for value in others if number_for(value, "score") is None]
            if odd:
                n_odd = counted(len(odd), "value")
                yield f'{n_odd} of "{path}" not a number ({shown(odd[0])}), kept as text.'


def _is_small(value: object) -> bool:
    """Whether a value around the tree is kept: a scalar, or a short list or object of scalars."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return len(value) <= MAX_AROUND and not any(isinstance(item, list | dict) for item in value)
    return not isinstance(value, str) or len(value) <= 2_000
