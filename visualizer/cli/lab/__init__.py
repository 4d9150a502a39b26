"""Commands of other people's published players."""
