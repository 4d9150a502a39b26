"""Commands that look at a recorded search."""
