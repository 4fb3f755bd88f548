"""What the guide tells people to set can be set: TOML, variables, extras, targets of make."""

import re
import textwrap
import tomllib
from functools import partial
from pathlib import Path
from typing import get_origin

import pytest

from stream_deid import config
from stream_deid.config import declare
from stream_deid.config.environment import NOT_SETTINGS
from stream_deid.detect.neural import ensemble
from stream_deid.formats import FORMATS
from stream_deid.formats.hl7.maps import interfaces
from stream_deid.formats.json import site_map
from stream_deid.surrogate.policy import Policy

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
TEXTS = {page.name: page.read_text("utf-8") for page in PAGES}
FENCE = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
SECTIONS = {one.path.partition(".")[0] for one in declare.declared(config.Settings)}
WHOLE = 'note_id = "/id"\npatient_id = "/patient"\ntexts = ["/text"]\n'
"""What a block that shows a part of a map leaves out."""


def blocks():
    """Every block that is TOML, with its page."""
    for name, text in TEXTS.items():
        for block in map(textwrap.dedent, FENCE.findall(text)):
            if re.match(r"(?:#.*\n)*(?:\[[\w.]+\]|\w+ = )", block):
                yield name, block


SETTINGS = [b for b in blocks() if set(tomllib.loads(b[1])) <= SECTIONS]
ENSEMBLES = [b for b in blocks() if ".entities]" in b[1]]
MAPS = [b for b in blocks() if b not in SETTINGS + ENSEMBLES]


@pytest.mark.parametrize("block", [pytest.param(block, id=page) for page, block in ENSEMBLES])
def test_an_ensemble_that_the_guide_shows_is_one(block):
    (made,) = ensemble.described(block).values()
    assert made.models == ("bert_en_names", "bert_en_locations")
    assert [one.normalised for one in made.versions] == [False, True, False]


@pytest.mark.parametrize(("page", "block"), MAPS, ids=lambda text: text[:24])
def test_a_map_that_the_guide_shows_is_one(page, block):
    if page == "interfaces.md":
        assert interfaces.read({"a site's": block}, interfaces.Interface())
    else:
        text = block if "keep =" in block else WHOLE + block
        assert site_map.read({"a site's": text})


@pytest.mark.parametrize("block", [pytest.param(block, id=page) for page, block in SETTINGS])
def test_settings_that_the_guide_shows_are_taken(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings_file = tmp_path / "settings.toml"
    settings_file.write_text(block)
    for kind in ("json_maps", "hl7_maps"):
        for name in tomllib.loads(block).get("formats", {}).get(kind, ()):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            own = f'{WHOLE}\n[match]\n"/map" = "{name}"' if kind == "json_maps" else ""
            (tmp_path / name).write_text(own or f"[match]\napplication = '{name}'")
    if file := tomllib.loads(block).get("profile_file"):
        (tmp_path / file).write_text(dict(ENSEMBLES)["models.md"])
    found = config.examine(settings_file, {})
    assert found.problems == []
    Policy.named(found.settings.policy.name, found.settings.policy.overrides)
    for name in found.settings.formats.accept:
        FORMATS[name](found.settings.formats)


def test_there_are_blocks_to_test():
    assert len(SETTINGS) > 10
    assert {page for page, _ in MAPS} == {"interfaces.md", "json.md"}


def is_variable(name):
    """Whether it sets a setting, or an entry of one that is a table."""
    tables = [one for one in declare.declared(config.Settings) if get_origin(one.hint) is dict]
    plain = {one.environment for one in declare.declared(config.Settings)}
    return name in plain | NOT_SETTINGS.keys() or name.startswith(
        tuple(f"{one.environment}__" for one in tables)
    )


@pytest.mark.parametrize("page", TEXTS)
def test_every_variable_that_is_named_is_read(page):
    named = set(re.findall(r"\bSTREAM_DEID_[A-Z0-9_]*[A-Z0-9](?:\.[A-Z.]+[A-Z])?", TEXTS[page]))
    assert {name for name in named if not is_variable(name)} == set()


def test_every_extra_that_is_named_is_one():
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for text in TEXTS.values():
        for extras in re.findall(r"(?:stream-deid|\.whl\)|-e '\.)\[([\w,]+)\]", text):
            assert set(extras.split(",")) <= known["optional-dependencies"].keys()


def test_every_target_of_make_that_is_named_is_one():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = partial(re.findall, r"(?:^|`)make ([a-z][a-z-]*)", flags=re.MULTILINE)
    found = {target for text in TEXTS.values() for target in named(text)}
    assert "demo" in found
    assert found <= targets
