"""The records that any search writes.

`rows.py` defines the records, `memory.py` the memory for them. `ply_texts.py` writes their plies as text;
`recording.py` is a finished run with its rows, `header.py` the header of its log.
"""
