"""Readers of our own logs: a form says what each value is, and batches of values become columns.

`fields` has the roles of a node's fields, `gather` turns their values into columns, `own` reads a document
and `lines` a node a line, small or large; `places` says where something stands once an error has to.
"""
