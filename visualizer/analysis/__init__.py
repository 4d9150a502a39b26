"""Answers computed from the columns of a log, a folder a verb: findings, comparisons, queries, pictures.

`columns/` is the floor that they stand on, `nodes/` what several of them say of a node. `warm_up` compiles
what an answer needs in another process, while or after it is given without.
"""
