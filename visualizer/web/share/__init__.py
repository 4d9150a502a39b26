"""A log as one HTML file that opens without a server: its data, and the page around it."""

USUAL_NODES = 20_000
MOST_NODES = 100_000
