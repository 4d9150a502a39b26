"""Logs as files: JSON, JSON Lines, and what all writers share of rows as text."""
