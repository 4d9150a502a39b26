"""The log as rules see it: what a row has, children, entries, windows; what is stated and claimed."""
