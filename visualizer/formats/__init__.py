"""The file formats of a search log: each reader makes columns of one, each writer makes one of columns."""
