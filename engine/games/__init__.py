"""The games that come with the engine, one module each, and the registry that names them."""
