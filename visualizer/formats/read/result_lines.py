"""The result line of JSON Lines, which ends a search: the last one counts, and oddities get notices.

All readers of JSON Lines use this, so that the same file gets the same notices.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.header import check_result

NO_RESULT: Final = "There is no result line: the search did not end, or its writer prints none."
LAST_RESULT: Final = "The log gives its result more than once: the last one counts."


class ResultLines:
    """The result lines so far.

    >>> results = ResultLines()
    >>> results.take({"result": {"score": 1}}, 3)
    >>> results.result, results.notices({}, 5)[0]
    ({'score': 1}, '2 lines of nodes come behind the result line: they are read as parts of the same search.')
    """

    def __init__(self) -> None:
        self.result: dict[str, Any] | None = None
        """The last result; None where there was none, or it was null."""
        self._n_lines = 0
        self._n_before = 0

    @property
    def has_ended(self) -> bool:
        """Whether a result line came; its result may be null."""
        return self._n_lines > 0

    def take(self, fields: Mapping[str, Any], n_before: int) -> None:
        """Take a result line after `n_before` lines of nodes. Raises LogError where it is wrong."""
        result = fields["result"]
        if result is not None and not isinstance(result, dict):
            raise LogError(f"found {shown(result)}, expected an object", path="$.result")
        check_result(result or {})
        self.result, self._n_before = result, n_before
        self._n_lines += 1

    def notices(
        self, header: Mapping[str, Any] | None, n_node_lines: int, *, is_final: bool = True
    ) -> list[str]:
        """The notices after `n_node_lines` lines of nodes; that of a missing result only if it `is_final`.

        `header` is None where the first line was no header.
        """
        if not self.has_ended:
            return [NO_RESULT] if is_final and header is not None and header.get("result") is None else []
        said = [LAST_RESULT] if self._n_lines > 1 else []
        n_behind = n_node_lines - self._n_before
        if n_behind:
            lines = "1 line of a node comes" if n_behind == 1 else f"{n_behind:,} lines of nodes come"
            it_is = "it is read as part" if n_behind == 1 else "they are read as parts"
            said.append(f"{lines} behind the result line: {it_is} of the same search.")
        return said
