"""The command line: thin pairs of a reader and a reporter."""
