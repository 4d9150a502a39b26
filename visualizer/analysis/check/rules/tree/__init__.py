"""Rules of what a node says of itself: its mover, its plies, how it ended."""
