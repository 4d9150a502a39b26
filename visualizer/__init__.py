"""Logs in, answers out: reading and writing logs, the tree store, its analysis, the server, the command."""

import warnings

from plyscope.version import __version__

__all__ = ["__version__"]

# Logs hold infinite scores and numbers near the largest double: their sums overflow, as compiled code has it.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"plyscope\.")

if __name__ != "plyscope.visualizer":  # a checkout's root is on the path: each module would be loaded twice
    message = (
        "this folder `visualizer` is Plyscope's own: import it as plyscope.visualizer. "
        "If a folder of yours was meant, put an `__init__.py` into it, which may be empty"
    )
    raise ImportError(message, name=__name__)
