"""`python -m plyscope`: the command, also where no `plyscope` is on the shell's path."""

from plyscope.visualizer.cli.main import run

if __name__ == "__main__":
    run()
