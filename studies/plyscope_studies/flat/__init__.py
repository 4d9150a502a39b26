"""Flat Monte Carlo: every legal ply is played out equally often, and the one that wins most is taken.

`sources.py` says where the draws of play-outs come from, `playing.py` plays them, `options.py` and `run.py`
are a whole search with its log, `uniformity.py` counts how even the draws of a source are.
"""
