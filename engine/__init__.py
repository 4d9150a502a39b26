"""Games and searches that record themselves. Knows nothing of logs on disk, of the web or of the viewer."""
