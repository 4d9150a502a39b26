"""The bodies of the API's answers, made from trees: plain dicts, bounded, ready for JSON."""
