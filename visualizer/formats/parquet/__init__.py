"""Logs as Parquet files: one row a node, the log's own names, the header in the metadata."""
