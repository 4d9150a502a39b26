"""The figures of a search: by level, order of plies, smaller limits, iterations, techniques, places.

`run.statistics` puts all together. Kernels go over the rows once for the counts and once for each smaller
limit; everything else reads a few rows. `figures` declares each figure.
"""
