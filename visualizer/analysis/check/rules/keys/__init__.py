"""Rules of position keys, and the passes over all rows that compare them."""
