"""The equality harness: what a person sees of Plyscope, as text, now and as it was when it was kept.

    python -m tests.equality dump [PATTERN …]      write the texts into build/equality/now
    python -m tests.equality compare [PATTERN …]   hold them to digests.txt; show what differs, line by line
    python -m tests.equality keep [PATTERN …]      take what is answered now for what is right

Whoever keeps another answer has read what `compare` shows of it; the body of the commit says why it is
better.

It uses only what stays when rooms are rebuilt: the public face, `read_log`, the command line, HTTP routes and
the sealed `Log`. A case is a folder of input files and a question (`case.py`); a child process answers it in
this tree or in a worktree of the commit that kept it (`child.py`, `children.py`). Inputs are made by this
tree alone, so both answer the same. `log_text.py` says how a log is written down, `masks.py` what is not
deterministic.
"""
