"""`check`: re-derives what a log claims and lists each contradiction with its rule, node and both figures.

`run` asks all rules, `answer` says what they found; other verbs ask `score_check` alone.
"""
