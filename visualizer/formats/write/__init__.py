"""Writers of JSON and JSON Lines, and the text of rows that they share."""
