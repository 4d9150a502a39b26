"""The error of an expression that is refused: one sentence, with the place, and what was probably meant."""

from __future__ import annotations


class QueryError(ValueError):
    """An expression that is not run, or that was given up.

    `message` says what is wrong, `suggestion` is what may have been meant (empty where nothing is near).
    `start` and `end` are offsets in characters, `expression[start:end]` is what the message is about; both
    are None where it is about the expression as a whole.

    >>> str(QueryError("no field `outcom`", start=0, end=6, suggestion="outcome"))
    'column 1: no field `outcom`; did you mean `outcome`?'
    """

    def __init__(
        self, message: str, *, start: int | None = None, end: int | None = None, suggestion: str = ""
    ) -> None:
        self.message = message
        self.start = start
        self.end = end
        self.suggestion = suggestion
        super().__init__(message)

    def beside(self, what: str) -> QueryError:
        """The same of what is asked beside the expression, such as its order: the place is in that."""
        place = "" if self.start is None else f"column {self.start + 1}: "
        return QueryError(f"{what}: {place}{self.message}", suggestion=self.suggestion)

    @property
    def sentence(self) -> str:
        """The message with its suggestion, without the place."""
        return f"{self.message}; did you mean `{self.suggestion}`?" if self.suggestion else self.message

    def __str__(self) -> str:
        return self.sentence if self.start is None else f"column {self.start + 1}: {self.sentence}"
