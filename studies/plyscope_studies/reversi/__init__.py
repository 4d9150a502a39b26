"""Reversi: its command line after the Zebra family of programs, and the exact solver of its end.

`solver.py` and `last_cells.py` find the score under best play, to the last disc; `ffo.py`, `plain_endgame.py`
and `random_ends.py` are what it is measured by.
"""
