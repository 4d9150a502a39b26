"""The verb query: one expression language over the fields of nodes, and the rows for which it is true."""
