"""Facts about one node that several verbs need: fields, path, score and its source, claims and proofs."""
