"""What a release consists of: the pure pipeline of settings, key and models, and its name."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import orjson

from stream_deid import __version__, config, provenance
from stream_deid.detect.examination import Language
from stream_deid.detect.fast import paths as fast_paths
from stream_deid.detect.neural import ensemble, feature_crf
from stream_deid.detect.neural.ensemble import Ensemble
from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.errors import Halt
from stream_deid.pipeline import Pipeline
from stream_deid.serving import manifest
from stream_deid.serving.manifest import Manifest
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy


def check(settings: config.Settings) -> bytes:
    """The key, once it and the models are known to be there: told before anything is waited for.

    Raises `Halt` (`key...`, `manifest...`, `models.language`, `profile...`).
    """
    key = config.read_key(settings.keys)
    there = manifest.needed(settings.triton.repository, settings.model_names, hashes=False)
    _check_languages(settings, there)
    of_profile(settings)
    return key


def assemble(settings: config.Settings, key: bytes, manifests: Mapping[str, Manifest]) -> Pipeline:
    """The pure pipeline of these settings; `release` names everything that decides its output.

    Raises `Halt`: `models.language`, `profile...`.
    """
    policy = Policy.named(settings.policy.name, settings.policy.overrides)
    lists = compiled_lists(settings)
    specs = {name: manifest.model_spec(item) for name, item in manifests.items()}
    _check_languages(settings, manifests)
    ensembles = of_profile(settings)
    setups = {
        code: _language(settings, code, specs, ensembles.get(code), lists)
        for code in settings.models
    }
    return Pipeline(
        languages=setups,
        surrogates=Surrogates(policy, key, settings.keys.epoch, settings.keys.tenant),
        release=release_name(settings, manifests, lists),
    )


def of_profile(settings: config.Settings) -> dict[str, Ensemble]:
    """The ensembles of the profile by language. Raises `Halt("profile...")`."""
    models = {code: settings.served(code) for code in settings.models}
    return ensemble.chosen(settings.profile, models, settings.profile_text)


def check_language(settings: config.Settings, code: str) -> None:
    """Read what the models of one language tell of themselves, and put them together for nothing.

    Raises `Halt`: `manifest...`, `models.language`, `model...`, `pool...`, `profile...`.
    """
    one = replace(settings, models={code: settings.models[code]})
    manifests = manifest.needed(settings.triton.repository, one.model_names, hashes=False)
    _check_languages(one, manifests)
    specs = {name: manifest.model_spec(item) for name, item in manifests.items()}
    _language(settings, code, specs, of_profile(settings).get(code), compiled_lists(settings))


def _language(
    settings: config.Settings,
    code: str,
    specs: Mapping[str, ModelSpec],
    entities: Ensemble | None,
    lists: Mapping[str, str] | None,
) -> Language:
    models = tuple(specs[name] for name in settings.served(code))
    own = entities.fast_paths if entities else fast_paths.OFF
    choice = own if settings.fast_paths == fast_paths.AUTO else settings.fast_paths
    return Language(
        detectors=(Patterns(code), KnownIdentifiers()),
        models=entities.prepared(models) if entities else models,
        pooled=settings.voting == "mean",
        fast=fast_paths.chosen(choice, code, lists),
        ensemble=entities,
        readers=_in_process(code, settings.models[code]),
    )


def _check_languages(settings: config.Settings, manifests: Mapping[str, Manifest]) -> None:
    """Raises `Halt("models.language")` where a model isn't trained for its language."""
    for language in settings.models:
        for name in settings.served(language):
            if language not in manifests[name].languages:
                raise Halt(
                    "models.language",
                    f"models.{language}: {name} is for {', '.join(manifests[name].languages)}",
                )


def _in_process(language: str, names: Sequence[str]) -> tuple[feature_crf.FeatureCrf, ...]:
    return (feature_crf.shipped(language),) if config.IN_PROCESS in names else ()


def compiled_lists(settings: config.Settings) -> dict[str, str] | None:
    """The files of `fast_lists` by name; None where those that are shipped serve.

    Raises `Halt("fast.missing")` where the folder has none that can be read.
    """
    used = of_profile(settings) if settings.fast_paths == fast_paths.AUTO else settings.fast_paths
    if used in ({}, fast_paths.OFF) or not settings.fast_lists:
        return None
    found = sorted(Path(settings.fast_lists).glob("*_*.txt"))
    if not found:
        raise Halt("fast.missing", "fast_lists names no folder of compiled lists")
    try:
        return {path.name: path.read_text("utf-8-sig") for path in found}
    except (OSError, UnicodeDecodeError) as error:
        raise Halt("fast.missing", f"fast_lists can't be read: {error}") from None


def release_name(
    settings: config.Settings,
    manifests: Mapping[str, Manifest],
    lists: Mapping[str, str] | None = None,
) -> str:
    """`version+hash`; the hash changes with code, models, lists, policy, formats and key epoch."""
    decides = {
        "code": provenance.code(),
        "models": {language: list(names) for language, names in settings.models.items()},
        "voting": settings.voting,
        "profile": [settings.profile, settings.profile_text],
        "fast_paths": settings.fast_paths,
        "fast_lists": dict(lists or {}),
        "manifests": {name: item.digest for name, item in manifests.items()},
        "policy": asdict(settings.policy),
        "formats": asdict(settings.formats),
        "records": settings.kafka.topic_records,
        "hl7_maps": list(settings.formats.hl7_map_texts.values()),
        "json_maps": list(settings.formats.json_map_texts.values()),
        "epoch": settings.keys.epoch,
        "tenant": settings.keys.tenant,
    }
    digest = hashlib.sha256(orjson.dumps(decides, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return f"{__version__}+{digest[:12]}"
