"""The server: the only room that imports Flask."""
