"""Players of games against each other: what a match came to, and how strong the players are."""
