"""The results of a match's games, in words and as JSON."""
