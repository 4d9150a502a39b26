"""The application on sockets."""
