"""A log as kernels see it, and what all verbs derive from it: claims, folds, windows, means, passes."""
