"""The commands that README, CONTRIBUTING and docs print: of blocks, and whole ones of sentences.

What stands for a reader's own word is written in capitals (`GOLD`, `RECIPE`); a command with one is
looked at by `tests/unit/test_docs_commands.py` alone. So is a name without its arguments.
"""

import contextlib
import io
import re
import shlex
from pathlib import Path

import toolbox

from stream_deid import cli

PAGES = [*sorted((toolbox.ROOT / "docs").glob("*.md")), *toolbox.ROOT.glob("*.md")]
NOT_TYPED = {"reference", "models-history", "CHANGELOG"}
"""Made from the code, and histories."""
BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
OWN = re.compile(r"(\w+=)?[A-Z]{3,}|\.\.\.")
PROGRAMS = re.compile(r"(\S*/)?(stream-deid|kafka-[\w-]+\.sh)$")
SHELL = re.compile(r"^(\w+=\S+ )*(\S*/)?(kubectl|docker|make|pip|python3?|stream-deid|kafka-\S+) ")

ELSEWHERE = {
    "kubectl": "tests/deploy/test_guide_kubectl.py",
    "docker": "tests/deploy/test_guide.py",
    "make": "tests/unit/test_docs_commands.py",
    "pip": "tests/deploy/test_wheel.py",
    "python": "tests/unit/test_docs_commands.py",
    "python3": "tests/deploy/test_wheel.py",
    "kafka-dump-log.sh": "tests/e2e/test_streaming_corrupt.py",
    "stream-deid chaos": "tests/e2e/test_chaos_run.py",
    "stream-deid demo": "tests/e2e/test_whole_stream.py",
    "stream-deid attack --out attack --transfer": "tests/training/test_attack_transfer.py",
    "stream-deid attack --score": "tests/unit/test_attack_report.py",
    "stream-deid train": "tests/training/test_recipes.py",
    "training stream-deid": "tests/training/test_recipes.py",
    "stream-deid models": "tests/serving/test_models_command.py",
}
"""What is tried by another test, since it takes minutes, packages, or a machine of its own."""


def lines_of(text):
    """Each line of a block, and each whole command of a sentence or a table."""
    for block in BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            yield from line.strip().split(" && ")
    for inline in INLINE.findall(BLOCK.sub("", text)):
        if whole(inline):
            yield inline


def whole(inline):
    """Whether what a sentence names can be typed as it stands."""
    words = shlex.split(inline) if PROGRAMS.match(inline.split()[0]) else []
    if len(words) < 2 or OWN.search(inline):
        return False
    return words[0].startswith("kafka-") or cli_takes(redirected(words[1:])[0])


def redirected(words):
    """The words of a command, and the files of its input and its output, or None."""
    files = {words[at]: words[at + 1] for at in range(len(words) - 1) if words[at] in "<>"}
    bare = [word for word in words if word not in "<>" and word not in files.values()]
    return bare if files else words, files.get("<"), files.get(">")


def cli_takes(words):
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            return callable(cli._parser().parse_args(words).run)
        except (SystemExit, AttributeError):
            return False


def elsewhere(words):
    """The test that tries such a command, or None."""
    line = f"{' '.join(words)} "
    return next((test for begin, test in ELSEWHERE.items() if line.startswith(f"{begin} ")), None)


def own(words):
    """Whether a reader's own word stands in a command."""
    return any(OWN.search(word) for word in words)


def split(line):
    """The words of a command without variables before it and its comment; [] for no command."""
    if not SHELL.match(f"{line} "):
        return []
    words = shlex.split(line, comments=True)
    while "=" in words[0]:
        words = words[1:]
    at_training = "training " if ".venv-training" in words[0] else ""
    return [at_training + Path(words[0]).name, *words[1:]]


def printed():
    """Page and words of each command, once."""
    found = {}
    for page in PAGES:
        if page.stem not in NOT_TYPED:
            for line in lines_of(page.read_text("utf-8")):
                if words := split(line):
                    found.setdefault(tuple(words), page.stem)
    return [(page, list(words)) for words, page in found.items()]


def to_run():
    """Those of our program and of Kafka that `test_guide_runs` types."""
    return [
        (page, words)
        for page, words in printed()
        if PROGRAMS.match(words[0]) and not elsewhere(words) and not own(words)
    ]
