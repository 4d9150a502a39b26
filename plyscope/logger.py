"""The writer of search logs: the class that `examples/loggers/` also has as one file to copy."""

from plyscope.examples.loggers.search_log import SearchLog as Logger

__all__ = ["Logger"]
