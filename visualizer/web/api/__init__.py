"""The JSON API of docs/api.md: a module for each noun, every answer bounded, errors in one shape."""
