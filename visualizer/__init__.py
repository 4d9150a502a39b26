"""Logs in, answers out: reading and writing logs, the tree store, its analysis, the server, the command."""

from visualizer.version import __version__

__all__ = ["__version__"]
