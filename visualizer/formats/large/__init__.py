"""Logs too large for an object a node: kernels find where each value stands, columns are read from slices."""
