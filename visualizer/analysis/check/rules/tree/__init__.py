"""Rules of a node's own statements: its mover, its plies, its outcome."""
