"""`check`: re-derives what a log claims and lists each contradiction with its rule, node and both figures.

`run` runs all rules, `answer` is their report; other verbs use only `score_check`.
"""
