"""JSON Lines and compact logs while an engine writes them: growing columns, sealed again and again."""
