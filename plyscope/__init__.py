"""Plyscope, a search-tree debugger for game AI: `plyscope.engine` searches, `plyscope.visualizer` shows.

Cheap to import: neither numba, Flask nor numpy is loaded. In a wheel both packages lie in this folder; in a
checkout their folders lie beside it, at the top level, and are found there by the same names.
"""

import os.path

from plyscope.version import __version__

__all__ = ["__version__"]

_here = os.path.dirname(os.path.abspath(__file__))
_root = os.path.dirname(_here)
if not os.path.isdir(os.path.join(_here, "engine")) and os.path.isfile(
    os.path.join(_root, "engine", "jit.py")
):
    __path__.append(_root)
