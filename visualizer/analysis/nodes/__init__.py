"""What several verbs say of a node: its fields, path and score, what decided it, what is known and proven."""
