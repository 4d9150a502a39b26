"""static-sum, leaf, stand-pat, terminal, mate-distance: what a single position is worth, and can be."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.unit.analysis.check.checked import Cases, changed, child, example, hold, report_of

FACTORS: Final = [{"name": "mobility", "weight": 2}, {"name": "corners", "weight": 10}, {"name": "other"}]
TERMINAL: Final = {"1": {"score": -999}}
OPEN: Final = {"alpha": None, "beta": None}


def with_rest(last: float) -> Any:
    """A third factor without a weight; of the third ply it is `last`."""
    rests = {"0": [2, 1, 0], "1": [3, 0, 2], "2": [1, 0, last]}
    return changed("static-sum", {at: {"factors": values} for at, values in rests.items()}, factors=FACTORS)


def clamped(fail: str | None, last: float) -> Any:
    """A leaf of -9 at alpha 4 that says 4, and one of 1 that says `last`."""
    document = changed("leaf", search={"fail": fail} if fail else None)
    for node in (document["root"], *document["root"]["children"]):
        node.update(OPEN)
    child(document, 1).update(static=-9, score=4, alpha=4)
    child(document, 2).update(static=1, score=last, alpha=4)
    return document


def deep(above: str = "upper", **fields: Any) -> Any:
    """The node all of whose plies were skipped, with other fields, below one with this bound."""
    return changed("mate-distance", {"1": {"bound": above}, "1.0": fields})


CASES: Cases = {
    "a rounding error within the tolerance is no finding": [
        (changed("static-sum", {"1": {"factors": [4 + 1e-12, 0]}}), ""),
        (changed("static-sum", {"1": {"factors": [4.001, 0]}}), "wrong static-sum d3"),
        (changed("static-sum", {"1": {"factors": [4.001, 0]}}, search={"tolerance": 0.01}), ""),
    ],
    "a static with an unknown factor is not judged": [
        (changed("static-sum", {"1": {"factors": [3, None]}}), ""),
    ],
    "contributions are added up without weights": [
        (
            changed(
                "static-sum",
                {
                    str(at): {
                        "factors": None,
                        "contributions": {"mobility": 2 * mobility, "corners": corners},
                    }
                    for at, (mobility, corners) in enumerate(((2, 10), (3, 0), (1, 0)))
                },
            ),
            "wrong static-sum d3",
        ),
    ],
    "the rest term called other needs no weight": [
        (with_rest(0), ""),
        (with_rest(1), "wrong static-sum e6"),
    ],
    "leaf: it is clamped to its window only where the search may be fail-hard": [
        (clamped("hard", 4), ""),
        (clamped("soft", 1), "wrong leaf d3"),
        (clamped(None, 4), ""),
    ],
    "leaf: it is not judged where neither fail nor windows are declared": [
        (changed("leaf", search=None), "")
    ],
    "a mate is worth less the farther it is": [
        (changed("terminal", TERMINAL), ""),
        (changed("terminal", {"1": {"score": -998}}), "wrong terminal d3"),
    ],
    "a draw with contempt from the wrong side is found": [
        (changed("terminal", TERMINAL | {"2": {"score": 20}}, search={"draw": -20}), "wrong terminal e6"),
        (changed("terminal", TERMINAL | {"2": {"score": -20}}, search={"draw": -20}), ""),
    ],
    "terminal: an ending whose worth is not declared is not judged": [
        (changed("terminal", search={"mate": None, "draw": None}), ""),
    ],
    "mate-distance: a score that may be true is clean": [
        (deep("lower", score=-998), ""),  # mated here
        (deep("lower", score=-999), ""),  # by an engine that counts from 1
        (deep("lower", bound="lower"), ""),  # at least, which nobody denies
        (deep("lower", score=997), ""),  # mates by the next ply
        (deep("lower", score=9000), ""),
        (deep("lower", outcome="stopped"), ""),
        (deep("lower", moves=0), ""),  # no-plies says it
    ],
    "mate-distance: a win too near is found too": [
        (deep(score=1000, bound="lower"), "wrong mate-distance d3 > e3"),
        (deep(score="inf", bound="exact"), "wrong mate-distance d3 > e3"),
    ],
    "mate-distance: wins that decay on the way up are not judged": [
        (changed("mate-distance", {"0": {"counted_as": 3}}), ""),
    ],
}


@pytest.mark.parametrize("sentence", CASES)
def test_what_a_position_is_worth(sentence: str) -> None:
    hold(CASES, sentence)


def test_the_cause_is_told_before_what_follows_from_it() -> None:
    (finding,) = report_of(example("mate-distance")).findings()
    assert (finding.path, finding.severity) == ("d3 > e3", "wrong")
    assert finding.message == (
        "The search returned −1000 (upper), but a game that ends at this node, 2 plies from the root, "
        "is worth −998: nothing below it is a loss so near."
    )


@pytest.mark.parametrize("mate", [None, {"score": 1000, "threshold": 900}])
def test_wins_without_a_step_are_not_judged(mate: dict[str, float] | None) -> None:
    document = changed("mate-distance", search={"mate": mate} if mate else None)
    assert "mate-distance" not in report_of(document).checked
