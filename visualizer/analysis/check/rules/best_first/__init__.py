"""Rules of best-first trees: visits, means, how plies were chosen, what a solver proved."""
