"""A model as it served in an earlier round, out of this repository's history.

    python tools/earlier_round.py runs/round-4 bert_en=4 bilstm_crf_en=3

Later rounds go on from the weights of earlier ones (`start = "served:MODEL"`), and a second opinion
is learnt from what earlier ones said; a checkout holds the last of each. This writes the named
versions and their embeddings into a folder of models, as the last commit that held each version
had them. `STREAM_DEID_TRITON__REPOSITORY=runs/round-4 stream-deid models build` makes their
engines, and with the same variable `train` begins there.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODELS = "triton_models"


def commits(model: str, root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Commits that changed the model's manifest, the newest first, each with the version."""
    manifest = f"{MODELS}/{model}/manifest.json"
    for commit in _git(root, "log", "--format=%H", "--", manifest).decode().split():
        yield commit, str(json.loads(_git(root, "show", f"{commit}:{manifest}"))["version"])


def write(model: str, version: str, out: Path, root: Path = ROOT) -> str:
    """Write `model` and the shared embeddings below `out`; the commit that they are of.

    Raises `SystemExit` where the history has no such version.
    """
    held = list(commits(model, root))
    commit = next((one for one, its in held if its == version), "")
    if not commit:
        known = ", ".join(sorted({its for _, its in held})) or "none"
        raise SystemExit(f"{model}: the history has no version {version} (it has {known})")
    parts = [f"{MODELS}/{model}", f"{MODELS}/shared"]
    with tarfile.open(fileobj=io.BytesIO(_git(root, "archive", f"{commit}", *parts))) as files:
        for member in files.getmembers():
            member.name = member.name.removeprefix(MODELS).lstrip("/")
            if member.name:
                files.extract(member, out, filter="data")
    return commit


def _git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(  # noqa: S603 - git, with what was named
        ["git", "-C", str(root), *arguments],  # noqa: S607
        check=True,
        stdout=subprocess.PIPE,
    ).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("models", nargs="+", metavar="MODEL=VERSION")
    arguments = parser.parse_args()
    for named in arguments.models:
        model, _, version = named.partition("=")
        commit = write(model, version, arguments.out)
        print(f"{arguments.out / model}: version {version}, of {commit[:7]}")


if __name__ == "__main__":
    main()
