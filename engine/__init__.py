"""Games and searches that record themselves. Knows nothing of logs on disk, of the web or of the viewer."""

if __name__ != "plyscope.engine":  # a checkout's root is on the path: each module would be loaded twice
    message = (
        "this folder `engine` is Plyscope's own: import it as plyscope.engine. "
        "If a folder of yours was meant, put an `__init__.py` into it, which may be empty"
    )
    raise ImportError(message, name=__name__)
