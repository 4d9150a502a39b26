"""Files without a tree: those of the games of a match, and of the trials of a tuning."""
