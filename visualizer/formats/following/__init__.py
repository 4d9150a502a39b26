"""JSON Lines while an engine writes them: lines in, columns that grow, sealed logs of what came so far."""
