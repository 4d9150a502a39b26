"""Which field of a foreign tree means what: guessed, corrected by a person, told as columns of ours."""
