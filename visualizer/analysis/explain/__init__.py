"""The explanation of a choice: two siblings, their deciding lines, and the margin between them by factor.

`answer.py` puts all together. `pair.py` finds the two plies, `ply_side.py` what a ply is worth and where its
line ends, `margin.py` the margin in parts that add up to it, `causes.py` further facts (refutation,
overturned order, branching limit, drawn rank). `score_sentences.py`, `reasons.py` and `caveats.py` say them
by subject, `sentences.py` in order; `best_first.py` says those of best-first trees, `outcomes.py` those where
chance moves. `exact_question.py` asks our engine for scores that the log does not know.
"""
