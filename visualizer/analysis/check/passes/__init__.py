"""Passes over all rows: rule by rule, by claims, by keys, from the leaves; plain or compiled."""
