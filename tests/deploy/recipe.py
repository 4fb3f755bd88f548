"""A Dockerfile as a list of stages, and its steps carried out in a folder instead of an image.

Paths of the image (`/opt`, `/src`) become paths below the folder; what COPY takes out of the
checkout is what git holds there, as in a clean clone. `python` is this machine's.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import toolbox
from dockerfile_parse import DockerfileParser

PLACES = ("/opt", "/src")


@dataclass
class Stage:
    """One `FROM`, with its steps as `(instruction, value)`."""

    base: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)


def stages(path):
    """The stages of a Dockerfile, in order; `ARG`s before the first `FROM` are left out."""
    parser = DockerfileParser(fileobj=path.open("rb"))
    found = []
    for step in parser.structure:
        if step["instruction"] == "FROM":
            base, _, name = step["value"].partition(" AS ")
            found.append(Stage(base.strip(), name.strip()))
        elif found and step["instruction"] != "COMMENT":
            found[-1].steps.append((step["instruction"], step["value"]))
    return found


def lineage(all_stages, name):
    """The steps of a stage, those of the stages that it is built on first."""
    stage = next(s for s in all_stages if s.name == name)
    known = {s.name for s in all_stages}
    before = lineage(all_stages, stage.base) if stage.base in known else []
    return [*before, *stage.steps]


class Rehearsal:
    """Carries steps out below `folder`; the environment holds nothing but what they set."""

    def __init__(self, folder):
        self.folder = folder
        self.env = {
            "PATH": f"{Path(shutil.which('python3')).parent}:/usr/bin:/bin",
            "TMPDIR": str(folder / "tmp"),
        }
        # where packages come from is this machine's affair, not the Dockerfile's
        ours = ("HOME", "PIP_", "SSL_", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
        self.env |= {k: v for k, v in os.environ.items() if k.startswith(ours)}
        self.at = folder
        for place in (*PLACES, "/tmp"):  # noqa: S108 - below the folder
            self.path(place).mkdir(parents=True, exist_ok=True)

    def path(self, inside):
        return self.folder / inside.lstrip("/")

    def here(self, text):
        """The same text with the image's paths below the folder."""
        return re.sub(rf"(?<![\w./])({'|'.join(PLACES)})(?=/|\b)", rf"{self.folder}\1", text)

    def carry_out(self, steps):
        for instruction, value in steps:
            getattr(self, f"_{instruction.lower()}", self._skip)(value)

    def _skip(self, value):
        """LABEL, USER, EXPOSE and the like leave no file."""

    def _arg(self, value):
        name, _, default = value.partition("=")
        self.env.setdefault(name, default)

    def _env(self, value):
        for name, text in re.findall(r"(\w+)=(\S+)", value):
            given = re.sub(r"\$\{(\w+)\}", lambda m: self.env[m[1]], text)
            self.env[name] = self.here(given)

    def _workdir(self, value):
        self.at = self.path(value)
        self.at.mkdir(parents=True, exist_ok=True)

    def _copy(self, value):
        *sources, target = value.split()
        assert not sources[0].startswith("--"), "a stage of its own: not rehearsed"
        goal = self.path(target) if target.startswith("/") else self.at / target
        for source in sources:
            self._copy_one(source, goal, into=target.endswith("/") and len(sources) >= 1)

    def _copy_one(self, source, goal, *, into):
        held = toolbox.run("git", "-C", str(toolbox.ROOT), "ls-files", "--", source).split("\n")
        assert any(held), f"git holds no {source}"
        for name in filter(None, held):
            origin = toolbox.ROOT / name
            inside = Path(name).relative_to(source) if (toolbox.ROOT / source).is_dir() else None
            place = goal / (inside or origin.name) if inside or into else goal
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(origin, place)

    def _run(self, value):
        done = subprocess.run(
            ["/bin/sh", "-ec", self.here(value)],
            cwd=self.at, env=self.env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"RUN {value}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
