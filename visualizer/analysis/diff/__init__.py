"""Two searches of one position compared: by the path of plies, and row by row in the order of time."""
