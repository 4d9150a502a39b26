"""Work beside the requests, most of it in child processes: checks, searches, readings."""
