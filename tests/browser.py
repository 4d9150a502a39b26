"""A real browser for the page's tests: found on this machine, else installed (`python -m tests.browser`).

In order: $PLYSCOPE_BROWSER, Chromium's headless shell, a Chrome, Chromium or Edge of the system that really
starts, Playwright's own, `playwright install chromium`, and as root Debian's packages. Where none works the
error says what to do. The headless shell is the same engine without the windows, and a fifth faster.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

SYSTEM_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

ARGUMENTS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
]


class NoBrowserError(RuntimeError):
    """No browser starts here; the message says how to get one."""


def find_browser() -> str | None:
    """The path of a browser that starts, None where there is none."""
    named = os.environ.get("PLYSCOPE_BROWSER")
    if named:
        if not starts(named):
            raise NoBrowserError(f"PLYSCOPE_BROWSER is {named!r}, which does not start; correct or unset it")
        return named
    for name in SYSTEM_NAMES:
        path = shutil.which(name)
        if path is not None and starts(path):
            return path
    return playwrights_own()


def starts(path: str) -> bool:
    """Whether the program answers `--version`; the stubs that some systems install instead do not."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and bool(answer.stdout.strip())


def playwrights_own() -> str | None:
    """Playwright's Chromium where it was downloaded before and starts."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() and starts(path) else None


def driver_starts() -> bool:
    """Whether the node that comes with Playwright runs; on a minimal Debian it lacks a library."""
    return starts(str(compute_driver_executable()[0]))


def install_packages(*packages: str) -> None:
    """Ask Debian for packages where we may."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=False)
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
        subprocess.run(command, env=quiet, check=False)


def install_browser() -> None:
    """Try to get one: Playwright's download, then Debian's package."""
    quick = {**os.environ, "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "8000"}
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        subprocess.run(command, env=quick, timeout=600, check=False, capture_output=True)
    except subprocess.TimeoutExpired:
        print("playwright install chromium did not finish in ten minutes", file=sys.stderr)
    if playwrights_own():
        return
    install_packages("chromium-headless-shell", "fonts-dejavu-core")
    if find_browser() is None:  # older Debians, and Ubuntu, have no such package
        install_packages("chromium", "fonts-dejavu-core")


def browser() -> str:
    """The path of a browser that starts; raises NoBrowserError."""
    path = find_browser()
    if path is None:
        raise NoBrowserError(
            "no browser was found. Install Chromium or Chrome (Debian: apt-get install chromium), or set "
            "PLYSCOPE_BROWSER to one; then run the tests again"
        )
    return path


if __name__ == "__main__":
    if not driver_starts():
        install_packages("libatomic1")
    if not driver_starts():
        sys.exit("plyscope: Playwright's node does not start; on Debian: apt-get install libatomic1")
    if find_browser() is None:
        install_browser()
    try:
        print(browser())
    except NoBrowserError as error:
        sys.exit(f"plyscope: {error}")
