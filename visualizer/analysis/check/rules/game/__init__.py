"""The rule that plays a log again in its game: where it starts, the walk over its rows, what differs."""
