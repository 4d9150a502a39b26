"""One-ply search by rank: all plays of a turn are listed and judged by eight factors; the best is played."""
