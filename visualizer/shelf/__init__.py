"""The list of logs that a viewer shows: where they lie, how they are read, which are open. Knows no web."""
