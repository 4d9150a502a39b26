"""The equality harness: what a person sees of Plyscope, as text, now and as it was at a kept commit.

    python -m tests.equality dump [PATTERN …]      write the texts into build/equality/now
    python -m tests.equality compare [PATTERN …]   hold them to digests.txt; show what differs, line by line
    python -m tests.equality accept [PATTERN …]    keep what differs where differences.txt names every line
    python -m tests.equality keep                  take everything as it is now for what is right

It uses only what stays when rooms are rebuilt: the public face, `read_log`, the command line, HTTP routes and
the sealed `Log`. A case is a folder of input files and a question (`case.py`); a child process answers it in
this tree or in a worktree of the kept commit (`child.py`, `children.py`). Inputs are made by this tree alone,
so both answer the same. `log_text.py` says how a log is written down, `masks.py` what is not deterministic.
"""
