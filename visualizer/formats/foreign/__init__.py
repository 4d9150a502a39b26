"""Trees that are not ours, of any form and size: found, their fields guessed, read into our columns."""
