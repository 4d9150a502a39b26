"""A node, as several verbs tell of it: fields, path and score, what decided it, what is known and proven."""
