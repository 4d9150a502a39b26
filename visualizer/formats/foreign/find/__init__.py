"""Finding the tree in a foreign document: its place, and how its nodes hold or name one another."""
