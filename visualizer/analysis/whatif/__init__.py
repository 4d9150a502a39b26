"""A search under other weights: the recorded leaves weighed anew and folded up again.

The log's windows, bounds and cuts play no part, only which rows there are. What was not searched opens an
end, so every node has an interval, and nothing unknown counts as known.
"""
