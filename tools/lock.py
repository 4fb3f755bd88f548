"""Write a list of what an image installs, each wheel with its SHA-256.

    python tools/lock.py worker > deploy/docker/worker.lock
    python tools/lock.py triton > deploy/docker/triton.lock      # the server for CPUs
    python tools/lock.py engines > deploy/docker/engines.lock    # what builds its engines

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
EXTRAS = {
    "worker": ("serving", "streaming", "traces"),
    "triton": ("serving", "cpu"),
    "engines": ("serving", "cpu", "build"),
}
ALONE = {"triton": ["nvidia-pytriton", "--platform", "manylinux_2_35_x86_64"]}
"""Taken without what they ask for (for the server in the wheel), and the image's C library."""
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64",
             "manylinux_2_5_x86_64", "manylinux1_x86_64")  # fmt: skip
HEAD = "# Made by tools/lock.py {image}: wheels for pip install --require-hashes.\n"


def requirements(image: str) -> list[str]:
    """What pyproject.toml asks for at run time."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(one for extra in EXTRAS[image] for one in optional[extra])]


def locked(wanted: list[str], *more: str) -> list[str]:
    """A line for each package that pip would install for `wanted`; `more`: options of pip."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ["--dry-run", "--ignore-installed", "--quiet", "--only-binary", ":all:", *more]
        for platform in PLATFORMS:
            options += ["--platform", platform]
        command = [sys.executable, "-m", "pip", "install", *options, "--python-version", "3.11",
                   "--target", folder, "--report", str(report),
                   "--constraint", str(ROOT / "constraints.txt"), *wanted]  # fmt: skip
        subprocess.run(command, check=True)  # noqa: S603 - pip with arguments of our own
        found = orjson.loads(report.read_bytes())["install"]
    lines = []
    for one in found:
        name = one["metadata"]["name"].lower().replace("_", "-")
        version = one["metadata"]["version"]
        digest = one["download_info"]["archive_info"]["hashes"]["sha256"]
        lines.append(f"{name}=={version} --hash=sha256:{digest}\n")
    return lines


def main(image: str) -> None:
    """Write the list of an image to the standard output, sorted by name."""
    lines = locked(requirements(image))
    if image in ALONE:
        lines += locked(ALONE[image], "--no-deps")
    sys.stdout.write(HEAD.format(image=image) + "".join(sorted(lines)))


if __name__ == "__main__":
    main(sys.argv[1])
