"""What files have in place of a tree: the games of a match, the trials of a tuning."""
