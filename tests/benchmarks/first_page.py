"""Shell to first page: how long `plyscope view` takes to answer, beside Python's own file server.

Both are started in turn, as whole processes, and asked for a page; medians and the ratio are printed.
Target: at most 0.5 s.
"""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

RUNS = 7
TARGET_SECONDS = 0.5


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def seconds_to_first_page(command: list[str], port: int) -> float:
    """From starting the process until a GET of `/` has been answered."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            while True:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
                        answer.read()
                        return time.perf_counter() - started
                except (ConnectionError, urllib.error.URLError):
                    if process.poll() is not None:
                        raise RuntimeError(f"{command[0]} ended with {process.returncode}") from None
        finally:
            process.terminate()


def main() -> None:
    plyscope = str(Path(sys.executable).with_name("plyscope"))
    ours, theirs = [], []
    for _ in range(RUNS + 1):
        port = free_port()
        ours.append(seconds_to_first_page([plyscope, "view", "--no-browser", "--port", str(port)], port))
        port = free_port()
        server = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(port)]
        theirs.append(seconds_to_first_page(server, port))
    median, plain = statistics.median(ours[1:]), statistics.median(theirs[1:])
    print(f"plyscope view to first page   {median:6.3f} s  (target {TARGET_SECONDS} s)")
    print(f"python -m http.server         {plain:6.3f} s")
    print(f"ratio                         {median / plain:6.2f}")


if __name__ == "__main__":
    main()
