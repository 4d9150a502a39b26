"""From gathered fields of nodes to a sealed log: pre-order, the root player's view, a column a field."""
