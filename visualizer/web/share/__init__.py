"""A log as one HTML file that opens without a server: what goes into it, and the page around it."""
