"""What a search writes down, whichever search it is.

`rows.py` has the records, `memory.py` what they are written to. `ply_texts.py` writes their plies as text;
`recording.py` is a finished run with its rows, `header.py` the header of its log.
"""
