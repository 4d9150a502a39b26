"""Monte Carlo: games played out at random, and the tree search that is guided by their results."""
