"""Trees that are not ours: found in any document, their fields guessed, told to a draft in our words."""
