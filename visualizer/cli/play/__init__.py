"""Commands that record searches, and play."""
