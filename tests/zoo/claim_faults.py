"""Faults by which two parts of one log claim what cannot both be, each part being sound in itself."""

from __future__ import annotations

from typing import Any

from tests.second_engine.visit import Entry, Visit
from tests.zoo.fault import Fault, Faulty
from tests.zoo.table_faults import TABLE, StaleCarriedTable


class ScoutsKeepFewer(Faulty):
    """Null-window visits keep one ply fewer than others, so a scout and its re-search see different trees."""

    def select(self, visit: Visit, scored: list[tuple[float, Any]]) -> tuple[list[Any], list[Any]]:
        kept, limited = super().select(visit, scored)
        width = visit.window.beta - visit.window.alpha
        if len(kept) < 2 or visit.quiescence or width > self.options.null_width:
            return kept, limited
        above: Visit | None = visit
        while above is not None and above.window.beta - above.window.alpha <= self.options.null_width:
            self.note(above)
            above = above.parent
        return kept[:-1], [*kept[-1:], *limited]


class StaleTableUnsaid(StaleCarriedTable):
    """The table still holds bounds that a search with other weights left, and the log does not say so."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.entries = {key: entry for key, entry in self.entries.items() if entry.bound != "exact"}

    def look_up(self, visit: Visit) -> Entry | None:
        entry = super().look_up(visit)
        return entry if entry is not None and self.is_deep_enough(entry, visit) else None

    def declared(self) -> dict[str, Any]:
        return super().declared() | {"table_carried": False}

    def use_of(self, visit: Visit, entry: Entry, score: float) -> str:
        use = super().use_of(visit, entry, score)
        self.note(visit, use == "narrow" and entry.source < 0)
        return use


class LayerFlippedAfterAPass(Faulty):
    """The side to move is handed over by the null move, and the layer is flipped once more."""

    def enter(self, *about: Any) -> Visit:
        visit = super().enter(*about)
        self.note(visit, visit.purpose == "null")
        return visit

    def layer(self, position: Any) -> str:
        right = super().layer(position)
        return {"max": "min", "min": "max"}[right] if position.passed else right


class HeaderOfOtherWeights(Faulty):
    """The log names the default weights, but the search used tuned ones; the nodes state factors only."""

    def weighted(self, values: list[float]) -> float:
        first, *others = values
        return super().weighted([3.0 * first, *others])

    def result_score(self, root: Visit) -> float:
        self.note(root)
        return super().result_score(root)


NARROW = TABLE | {"table_use": "narrow"}

FAULTS = (
    Fault(ScoutsKeepFewer, "wrong", "research-disagrees", {"algorithm": "pvs", "limit": 3, "depth": 4}),
    Fault(LayerFlippedAfterAPass, "wrong", "layer", {"null_move": 1, "depth": 4}),
    Fault(StaleTableUnsaid, "twice", "table-disagrees", NARROW),
    Fault(HeaderOfOtherWeights, "odd", "repropagate", {"statics": False}),
)
