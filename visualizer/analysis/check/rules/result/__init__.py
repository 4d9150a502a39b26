"""Rules of the result: the root that it comes from, its ply, line and totals, and wins passed over."""
