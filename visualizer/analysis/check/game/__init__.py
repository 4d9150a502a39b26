"""The log played again in its game."""
