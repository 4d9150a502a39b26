"""A search under other weights: the recorded leaves weighed anew and folded up again.

The log's windows, bounds and cutoffs play no part, only its rows. Unsearched plies open one end, so every
node has an interval, and nothing unknown counts as known.
"""
