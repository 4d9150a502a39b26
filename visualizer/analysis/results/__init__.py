"""The results of a match's games, in words and as JSON, and the folder with the logs of these games."""
