"""Any JSON document as a table of its values in pre-order, read piece by piece.

`scan` makes rows of bytes; `tape` keeps the open containers from piece to piece. A `form` is a table that
gives each value a role by its place in the document; `placing` applies it to rows and numbers the nodes,
`walk` does so with Python's values. Both give a `batch`: the values of each role, and the node of each value.
`writing` writes values as JSON again. No room above this one sees bytes.
"""
