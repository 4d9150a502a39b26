"""Answers computed from the columns of a log: totals, findings, comparisons, explanations, queries."""
