"""The tree store: a sealed search log as columns in pre-order, and the questions a tree is asked."""
