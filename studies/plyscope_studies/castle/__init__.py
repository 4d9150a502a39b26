"""Castle: 2 to 4 players lay tiles on a plan, and a one-ply search by rank plays for them.

All plays of a turn are listed and judged by eight factors; the best is played. Plan and distribution of tiles
are data files of our own.
"""
