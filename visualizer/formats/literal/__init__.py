"""Readers of texts that are no strict JSON: literals, duplicate keys, texts cut short, print-outs."""
