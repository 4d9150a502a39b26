"""What the games of a match came to, in words and as JSON."""
