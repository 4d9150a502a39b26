"""The meanings of a foreign tree's fields: guessed, corrected by a person, read into our columns."""
