"""Faults of the transposition table and of the keys."""

from __future__ import annotations

from typing import Any

from tests.second_engine.engine import SecondEngine
from tests.second_engine.options import SecondOptions
from tests.second_engine.visit import Entry, Visit, mirrored
from tests.second_engine.worlds import World
from tests.zoo.fault import Fault, Faulty, small


class TableFlagsSwapped(Faulty):
    """Lower bounds are stored as upper ones, and the other way round."""

    def stored_bound(self, visit: Visit) -> str:
        bound = super().stored_bound(visit)
        self.note(visit, bound != "exact")
        return mirrored(bound)


class TableDepthIgnored(Faulty):
    """An entry is used whatever its depth."""

    def is_deep_enough(self, entry: Entry, visit: Visit) -> bool:
        self.note(visit, not super().is_deep_enough(entry, visit))
        return True


class DeeperEntryUsed(Faulty):
    """Deeper entries are used where equal depth is declared."""

    def is_deep_enough(self, entry: Entry, visit: Visit) -> bool:
        self.note(visit, entry.depth > visit.depth)
        return entry.depth >= visit.depth


class EntryUsedInsideTheWindow(Faulty):
    """A bound that lies inside the window ends the visit as if it were exact."""

    def proves(self, bound: str, score: float, visit: Visit) -> bool:
        self.note(visit, not super().proves(bound, score, visit))
        return True


class IndexCollision(Faulty):
    """The table is indexed by six bits of the key, and the rest of the key is not compared."""

    def index(self, key: int) -> int:
        return key >> 58

    def look_up(self, visit: Visit) -> Entry | None:
        entry = self.entries.get(self.index(self.key_of(visit.position)))
        self.note(visit, entry is not None and entry.key != self.key_of(visit.position))
        return entry


class MateNotShifted(Faulty):
    """Wins are stored as counted from the root, and taken elsewhere as they are."""

    def stored_score(self, visit: Visit) -> float:
        return visit.score

    def read_score(self, entry: Entry, level: int) -> float:
        return entry.score

    def ask_table(self, visit: Visit) -> bool:
        is_cut = super().ask_table(visit)
        score = visit.node.get("tt", {}).get("score", 0.0)
        self.note(visit, abs(score) >= self.options.mate_threshold)
        return is_cut


class TablePlyOfTheChild(Faulty):
    """The ply stored is the reply of the best child, one ply too deep."""

    def store(self, visit: Visit) -> None:
        kept, best = visit.best_child, visit.best_child
        if best is not None and best.best_child is not None:
            self.note(visit)
            visit.best_child = best.best_child
        super().store(visit)
        visit.best_child = kept


class NarrowedAtTheWrongEdge(Faulty):
    """A lower bound from the table draws the upper edge, and an upper bound the lower one."""

    def narrow(self, visit: Visit, bound: str, score: float) -> bool:
        does = super().narrow(visit, mirrored(bound), score)
        self.note(visit, does)
        return does


class KeyWithoutTheSide(Faulty):
    """The key holds the board, but not who is to move: a passed turn has the key of the position before."""

    def key_of(self, position: Any) -> int:
        return super().key_of(position._replace(passed=False))

    def null_move(self, visit: Visit) -> bool:
        self.note(visit, self.may_pass(visit) and self.world.passed(visit.position) is not None)
        return super().null_move(visit)


class KeyNotRestored(Faulty):
    """The incremental key is not restored after a ply of level 2 is taken back."""

    leaked = 0

    def key_of(self, position: Any) -> int:
        return super().key_of(position) ^ self.leaked

    def take(self, visit: Visit, child: Visit) -> None:
        super().take(visit, child)
        if child.level == 2:
            self.leaked ^= 0x5555

    def enter(self, *about: Any) -> Visit:
        visit = super().enter(*about)
        self.note(visit, self.leaked != 0)
        return visit


class StaleCarriedTable(Faulty):
    """The table was filled by a search with other weights, and is carried over as it is."""

    def __init__(self, world: World, options: SecondOptions, carried: dict[int, Entry] | None = None) -> None:
        super().__init__(world, options, {})
        before = SecondEngine(_Reweighted(world), options)
        before.log()
        self.entries = {key: entry._replace(source=-1) for key, entry in before.entries.items()}

    def take_entry(self, visit: Visit, entry: Entry, score: float) -> None:
        self.note(visit, entry.source < 0)
        super().take_entry(visit, entry, score)


class _Reweighted:
    """The same game, its evaluation weighted otherwise."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.factors = {name: -2.0 * weight for name, weight in world.factors.items()}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.world, name)


TABLE = {"table": True, "depth": 5}

FAULTS = (
    Fault(TableFlagsSwapped, "twice", "tt-source", TABLE, world=small),
    Fault(MateNotShifted, "twice", "tt-source", TABLE, world=small),
    Fault(IndexCollision, "twice", "tt-source", TABLE),
    Fault(TableDepthIgnored, "twice", "tt-depth", TABLE, world=small),
    Fault(DeeperEntryUsed, "declared", "tt-depth", TABLE, declaration="table", world=small),
    Fault(EntryUsedInsideTheWindow, "twice", "tt-bound", TABLE, world=small),
    Fault(TablePlyOfTheChild, "twice", "tt-ply", TABLE, world=small),
    Fault(NarrowedAtTheWrongEdge, "twice", "window", TABLE | {"table_use": "narrow"}, world=small),
    Fault(KeyWithoutTheSide, "twice", "key-side", {"null_move": 1}),
    Fault(KeyNotRestored, "twice", "path-key", {"iterative": True}),
    Fault(StaleCarriedTable, "against", "against", TABLE, world=small, other={"table": False}),
)
