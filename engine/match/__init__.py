"""Matches: agents that play games against each other, the results, and the strength of players."""
