"""What can be said of settings without asking anybody: policy, formats, security options, models.

`config.examine` knows types and bounds; what the settings mean is known where they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from stream_deid.assembly import check_language, compiled_lists, of_profile
from stream_deid.config import (
    IN_PROCESS,
    Examined,
    Formats,
    Keys,
    Problem,
    Settings,
    read_former_keys,
    read_key,
)
from stream_deid.config.checking import is_model
from stream_deid.config.declare import declared
from stream_deid.config.loading import DEFAULT
from stream_deid.config.named_files import unreadable
from stream_deid.config.problems import nearest
from stream_deid.errors import Halt
from stream_deid.formats import FORMATS
from stream_deid.operations import tls_files
from stream_deid.serving import manifest
from stream_deid.serving.service import AUTO
from stream_deid.streaming.kafka import security
from stream_deid.surrogate.policy import Policy

SECURITY = "kafka.security"
_OF_FORMATS = {
    "json.map": ("formats.json_maps", "docs/json.md says what a map may hold"),
    "hl7.map": ("formats.hl7_maps", "docs/interfaces.md says what a map may hold"),
    "fhir.rules": ("formats.fhir_rules", "docs/fhir.md has the rules"),
}


def all_problems(
    found: Examined, *, models: bool = True, files: bool = True, key: bool = False
) -> list[Problem]:
    """Every mistake of what was read, in form and in meaning, told at once. `models`, `files`:
    whether they are looked at; elsewhere than where it will run neither has to be there. `key`:
    whether none is a mistake; it is for a worker, and not for `file`.

    What stands at its default because its own value is wrong is not judged twice.
    """
    settings = found.draft
    wrong = {_setting(path) for path in found.wrong}
    meant = [
        *problems(settings, files=files, key=key),
        *(model_problems(settings) if models else ()),
    ]
    return found.problems + [
        replace(one, where=one.where or _origin(found, one.path))
        for one in dict.fromkeys(meant)
        if not any(_within(_setting(one.path), path) for path in wrong)
    ]


def _setting(path: str) -> str:
    """The setting that a path belongs to: `models` for `models.en`; itself where it is a section
    or no setting.
    """
    known = (one.path for one in declared(Settings))
    return next((one for one in known if _within(path, one)), path)


def _within(path: str, outer: str) -> bool:
    return path == outer or path.startswith(f"{outer}.")


def _origin(found: Examined, path: str) -> str:
    """Where it was set, or the first entry of the table that it is; nothing for a default, which
    nobody has to mend.
    """
    if (origin := found.origin(path)) != DEFAULT:
        return origin
    return next((one for inner, one in found.origins.items() if _within(inner, path)), "")


def model_problems(settings: Settings) -> Iterator[Problem]:
    """Mistakes in `[models]`, by what the repository says of each; no server is started.

    A server elsewhere has its own engines: they are looked for where it would run here.
    """
    repo = Path()  # nothing is read of it where no model is served
    try:
        if settings.model_names:
            repo = manifest.repository(settings.triton.repository)
    except Halt as error:
        if not settings.triton.repository:  # one that is named and isn't there is told as a file
            yield Problem(
                "triton.repository", f"triton.repository: {error.detail}", "docs/models.md"
            )
        return
    for code in settings.models:
        read, unfit = _read(settings, repo, code)
        yield from unfit
        names = list(dict.fromkeys(settings.models[code]))
        if read[:1] == settings.served(code)[:1]:  # what goes together goes by the first
            rest = tuple(name for name in names if name in read or name == IN_PROCESS)
            yield from _tried(
                f"models.{code}",
                "docs/models.md says what goes together",
                partial(check_language, replace(settings, models={code: rest}), code),
                apart=("profile", "fast"),
            )


def _read(settings: Settings, repo: Path, code: str) -> tuple[list[str], list[Problem]]:
    """The models of a language that can be put together, and what is wrong with any."""
    there, path = manifest.names(repo), f"models.{code}"
    read, unfit = [], []
    for name in dict.fromkeys(filter(is_model, settings.served(code))):
        if name not in there:
            ours = [one for one in there if one.endswith(f"_{code}")]
            meant = nearest(name, ours) or nearest(name, there)
            what = f"{path}: there is no model {name!r} in {repo}"
            known = f"there are {', '.join(there) or 'none'}"
            unfit.append(Problem(path, what, f"did you mean {meant!r}?" if meant else known))
            continue
        try:
            one = manifest.load(repo, name, hashes=False)
        except Halt as error:
            unfit.append(Problem(path, f"{path}: {error.detail}", f"docs/errors.md: {error.code}"))
            continue
        if code in one.languages:
            read.append(name)
        else:
            what = f"{path}: {name} is for {', '.join(one.languages)}"
            unfit.append(Problem(path, what, "docs/models.md says what goes together"))
        engine = one.directory / one.engine.file
        if settings.triton.url == AUTO and not engine.is_file():
            what = f"{path}: {name} has no engine: {engine} is not there"
            unfit.append(Problem(path, what, "`stream-deid models build` makes it"))
    return read, unfit


def problems(settings: Settings, *, files: bool = True, key: bool = False) -> Iterator[Problem]:
    """Mistakes in the meaning of settings, each with its remedy. `files`: files that aren't there
    are mistakes; what stands in those that are is looked at either way. `key`: that there is none
    is one, too.
    """
    missing = list(unreadable(settings))
    gone = {problem.path for problem in missing}
    yield from missing if files else ()
    policy = settings.policy
    yield from _tried(
        "policy",
        "docs/policies.md has the names",
        lambda: Policy.named(policy.name, policy.overrides),
    )
    if "profile_file" not in gone:
        yield from _tried(
            "profile",
            "docs/models.md says which models it reads",
            lambda: of_profile(settings),
        )
    if not gone & {"fast_lists", "profile_file"}:
        yield from _tried(
            "fast_lists",
            "docs/fast-paths.md says what it holds",
            lambda: compiled_lists(settings),
            apart=("profile",),
        )
    yield from _key(settings.keys, gone, needed=key)
    if "release.former_keys" not in gone:
        remedy = "name files of keys that served before, or none; docs/keys.md"
        outer = settings.release
        yield from _tried("release.former_keys", remedy, lambda: read_former_keys(outer))
    yield from _formats(settings.formats, gone)
    yield from _wires(settings, gone, files=files)


def _wires(settings: Settings, gone: set[str], *, files: bool) -> Iterator[Problem]:
    """Files for TLS that don't serve, and options that don't go together. Without `files` only
    those that no client of Kafka can be made with.
    """
    unfit = [fault for wire in tls_files.wires(settings) for fault in tls_files.faults(wire)]
    if not files:
        unfit = [one for one in unfit if one.setting.startswith(SECURITY) and not one.over]
    for one in unfit:
        yield Problem(one.setting, f"{one.setting}: {one.what}", one.remedy)
    told = {*gone, *(one.setting for one in unfit)}
    strange = security.unknown(settings.kafka.security)
    for name, meant in strange.items():
        path = f"{SECURITY}.{name}"
        known = f"docs/reference.md has the {len(security.UNDERSTOOD)} that can be"
        remedy = f"did you mean {SECURITY}.{meant}?" if meant else known
        yield Problem(path, f"{path} can't be set", remedy)
    if strange:
        return  # what is meant by the others depends on them

    def options() -> None:
        try:
            security.credentials(settings.kafka.security)
        except OSError:  # of its files
            if not any(path.startswith(SECURITY) for path in told):
                raise

    remedy = "docs/deployment.md has the options; all clients must be told the same"
    yield from _tried(SECURITY, remedy, options)


def no_key(keys: Keys) -> bool:
    """Whether none is set: a worker doesn't start then, `file` makes one for each run."""
    return not keys.file and not keys.value


