"""The forms of a search log: each reader turns one into columns, each writer turns columns into one."""
