"""Recipes: one TOML file describes one run, data and numbers alike; unknown keys are errors.

A recipe that `extends` another one (by its name: beside it, or one that is shipped) says only what
differs.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from stream_deid import config
from stream_deid.errors import Halt
from stream_deid.training.data import corpora
from stream_deid.training.data.corpora import PROJECT, AnnotatedNote

SHIPPED = Path(__file__).resolve().parent / "recipes"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Data:
    """Corpora of a run, as `corpora.load` reads them; `corpora/...` lies in the project.

    `dev` are scored during and after training, each on its own. `share` of the training notes is
    trained on (`part`), for curves over the size of the training set; `held` of them is held back
    for early stopping.
    """

    train: tuple[str, ...]
    dev: tuple[str, ...] = ()
    share: float = 1.0
    held: float = 0.0


def find(recipe: str | Path) -> Path:
    """The file of a recipe: a path, or the name of one that is shipped."""
    for path in (Path(recipe), SHIPPED / f"{recipe}.toml"):
        if path.is_file():
            return path
    raise Halt("recipe.missing", f"no recipe {recipe}")


def read(path: Path) -> dict[str, Any]:
    """The parsed recipe over the ones that it extends; raises `Halt` where one is no TOML, or none
    names a system.
    """
    parsed = _parse(path)
    at = path
    while base := parsed.pop("extends", ""):
        beside = at.with_name(f"{base}.toml")
        at = beside if beside.is_file() else SHIPPED / f"{base}.toml"
        parsed = _over(_parse(at), parsed)
    if "system" not in parsed:
        raise Halt("recipe.system", f"{path.name} names no system")
    return parsed


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:  # not TOML, or not UTF-8
        raise Halt("recipe.toml", f"{path}: {error}") from None


def _over(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """`base` with what `own` says instead, table by table."""
    tables = {k: base[k] | v for k, v in own.items() if isinstance(v, dict) and k in base}
    return base | own | tables


def settings(kind: type[T], table: dict[str, Any], where: str) -> T:
    """`table` as a dataclass `kind`; lists become tuples, unknown keys raise `Halt`."""
    known = {f.name for f in fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(set(table) - known):
        raise Halt("recipe.key", f"{where}: unknown {', '.join(unknown)}")
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in table.items()})


def needs_data(table: dict[str, Any]) -> bool:
    """Whether a recipe needs more than the corpora of the project: trunks, lists, others' notes."""
    data = table.get("data", {})
    sources = [one for key in ("train", "dev", "notes", "pairs") for one in data.get(key, ())]
    own = table["system"] in ("crf", "pairs")
    return not own or not all(":corpora/" in source for source in sources)


def data_folder() -> Path | None:
    """The folder of the training data, where the environment names one."""
    try:
        return config.data_dir()
    except Halt:
        return None


def load(source: str, data: Path, beside: Collection[str] = ()) -> list[AnnotatedNote]:
    """The notes of one source: of the project (`corpora/`), of `data`, or from where we are.

    `beside`: marks that are no types, as `corpora.load` has it.

    Raises `Halt("recipe.data")` where it is missing.
    """
    where = source.rsplit(":", 1)[-1]
    if where.startswith("corpora/"):
        return corpora.load(source, PROJECT, beside)
    return corpora.load(source, data if (data / where).exists() else Path(), beside)


def load_all(
    sources: tuple[str, ...], data: Path, beside: Collection[str] = ()
) -> list[AnnotatedNote]:
    """The notes of all sources in order."""
    return [note for source in sources for note in load(source, data, beside)]


def train_notes(sources: Data, data: Path) -> list[AnnotatedNote]:
    """What a run trains on."""
    return part(load_all(sources.train, data), sources.share)


def part(notes: Sequence[AnnotatedNote], share: float) -> list[AnnotatedNote]:
    """The first `share` of the notes by a hash of their ids, in the order that they came in.

    Smaller parts lie in larger ones. Raises `Halt("recipe.share")` where it leaves nothing.
    """
    if not 0 < share <= 1 or not (count := round(share * len(notes))):
        raise Halt("recipe.share", "share is more than 0, at most 1, and leaves a note")
    ranked = sorted(range(len(notes)), key=lambda i: _rank(notes[i].id))
    return [notes[i] for i in sorted(ranked[:count])]


def _rank(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()
