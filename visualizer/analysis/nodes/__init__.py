"""One node of a log: its fields, its path, its line."""
