"""Readers of our own logs of any size: a form gives values their roles, and batches of values become columns.

`forms` has the roles, `gather` turns the values of fields into columns. `own` reads documents, `lines`
a node a line, as `following` does while they come. `places` finds lines, columns and paths for errors.
"""
