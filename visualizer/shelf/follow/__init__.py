"""Logs that are written while one looks at them."""
