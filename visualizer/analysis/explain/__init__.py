"""Why this ply and not that one: two siblings, their deciding lines, and the margin between them by factor.

`answer.py` puts all together. `pair.py` finds the two plies, `side.py` what a ply is worth and where its line
ends, `split.py` the margin in parts that add up to it, `causes.py` further facts (refutation, overturned
order, branching limit, drawn rank), `sentences.py` and `means.py` say them.
"""
