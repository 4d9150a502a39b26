"""Rules of table entries: their claim, their depth, their ply, their source."""
