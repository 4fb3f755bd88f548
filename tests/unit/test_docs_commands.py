"""What the guide tells people to type is what the program takes; links and names lead somewhere."""

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from stream_deid import cli
from stream_deid.operations.reference import commands

ROOT = Path(__file__).parents[2]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [*DOCS, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
LEAVES = {name: parser for name, _, parser in commands.leaves(cli._parser(), "stream-deid")}
_FENCE = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_SCRIPT = re.compile(r"\b((?:bench|tools)/\w+\.py)([^#]*)")
_GAP = re.compile(r"(\.\.\.|…)$")


def lines(text):
    """The lines of fenced blocks, those that end in a backslash joined with the next."""
    for block in _FENCE.findall(text):
        yield from block.replace("\\\n", " ").splitlines()


def arguments(line):
    """What stands behind `stream-deid` in a line of a shell; None where it does not stand."""
    bare = line.strip().removeprefix("$ ").split(" && ")[0]
    try:
        words = shlex.split(bare, comments=True)
    except ValueError:
        return None
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    if not words or Path(words[0]).name != "stream-deid":
        return None
    end = next((i for i, word in enumerate(words) if word in ("|", ">", "<", ";", "&")), len(words))
    return words[1:end]


def parsed(words):
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            return cli._parser().parse_args(words), ""
        except SystemExit:
            return None, said.getvalue()


def examples():
    for page in PAGES:
        for line in lines(page.read_text(encoding="utf-8")):
            for one in line.split(" && "):
                if (words := arguments(one)) is not None:
                    yield pytest.param(words, id=f"{page.stem}: {' '.join(words)[:60]}")


@pytest.mark.parametrize("words", list(examples()))
def test_a_line_of_a_block_is_a_command_that_the_program_takes(words):
    words = [w for w in words if not _GAP.search(w)] if _GAP.search(words[-1]) else words
    namespace, said = parsed(words)
    assert namespace is not None, said
    assert callable(namespace.run)


def inline():
    for page in PAGES:
        text = _FENCE.sub("", page.read_text(encoding="utf-8"))
        for said in _INLINE.findall(text):
            words = arguments(said.replace("…", "..."))
            if words:
                yield pytest.param(words, id=f"{page.stem}: {' '.join(words)[:60]}")


@pytest.mark.parametrize("words", list(inline()))
def test_a_command_in_a_sentence_exists_with_its_options(words):
    """It may lack arguments, or name several commands (`build | check`)."""
    while words[:1] == ["--config"]:
        words = words[2:]
    if not words or words == ["--version"]:
        return
    names = [n for n in LEAVES if n.split()[1] == words[0]]
    assert names, words
    if len(words) > 1 and f"stream-deid {words[0]} {words[1]}" in LEAVES:
        names = [f"stream-deid {words[0]} {words[1]}"]
    options = {o for n in names for a in LEAVES[n]._actions for o in a.option_strings}
    for word in words:
        if word.startswith("--"):
            assert word.partition("=")[0] in options, word


def test_there_are_commands_to_test():
    assert len(list(examples())) > 40
    assert len(list(inline())) > 60


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("STREAM_DEID_X=1 .venv/bin/stream-deid config show | less", ["config", "show"]),
        ("$ stream-deid keygen > key   # a comment", ["keygen"]),
        ("docker build .", None),
        ("it's", None),
    ],
)
def test_commands_are_cut_out_of_lines(line, words):
    assert arguments(line) == words


def test_a_command_that_does_not_exist_is_seen():
    assert parsed(["replay", "--form", "2026-01-01"])[0] is None


def test_a_name_of_a_replay_stands_for_one_order():
    orders = {}
    for page, one in said():
        words = arguments(one.split(" && ")[-1]) or []
        if "replay" in words and "--id" in words:
            order = vars(parsed(words)[0])
            kept = {k: str(v) for k, v in order.items() if k not in ("dry_run", "share", "config")}
            orders.setdefault(order["id"], {})[str(sorted(kept.items()))] = f"{page}: {one}"
    assert len(orders) > 5
    assert all(len(each) == 1 for each in orders.values()), orders


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    bare = _FENCE.sub("", text)
    heads = re.findall(r"^#+ (.+)$", bare, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_pages_and_headings(page):
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path) if path else page
        assert other.exists(), target
        if anchor:
            assert anchor in anchors(other.read_text(encoding="utf-8")), target


def said():
    """Page and text of each line of a block and each piece of code in a sentence."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for one in [*lines(text), *_INLINE.findall(_FENCE.sub("", text))]:
            yield page.name, one.strip().removeprefix("$ ")


def test_targets_of_make_are_there():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = [(page, one.split("#")[0].split()[1:]) for page, one in said() if one[:5] == "make "]
    assert len(named) > 10
    for page, words in named:
        assert {word for word in words if "=" not in word} <= targets, f"{page}: make {words}"


def test_scripts_are_there():
    named = [(page, *found) for page, one in said() for found in _SCRIPT.findall(one)]
    assert len(named) > 15
    for page, script, _ in named:
        assert (ROOT / script).exists(), f"{page}: {script}"


def asked():
    """The options with which pages name each script."""
    found = {}
    for _, one in said():
        for script, words in _SCRIPT.findall(one):
            if options := re.findall(r"--[\w-]+", words):
                found.setdefault(script, set()).update(options)
    return found


@pytest.mark.parametrize("script", sorted(asked()))
def test_a_script_says_that_it_takes_the_options_of_the_guide(script):
    help_ = subprocess.run(
        [sys.executable, script, "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert asked()[script] <= set(re.findall(r"--[\w-]+", help_.stdout))


def test_options_of_scripts_are_asked_for():
    assert asked()["bench/day.py"] >= {"--rate", "--keep"}


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in DOCS:
        assert page.name == "README.md" or f"({page.name})" in index


def test_every_alert_is_in_the_guide_and_no_other():
    rules = yaml.safe_load((ROOT / "deploy/k8s/components/prometheus/alerts.yaml").read_text())
    alerts = {r["alert"] for g in rules["groups"] for r in g["rules"] if "alert" in r}
    operations = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    table = operations[operations.index("## Alerts") : operations.index("## Disaster recovery")]
    assert set(re.findall(r"^\| \[(StreamDeid\w+)\]", table, re.MULTILINE)) == alerts
