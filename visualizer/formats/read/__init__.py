"""Readers of our own logs of any size: a form gives values their roles, and batches of values become columns.

`forms` has the roles, `gather` turns the values of fields into columns. `own` reads documents, `lines` and
`few_lines` a node a line. `places` finds lines, columns and paths for errors.
"""
