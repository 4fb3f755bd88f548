"""Write `deploy/docker/worker.lock`: what the worker's image installs, each wheel with its SHA-256.

    python tools/lock.py > deploy/docker/worker.lock

Asks pip what it would install for the versions of `constraints.txt` (Linux on x86-64, Python 3.11),
and takes the hashes from its report. Run it where the packages come from somewhere you trust.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import orjson

ROOT = Path(__file__).parents[1]
EXTRAS = ("serving", "streaming", "traces")
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64",
             "manylinux_2_5_x86_64", "manylinux1_x86_64")  # fmt: skip
HEAD = "# Made by tools/lock.py: wheels of the worker's image, for pip install --require-hashes.\n"


def requirements() -> list[str]:
    """What pyproject.toml asks for at run time."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(one for extra in EXTRAS for one in optional[extra])]


def locked() -> list[str]:
    """A line for each package, sorted by name."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ["--dry-run", "--ignore-installed", "--quiet", "--only-binary", ":all:"]
        for platform in PLATFORMS:
            options += ["--platform", platform]
        command = [sys.executable, "-m", "pip", "install", *options, "--python-version", "3.11",
                   "--target", folder, "--report", str(report),
                   "--constraint", str(ROOT / "constraints.txt"), *requirements()]  # fmt: skip
        subprocess.run(command, check=True)  # noqa: S603 - pip with arguments of our own
        found = orjson.loads(report.read_bytes())["install"]
    lines = []
    for one in found:
        name = one["metadata"]["name"].lower().replace("_", "-")
        version = one["metadata"]["version"]
        digest = one["download_info"]["archive_info"]["hashes"]["sha256"]
        lines.append(f"{name}=={version} --hash=sha256:{digest}\n")
    return sorted(lines)


if __name__ == "__main__":
    sys.stdout.write(HEAD + "".join(locked()))
