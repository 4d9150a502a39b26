"""Rule `cut`: siblings are cut off only where the score reaches the edge of the window."""

from __future__ import annotations

from engine.jit import kernel
from visualizer.analysis.check.children import stubs_of
from visualizer.analysis.check.rule import Figures, Rule
from visualizer.analysis.check.sight import HAS_PRUNED, Sight, is_finished, narrowed_alpha, narrowed_beta
from visualizer.analysis.check.windows import best_first
from visualizer.store import words


@kernel
def breaks(sight: Sight, row: int) -> bool:
    """Whether a cut, or a pruned stub, stands below a score that does not reach the mover's edge."""
    if not (sight.outcome[row] == words.CUTOFF or sight.marks[row] & HAS_PRUNED):
        return False
    score = float(sight.score[row])
    if score != score or not is_finished(sight, row):
        return False
    if sight.layer[row] == words.MAX:
        return bool(score < narrowed_beta(sight, row) and not score >= sight.range_high)
    if sight.layer[row] == words.MIN:
        return bool(score > narrowed_alpha(sight, row) and not score <= sight.range_low)
    return False


def figures(sight: Sight, row: int) -> Figures:
    """The mover's edge beside the score."""
    found = float(sight.score[row])
    if sight.layer[row] == words.MAX:
        edge, name, than = float(narrowed_beta(sight, row)), "beta", "at least"
    else:
        edge, name, than = float(narrowed_alpha(sight, row)), "alpha", "at most"
    return Figures(
        edge,
        found,
        f"Children were cut off at a score of {found:g}; a cut needs {than} {name}, {edge:g}.",
        stubs_of(sight, row, words.PRUNED),
    )


RULE = Rule(
    name="cut",
    severity="wrong",
    reason="a node is cut off only where its score reaches beta (at a min layer: alpha)",
    meaning=(
        "Children were left out although the score does not reach the edge that would refute this "
        "node, so a better ply may be among them. Usual causes: the test compares with the wrong side "
        "of the window, at the wrong layer, or with the window of the node above; a margin that is "
        "added to the score. Look at the line that ends the loop over the plies."
    ),
    needs=("alpha", "beta", "score"),
    example={
        "plyscope": 1,
        "root": {
            "layer": "max",
            "score": 5,
            "bound": "lower",
            "alpha": None,
            "beta": 9,
            "outcome": "cutoff",
            "children": [
                {
                    "ply": "a",
                    "layer": "min",
                    "score": 5,
                    "bound": "exact",
                    "alpha": None,
                    "beta": 9,
                    "outcome": "searched",
                    "children": [
                        {
                            "ply": "b",
                            "layer": "max",
                            "score": 5,
                            "bound": "exact",
                            "alpha": None,
                            "beta": 9,
                            "outcome": "leaf",
                        }
                    ],
                },
                {"outcome": "pruned", "count": 2},
            ],
        },
    },
    figures=figures,
    breaks=breaks,
    applies=best_first,
)
