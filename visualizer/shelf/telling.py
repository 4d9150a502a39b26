"""How a child process tells the viewer what it does: one line of JSON a message, from any of its threads."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from typing import Any


def teller() -> Callable[[dict[str, Any]], None]:
    """A function that writes a message to standard output, whole and at once."""
    lock = threading.Lock()

    def tell(message: dict[str, Any]) -> None:
        with lock:
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    return tell
