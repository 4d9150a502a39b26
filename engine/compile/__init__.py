"""Compiling kernels and caching their machine code; the implementation of `engine/jit.py`.

`kernels.py` collects a game's kernels by name. `fingerprint.py` marks kernels and digests all that they call
and read; `code_cache.py` keeps machine code on disk by those digests. `callee.py` compiles a kernel with its
callees; `bundle.py` passes many arrays as one argument. Nothing here knows a search.
"""
