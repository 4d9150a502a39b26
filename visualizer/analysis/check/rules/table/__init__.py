"""Rules of table entries: what they claim, their depth, their ply, where they come from."""
