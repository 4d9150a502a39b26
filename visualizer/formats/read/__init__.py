"""Readers of our own logs of any size: a form says what each value is, and batches of values become columns.

`forms` has the roles of values, `gather` turns those of fields into columns. `own` reads documents, `lines`
and `few_lines` a node a line; `ours` is asked of bytes. `places` says where something stands.
"""
