"""Trees that are not ours, of any form and size: found in a document, their fields guessed, told as columns."""
