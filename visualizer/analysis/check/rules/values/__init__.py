"""Rules of scores: evaluations, endings, what follows from the children, and the leaves folded up again."""
