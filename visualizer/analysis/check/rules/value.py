"""Rule `value`: a score is the best of the children that count, or stand pat."""

from __future__ import annotations

from engine.jit import kernel
from visualizer.analysis.check.passes.sweep import value_differs, value_under
from visualizer.analysis.check.rule import Figures, Rule
from visualizer.analysis.check.seen.children import visits_with
from visualizer.analysis.check.seen.declared import HARD
from visualizer.analysis.check.seen.row import lacks_stand_pat
from visualizer.analysis.check.seen.sight import COUNTED, Sight
from visualizer.analysis.check.seen.windows import averaged
from visualizer.store import words


@kernel
def breaks(sight: Sight, row: int) -> bool:
    """Whether the score is not what the children ask for."""
    if not value_differs(sight, row, sight.fail):
        return False
    if lacks_stand_pat(sight, row):
        # Standing pat, which nothing states, may have been better for the mover, never worse.
        value = value_under(sight, row, sight.fail)
        return bool(sight.score[row] < value if sight.layer[row] == words.MAX else sight.score[row] > value)
    return True


def figures(sight: Sight, row: int) -> Figures:
    """The best of the children, clamped to the window in a fail-hard search, beside the score."""
    expected, found = float(value_under(sight, row, sight.fail)), float(sight.score[row])
    best = float(sight.best_child[row])
    what = "The best of its children" + ("" if sight.fail != HARD or best == expected else ", clamped,")
    return Figures(
        expected,
        found,
        f"{what} is {expected:g}, but the node returned {found:g}.",
        visits_with(sight, row, best, COUNTED),
    )


RULE = Rule(
    name="value",
    severity="wrong",
    reason="a score is the best of the children that count, or stand pat",
    meaning=(
        "This node did not return what its children returned: neither the largest score at a max "
        "layer (the smallest at a min layer), nor, in a fail-hard search, that number clamped to the "
        "window. Usual causes are a wrong sign at one layer, a best score overwritten by the last "
        "child instead of compared, a cut that returns the bound in a fail-soft search, or a stand "
        "pat of the wrong side. If the search is right, the log may hide something from it: a visit that "
        "is no ply of the node (`purpose`), stand pat (`stand_pat`), siblings without rows. A mate score "
        "that loses a step at each ply on the way up, or a reward for the ply itself, is not understood: "
        "log scores as the root counts them. Look at the lines after a child has returned."
    ),
    needs=("score",),
    example={
        "plyscope": 1,
        "root": {
            "layer": "max",
            "score": 3,
            "children": [
                {"ply": "a", "layer": "min", "score": 5, "outcome": "leaf"},
                {"ply": "b", "layer": "min", "score": 4, "outcome": "leaf"},
                {"ply": "c", "layer": "min", "score": 3, "outcome": "leaf"},
            ],
        },
    },
    figures=figures,
    breaks=breaks,
    applies=averaged,
)
