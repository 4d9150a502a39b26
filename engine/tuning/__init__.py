"""Weights found by playing: `tuning.py` declares a tuning, `trials.py` runs it."""
