"""The results of a match's games, in sentences that the command and the page share."""

from __future__ import annotations

from plyscope.engine.match.sprt import Verdict


def said(verdict: Verdict, first: str, second: str, better: float) -> str:
    """The verdict of a test in sequence in a sentence."""
    ratio = f"log-likelihood ratio {verdict.ratio:.2f} of {verdict.low:.2f} to {verdict.high:.2f}"
    if verdict.says == "better":
        return f"{first} is better than {second}: {better:g} points of Elo are likelier than none ({ratio})."
    if verdict.says == "not better":
        return (
            f"{first} is not better than {second}: none are likelier than {better:g} points of Elo ({ratio})."
        )
    return f"Whether {first} is better than {second} is not known yet ({ratio}); play more games."
