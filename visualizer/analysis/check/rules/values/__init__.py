"""Rules of scores: evaluations, endings, backing up from children, and from the leaves."""
