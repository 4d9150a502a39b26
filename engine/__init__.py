"""Games and searches that record themselves. Knows nothing of logs on disk, of the web or of the viewer."""

if __name__ != "plyscope.engine":  # a checkout's root is on the path: each module would be loaded twice
    raise ImportError("this folder `engine` is Plyscope's own: import it as plyscope.engine", name=__name__)
