"""What the columns of a log say: totals, levels, deciding lines."""
