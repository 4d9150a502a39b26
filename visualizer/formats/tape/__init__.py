"""Any JSON document as a table of its values in pre-order, read piece by piece.

`scan` makes rows of bytes; `tape` carries what is open from piece to piece. A `form` says by a table of steps
what each value is by where it stands, and gives a number to what is a node; `placing` follows it over rows,
`walk` over Python's values. Both give a `batch`: the values of each role, and the nodes that they are of.
`text` writes values as JSON again. No room above this one sees bytes.
"""
