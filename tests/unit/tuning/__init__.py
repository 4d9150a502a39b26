"""Weights found by playing."""
