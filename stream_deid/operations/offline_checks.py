"""What can be said of settings without asking anybody: policy, formats, security options, models.

`config.examine` knows types and bounds; what the settings mean is known where they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from stream_deid.assembly import check_language, of_profile
from stream_deid.config import Examined, Problem, Settings, read_key
from stream_deid.config.declare import declared
from stream_deid.config.loading import DEFAULT
from stream_deid.config.problems import nearest
from stream_deid.errors import Halt
from stream_deid.formats import FORMATS
from stream_deid.serving import manifest
from stream_deid.serving.service import AUTO
from stream_deid.streaming.kafka.security import credentials
from stream_deid.surrogate.policy import Policy


def all_problems(found: Examined, *, models: bool = True) -> list[Problem]:
    """Every mistake of what was read, in form and in meaning, told at once.

    What stands at its default because its own value is wrong is not judged twice.
    """
    settings = found.draft
    said = {problem.path for problem in found.problems}
    wrong = {_setting(path) for path in found.wrong}
    meant = [*problems(settings), *(model_problems(settings) if models else ())]
    return found.problems + [
        replace(one, where=one.where or _origin(found, one.path))
        for one in meant
        if one.path not in said and not any(_within(_setting(one.path), path) for path in wrong)
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
    """Where it was set; nothing for a default, which nobody has to mend."""
    origin = found.origin(path)
    return "" if origin == DEFAULT else origin


def model_problems(settings: Settings) -> Iterator[Problem]:
    """Mistakes in `[models]`, by what the repository says of each; no server is started.

    A server elsewhere has its own engines: they are looked for where it would run here.
    """
    try:
        repo = manifest.repository(settings.triton.repository)
    except Halt as error:
        yield Problem("triton.repository", f"triton.repository: {error.detail}", "docs/models.md")
        return
    for code in settings.models:
        unfit = list(_unfit(settings, repo, code))
        yield from unfit or _tried(
            f"models.{code}",
            "docs/models.md says what goes together",
            partial(check_language, settings, code),
            apart=("profile",),
        )


def _unfit(settings: Settings, repo: Path, code: str) -> Iterator[Problem]:
    """Models of a language that can't be had."""
    there = manifest.names(repo)
    for name in dict.fromkeys(settings.served(code)):
        path = f"models.{code}"
        if name not in there:
            ours = [one for one in there if one.endswith(f"_{code}")]
            meant = nearest(name, ours) or nearest(name, there)
            yield Problem(
                path,
                f"{path}: there is no model {name!r} in {repo}",
                f"did you mean {meant!r}?" if meant else f"there are {', '.join(there) or 'none'}",
            )
            continue
        try:
            one = manifest.load(repo, name, hashes=False)
        except Halt as error:
            yield Problem(path, f"{path}: {error.detail}", f"docs/errors.md: {error.code}")
            continue
        engine = one.directory / one.engine.file
        if settings.triton.url == AUTO and not engine.is_file():
            what = f"{path}: {name} has no engine: {engine} is not there"
            yield Problem(path, what, "`stream-deid models build` makes it")


def problems(settings: Settings) -> Iterator[Problem]:
    """Mistakes in the meaning of settings, each with its remedy."""
    policy, formats = settings.policy, settings.formats
    yield from _tried(
        "policy",
        "docs/policies.md has the names",
        lambda: Policy.named(policy.name, policy.overrides),
    )
    yield from _tried(
        "profile",
        "docs/models.md says which models it reads",
        lambda: of_profile(settings),
    )
    if settings.keys.value and not settings.keys.file:
        yield from _tried(
            "keys.value",
            "`stream-deid keygen FILE` makes one; docs/keys.md",
            lambda: read_key(settings.keys),
        )
    for name in formats.accept:
        made = partial(FORMATS[name], formats)
        yield from _tried("formats", "docs/fhir.md has the rules", made)
    unreadable = list(_unreadable(settings.kafka.security))
    yield from unreadable or _tried(
        "kafka.security",
        "docs/deployment.md has the options; all clients must be told the same",
        lambda: credentials(settings.kafka.security),
    )


def _unreadable(security: Mapping[str, str]) -> Iterator[Problem]:
    """Files of certificates and keys, by name: what reads them together names none."""
    for option, file in security.items():
        if option.endswith(".location"):
            path = f"kafka.security.{option}"
            try:
                Path(file).read_bytes()
            except OSError as error:
                told = f"{path}: {file} can't be read: {error.strerror}"
                yield Problem(path, told, "mount it, or mend it")


def _tried(
    path: str, remedy: str, call: Callable[[], object], apart: tuple[str, ...] = ()
) -> Iterator[Problem]:
    """The mistake that a call ends with; `apart`: areas of codes that are told elsewhere."""
    try:
        call()
    except Halt as error:
        if error.code.partition(".")[0] in apart:
            return
        yield Problem(path, f"{path}: {error.detail}", remedy)
    except OSError as error:  # ssl.SSLError is one, and names no path
        told = getattr(error, "reason", "") or error.strerror or type(error).__name__
        remedy = "PEM, the certificate itself first, its own key"
        yield Problem(path, f"{path}: a certificate or key doesn't serve: {told}", remedy)
