"""How kernels become machine code and are found again: what stands behind `engine/jit.py`.

`kernels.py` takes a game's kernels by their names. `fingerprint.py` marks kernels and digests what they call
and read; `code_cache.py` keeps machine code on disk by those digests. `callee.py` compiles what only kernels
call; `bundle.py` hands many arrays over as one argument. Nothing here knows a search.
"""