def _key(keys: Keys, gone: set[str], *, needed: bool) -> Iterator[Problem]:
    """A key that is there and is none; that there is none at all is a mistake where it is `needed`
    (that there are two is one of form).
    """
    remedy = "`stream-deid keygen FILE` makes one; docs/keys.md"
    if no_key(keys):
        if needed:
            told = "neither keys.file nor STREAM_DEID_KEYS__VALUE is set (key.missing)"
            yield Problem("keys.file", told, remedy)
    elif not (keys.file and keys.value) and "keys.file" not in gone:
        path = "keys.file" if keys.file else "keys.value"
        yield from _tried(path, remedy, lambda: read_key(keys))


def _formats(formats: Formats, gone: set[str]) -> Iterator[Problem]:
    """What stands in the maps that are there, and in the rules."""
    if not gone.isdisjoint({"formats.hl7_maps", "formats.json_maps"}):
        formats = replace(
            formats, hl7_maps=_there(formats.hl7_maps), json_maps=_there(formats.json_maps)
        )
    for name in formats.accept:
        try:
            FORMATS[name](formats)
        except Halt as error:
            path, remedy = _OF_FORMATS[error.code]
            yield Problem(path, f"{path}: {error.detail}", remedy)


def _there(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if Path(name).is_file())


def _tried(
    path: str, remedy: str, call: Callable[[], object], apart: tuple[str, ...] = ()
) -> Iterator[Problem]:
    """The mistake that a call ends with; `apart`: areas of codes that are told elsewhere."""
    try:
        call()
    except Halt as error:
        if error.code.partition(".")[0] in apart:
            return
        told = error.detail if error.detail.startswith(path) else f"{path}: {error.detail}"
        yield Problem(path, told, remedy)
    except OSError as error:
        told = error.strerror or type(error).__name__
        yield Problem(path, f"{path}: a file doesn't serve: {told}", remedy)
