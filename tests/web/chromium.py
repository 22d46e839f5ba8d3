"""The Chromium for the tests: the machine's, or one that `python -m tests.web.chromium` installs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

#: The first one is the same browser without its windows: the tests take a quarter less time with it.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
#: Nothing is asked of anyone outside this machine, and small machines will do.
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
MISSING = "The tests of the page need Chromium, and it could not be installed here. Install it, and try again; "
ADVICE = "on Debian and Ubuntu: apt install chromium"


def flags() -> list[str]:
    """What Chromium is started with; its sandbox is not for root."""
    return [*FLAGS, *(["--no-sandbox"] if is_root() else [])]


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def executable() -> str | None:
    """Where Chromium is, if it is here."""
    for found in map(shutil.which, NAMES):
        if found:
            return found
    for found in (*APPLICATIONS, playwrights_own()):
        if found and Path(found).exists():
            return found
    return None


def playwrights_own() -> str:
    """Where Playwright keeps the one that it has installed, whether it has or not."""
    asking = "from playwright.sync_api import sync_playwright as p; print(p().start().chromium.executable_path)"
    return subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True).stdout.strip()


def ways_to_install() -> list[list[str]]:
    """Commands that may bring it, the gentlest first."""
    ways = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get"):
        sudo = [] if is_root() else ["sudo", "-n"]
        if not sudo or shutil.which("sudo"):
            ways.append([*sudo, "apt-get", "update", "--quiet"])
            ways += [[*sudo, "apt-get", "install", "--yes", "--quiet", name] for name in NAMES[:2]]
    return ways


def main() -> None:
    for way in ways_to_install():
        if executable():
            return
        sys.stderr.write(f"Chromium for the tests of the page: {' '.join(way)}\n")
        subprocess.run(way)
    if not executable():
        sys.exit(MISSING + ADVICE)


if __name__ == "__main__":
    main()
