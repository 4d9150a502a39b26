"""Answers computed from the columns of a log, a folder a verb: findings, comparisons, queries, pictures.

`columns/` is the floor below them, `nodes/` what several of them need of one node. `warm_up` compiles in
another process the kernels that an answer needs, while or after it is given without them.
"""
