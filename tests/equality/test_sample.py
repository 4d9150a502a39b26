"""The quick cases of the equality harness are answered as was kept; `make equality` asks all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.equality.case import Case, chosen
from tests.equality.corpus import all_cases
from tests.equality.kept import read_kept
from tests.equality.log_text import digest
from tests.equality.questions import answer

KEPT: Final = read_kept()


@pytest.mark.parametrize("case", chosen(all_cases(), [], dearest=0), ids=lambda case: case.name)
def test_a_quick_case_is_answered_as_was_kept(case: Case, tmp_path: Path) -> None:
    case.make(tmp_path)
    text = answer(case.how, tmp_path, case.asked)
    assert digest(text.encode("utf-8", "backslashreplace")) == KEPT.get(case.name), (
        f"see what differs by: python -m tests.equality compare '{case.name}'"
    )
