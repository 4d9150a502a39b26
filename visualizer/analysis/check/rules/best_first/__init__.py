"""Rules of best-first trees: visits, means, the choice of plies, proofs of a solver."""
