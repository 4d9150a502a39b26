"""The rule that plays a log again in its game: the start, the walk over its rows, the differences."""
