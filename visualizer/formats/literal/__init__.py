"""Readers of pasted texts that are no strict JSON: literals, names that come twice, texts cut short."""
