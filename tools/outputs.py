"""What a change of code changes in what goes out, message by message, over the development notes.

    python tools/outputs.py 80c295d                  # patterns alone, against a commit
    python tools/outputs.py 80c295d --at 38ef85b     # one commit against another
    python tools/outputs.py 80c295d --models --show  # through `stream-deid file` with its models

Whole and noisy notes, statements and twins of `corpora/dev`, and messages of the synthetic feed, go
through both codes with one key; the messages are made once, by this checkout. Patterns alone: under
every policy. With models: those of this checkout for both, the policy that is the default, notes
and feed. Equal is equal byte for byte, clean message and audit, but for the name of the release.
It says how many are not, `--show` which lines. The status is 1 where any is not.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from stream_deid.rig.synthetic.feed import feed
from stream_deid.training.data import corpora

ROOT = Path(__file__).parents[1]
DEV = ROOT / "corpora" / "dev"
KEY = "outputs before and after a change"
FEED = 80
_RELEASE = re.compile(r"\b\d+\.\d+\.\d+\+[0-9a-f]{12}\b")
_OF = Path(__file__).with_name("outputs_of.py")

Message = dict[str, str]
"""`kind` (for people), `form`, `raw`."""
Made = list[str]
"""The policy (or `served`), the clean message and its audit; of a reject its code and detail."""


def notes() -> Iterator[tuple[str, str, str]]:
    """Every text of the development set: (kind, language, text)."""
    for language in ("en", "es"):
        for one in corpora.jsonl(DEV / f"{language}_dev.jsonl", language):
            yield "note", language, one.text
        for path in sorted((DEV / "noisy" / language).glob("*.txt")):
            for one in corpora.marked(path, language):
                yield "note", language, one.text
    for path in sorted((DEV / "harm").glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            language, _, text = line.split("|", 2)
            yield path.stem, language, corpora.unmark(text)[0]


def messages() -> Iterator[Message]:
    """All that is processed."""
    for number, (kind, language, text) in enumerate(notes(), 1):
        note = {"note_id": f"n{number}", "patient_id": f"p{number}", "language": language}
        yield {"kind": kind, "form": "json", "raw": json.dumps(note | {"text": text})}
    for one in feed(FEED):
        yield {"kind": "feed", "form": one.format, "raw": one.value.decode()}


def code(commit: str, folder: Path) -> Path:
    """The package of a commit of this repository, unpacked in `folder`."""
    packed = folder / "code.tar"
    command = ("git", "-C", str(ROOT), "archive", "-o", str(packed), commit, "stream_deid")
    subprocess.run(command, check=True)  # noqa: S603
    subprocess.run(("tar", "-xf", str(packed), "-C", str(folder)), check=True)  # noqa: S603, S607
    return folder


def ran(where: Path, program: str, arguments: Sequence[str], given: str = "") -> str:
    """What a program says that runs on the package in `where`."""
    first = f"import sys; sys.path.insert(0, {str(where)!r})"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", f"{first}; {program}", *arguments],
        input=given, stdout=subprocess.PIPE, text=True, check=False, cwd=where,
        env=os.environ | {"STREAM_DEID_KEYS__VALUE": KEY},
    )  # fmt: skip
    if done.returncode not in (0, 3):
        sys.exit(f"the code in {where} ended with {done.returncode}")
    return done.stdout


def alone(where: Path, inputs: Sequence[Message]) -> list[Made]:
    """What the package in `where` makes of each message under each policy, patterns alone."""
    given = "".join(json.dumps(one) + "\n" for one in inputs)
    run = f"import runpy; runpy.run_path({str(_OF)!r}, run_name='__main__')"
    return [json.loads(line) for line in ran(where, run, [KEY], given).splitlines()]


def served(where: Path, inputs: Sequence[Message]) -> list[Made]:
    """What `stream-deid file` of the package in `where` makes of notes and feed, with models."""
    made = []
    for form in ("json", "hl7v2"):
        some = [one for one in inputs if one["form"] == form and one["kind"] in ("note", "feed")]
        with tempfile.TemporaryDirectory() as folder:
            made += _file(where, Path(folder), form, [one["raw"] for one in some])
    return made


def _file(where: Path, folder: Path, form: str, raw: list[str]) -> list[Made]:
    end = "\n" if form == "json" else ""
    (folder / "in").write_text("".join(one + end for one in raw), newline="")
    (folder / "settings.toml").write_text(f'[triton]\nrepository = "{ROOT / "triton_models"}"\n')
    run = "from stream_deid.cli import main; sys.exit(main())"
    paths = [f"--{name}={folder / name}" for name in ("out", "audit", "dead")]
    ran(where, run, [
        f"--config={folder / 'settings.toml'}", "file", str(folder / "in"), *paths,
        "--format", form, "--quiet",
    ])  # fmt: skip
    out = (folder / "out").read_bytes().decode()
    clean = out.splitlines() if form == "json" else [f"MSH{one}" for one in out.split("MSH")[1:]]
    trail = (folder / "audit").read_text("utf-8").splitlines()
    return [["served", *_unnamed(*both)] for both in zip(clean, trail, strict=True)]


def _unnamed(*texts: str) -> list[str]:
    return [_RELEASE.sub("release", text) for text in texts]


def changed(before: str, after: str) -> list[str]:
    """The keys of an audit whose values differ, those of `coverage` by their own."""
    try:
        one, other = json.loads(before), json.loads(after)
    except ValueError:
        return [] if before == after else ["reject"]
    for audit in (one, other):
        for key, value in audit.pop("coverage", {}).items():
            audit[f"coverage.{key}"] = value
    return sorted(key for key in {*one, *other} if one.get(key) != other.get(key))


def lines(before: str, after: str) -> Iterator[str]:
    """The lines of a clean message that changed, `-` as they were and `+` as they are."""
    old, new = (_text(message).splitlines() for message in (before, after))
    for line in difflib.unified_diff(old, new, n=0, lineterm=""):
        if line[0] in "+-" and line[:3] not in ("---", "+++"):
            yield line


def _text(message: str) -> str:
    try:
        return str(json.loads(message)["text"])
    except (ValueError, KeyError):
        return message


def main() -> int:
    """Compare, and tell."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commit", help="the code before")
    parser.add_argument("--at", metavar="COMMIT", help="the code after (default: this checkout)")
    parser.add_argument("--models", action="store_true", help="with this checkout's models")
    parser.add_argument("--show", action="store_true", help="the lines that changed")
    options = parser.parse_args()
    inputs = list(messages())
    make = served if options.models else alone
    with tempfile.TemporaryDirectory() as before, tempfile.TemporaryDirectory() as after:
        old = make(code(options.commit, Path(before)), inputs)
        new = make(code(options.at, Path(after)) if options.at else ROOT, inputs)
    if len(old) != len(new):
        sys.exit(f"{len(old)} messages came out before, {len(new)} after")
    texts: Counter[str] = Counter()
    audits: Counter[str] = Counter()
    for number, (one, other) in enumerate(zip(old, new, strict=True)):
        texts[one[0]] += one[1] != other[1]
        audits.update(changed(one[2], other[2]))
        if options.show:
            for line in lines(one[1], other[1]):
                print(f"{one[0]} {number} {line}")
    print(f"{len(old)} outputs")
    print(f"clean messages that changed: {dict(texts)}")
    print(f"keys of audits that changed: {dict(audits)}")
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
