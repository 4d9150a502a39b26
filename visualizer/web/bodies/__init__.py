"""What the API answers with, made from trees: plain dicts, bounded, ready for JSON."""
