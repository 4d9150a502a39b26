"""The exact solver of Reversi's end-game: the score under best play, to the last disc."""
