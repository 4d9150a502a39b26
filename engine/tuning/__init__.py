"""Weights found by playing: `tuning.py` says what is tuned and against whom, `trials.py` runs it."""
