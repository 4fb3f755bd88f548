"""Models by entity, several versions of each, one vote enough (nference 2021, figure 2).

An entity model is a share of the rows of a served model: the labels of its entity, and the
probability of everything else as its "O"; or a head of its own on the served model's trunk. So a
version of every entity model costs one pass through one model. Where versions disagree on a type,
`settle.fusion.voting` decides by the paper's order.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from stream_deid.detect.fast.paths import CHOICES, OFF
from stream_deid.detect.neural.decoding import (
    Opinion,
    Reading,
    Scores,
    detections,
    joint_opinion,
    log_scores,
    opinion_of,
)
from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.errors import Halt
from stream_deid.labels import label_type
from stream_deid.note import Detection, Hearing
from stream_deid.text.bio import tag_names

NO_PROFILE = "default"
"""What `profile` is where models are read as they are."""

EntityLabels = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the models of some entities: the rows of `model` for each of them, or where
    `heads` is set its heads `ENTITY-HEADS`.

    `o_bias` is taken from the log-odds of "O". `normalised`: it reads words in capitals with a
    capital first letter alone.
    """

    model: str
    o_bias: float
    entities: EntityLabels
    normalised: bool = False
    heads: str = ""

    def decode(self, text: str, reading: Reading) -> list[Detection]:
        """What each entity model finds in one part, one after the other."""
        said = self._said(reading)
        shares = [self._share(*one, entity) for entity, one in said.items() if one is not None]
        return [found for one in shares for found in detections(text, one, one.model.detector)]

    def lacking(self, model: ModelSpec) -> list[str]:
        """The entities that its model has no label of, or no head of their own."""
        if bool(model.heads) != bool(self.heads):
            return list(self.entities)
        return [
            entity
            for entity, labels in self.entities.items()
            for known in [model.heads.get(self._head(entity), ()) if self.heads else model.labels]
            if not any(f"B-{label}" in known for label in labels)
        ]

    def _head(self, entity: str) -> str:
        return f"{entity}-{self.heads}"

    def _said(self, reading: Reading) -> dict[str, tuple[Opinion, Scores] | None]:
        """What was said for each entity, and its log-probabilities."""
        if not self.heads:
            return dict.fromkeys(self.entities, self._heard(reading))
        parts = reading.by_head()
        return {entity: self._heard(parts[self._head(entity)]) for entity in self.entities}

    def _heard(self, reading: Reading) -> tuple[Opinion, Scores] | None:
        opinion = _normalised(reading) if self.normalised else joint_opinion([reading])
        return None if opinion is None else (opinion, log_scores(opinion))

    def _share(self, opinion: Opinion, logs: Scores, entity: str) -> Opinion:
        """The rows of one entity; "O" is as likely as all other tags together."""
        known = opinion.model.labels
        tags = tag_names(one for one in self.entities[entity] if f"B-{one}" in known)
        own = [known.index(tag) for tag in tags[1:]]
        others = np.delete(logs, own, axis=1)
        scores = np.column_stack([np.logaddexp.reduce(others, axis=1), logs[:, own]])
        name = self._head(entity) if self.heads else entity + ".normalised" * self.normalised
        spec = replace(
            opinion.model, name=f"{self.model}.{name}", labels=tags, o_bias=self.o_bias,
            type_bias={}, crf=None, stacking=None,
        )  # fmt: skip
        return replace(opinion, model=spec, scores=scores.astype(np.float32))


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The entity models of one language; `fast_paths`: the fast paths that belong to it."""

    versions: tuple[Version, ...]
    fast_paths: str = field(default="off", kw_only=True)

    @property
    def models(self) -> tuple[str, ...]:
        """The served models that its versions are made of, each once, in order."""
        return tuple(dict.fromkeys(version.model for version in self.versions))

    def decode(self, text: str, readings: Sequence[Reading]) -> list[Detection]:
        """What any version of any entity model finds in one part. Raises as `stitch` does."""
        said = {reading.model.name: reading for reading in readings}
        return [
            found
            for version in self.versions
            for found in version.decode(text, said[version.model])
        ]

    def prepared(self, models: Sequence[ModelSpec]) -> tuple[ModelSpec, ...]:
        """The models as they must read for it.

        Raises `Halt`: `profile.models` where these are not its models, `profile.labels` where one
        has no label of an entity.
        """
        names = [model.name for model in models]
        if sorted(names) != sorted(self.models):
            raise Halt("profile.models", f"it is made of {_told(self.models)}, not {_told(names)}")
        for model in models:
            mine = [version for version in self.versions if version.model == model.name]
            if lacking := [entity for one in mine for entity in one.lacking(model)]:
                raise Halt("profile.labels", f"{model.name} has no label of {lacking[0]}")
        again = {version.model for version in self.versions if version.normalised}
        return tuple(replace(model, normalised=model.name in again) for model in models)


def chosen(
    profile: str, models: Mapping[str, Sequence[str]], own: str | None = None
) -> dict[str, Ensemble]:
    """The ensembles of a profile by language, of the languages whose served `models` are given.

    `own`: the text of a file that describes them, in place of the one that is shipped. Raises
    `Halt`: `profile.language` where it has an ensemble for none of them, `profile.models` where a
    language is served by other models than its ensemble is made of, and as `described` does.
    """
    if profile == NO_PROFILE:
        return {}
    known = shipped(profile) if own is None else described(own)
    found = {code: known[code] for code in models if code in known}
    if not found:
        raise Halt("profile.language", f"{profile} is for {_told(known)}; [models] has none of it")
    for code, ensemble in found.items():
        if sorted(models[code]) != sorted(ensemble.models):
            told = f"{profile} is made of {_told(ensemble.models)}; models.{code} must be these"
            raise Halt("profile.models", told)
    return found


@cache
def shipped(profile: str) -> Mapping[str, Ensemble]:
    """The ensembles of a profile by language."""
    return described(files(__package__).joinpath("data", f"{profile}.toml").read_text("utf-8"))


def described(source: str) -> dict[str, Ensemble]:
    """The ensembles by language that a TOML text in the form of `data/nference.toml` describes.

    Raises `Halt("profile.file")` where it is none, or names what isn't there.
    """
    try:
        return {code: _ensemble(table) for code, table in tomllib.loads(source).items()}
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        what = f"no {error}" if isinstance(error, LookupError) else str(error)
        raise Halt("profile.file", f"no description of an ensemble: {what}") from None


def _ensemble(table: Mapping[str, Any]) -> Ensemble:
    labels = {name: _labels(of) for name, of in table["entities"].items()}
    versions = [_version(one, labels) for one in table["versions"]]
    if not versions:
        raise ValueError("it has no versions")
    if (fast := table.get("fast_paths", OFF)) not in CHOICES:
        raise ValueError(f"fast_paths is one of {_told(CHOICES)}")
    return Ensemble(tuple(versions), fast_paths=fast)


def _labels(of: Sequence[str]) -> tuple[str, ...]:
    for label in of:
        label_type(label)
    return tuple(of)


def _version(one: Mapping[str, Any], labels: EntityLabels) -> Version:
    if unknown := sorted(set(one) - {"model", "o_bias", "entities", "normalised", "heads"}):
        raise ValueError(f"a version has no {_told(unknown)}")
    entities = {name: labels[name] for name in one.get("entities", labels)}
    normalised = bool(one.get("normalised", False))
    return Version(
        str(one["model"]), float(one["o_bias"]), entities,
        normalised=normalised, heads=str(one.get("heads", "")),
    )  # fmt: skip


def _normalised(reading: Reading) -> Opinion | None:
    heard = reading.heard(Hearing.NORMALISED)
    return opinion_of(heard) if heard.windows else None


def _told(names: Sequence[str] | Mapping[str, Any]) -> str:
    return ", ".join(names)
