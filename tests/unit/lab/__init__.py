"""Studies of published figures."""
