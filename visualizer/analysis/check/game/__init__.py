"""Play the log again in its game."""
