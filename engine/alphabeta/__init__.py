"""Alpha-beta: one search, iterative and resumable, compiled or plain from the same source.

`search.py` has the steps of a visit, `visit.py` what a node learns on entry. `stack.py` is all that a search
in the middle of its work knows; `settings.py` are its options as it reads them. `ordering.py`, `proof.py`,
`table.py`, `counters.py` and `writing.py` are the kernels of those names. Around a finished search,
`gathering.py` collects what it found, `lines.py` writes its lines, `carrying.py` has an earlier run's table.
"""
