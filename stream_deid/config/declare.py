"""How one setting is declared: default, meaning and bounds in one place.

What is declared here is checked at start, shown by `stream-deid config show` and written into
docs/reference.md; there is no second list of settings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

ENVIRONMENT_PREFIX = "STREAM_DEID_"
_META = "stream_deid"
KINDS = frozenset(
    {
        *("text", "topic"),
        *("brokers", "server", "host", "url", "endpoint"),  # `addresses` checks these
        *("file", "folder", "scratch"),  # `named_files` these
        "options",
    }
)
"""What a text can be; `options`: a table whose entries are what their names say (`leaves`)."""
_BY_ENDING = {".location": "file", ".url": "endpoint"}


@dataclass(frozen=True, slots=True)
class Meta:
    """What is known of a setting beside its type and default.

    `least`, `most`: bounds, which every number has; `zero`: 0 is allowed as well, and the meaning
    says what it stands for; `choices`: the texts that are allowed (of each
    item in a list); `kind`: what its text is, one of `KINDS`; `secret`: its value is never shown.
    """

    meaning: str
    least: float | None = None
    most: float | None = None
    zero: bool = False
    choices: tuple[str, ...] = ()
    secret: bool = False
    kind: str = ""

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most of a number."""
        assert self.least is not None
        assert self.most is not None
        return self.least, self.most


def written(bound: float) -> str:
    """A bound as people write it: `1,000,000`, `0.1`."""
    return f"{bound:,.10g}"


def setting(
    default: Any,
    meaning: str,
    *,
    least: float | None = None,
    most: float | None = None,
    zero: bool = False,
    choices: tuple[str, ...] = (),
    secret: bool = False,
    kind: str = "",
) -> Any:
    """A field of a dataclass of settings; a secret one is left out of its `repr`."""
    meta = {_META: Meta(meaning, least, most, zero, choices, secret, kind)}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), repr=not secret, metadata=meta)
    return field(default=default, repr=not secret, metadata=meta)


def meta_of(item: Field[Any]) -> Meta:
    """What was declared of a field."""
    found: Meta = item.metadata[_META]
    return found


def is_section(hint: Any) -> bool:
    """Whether a type is a table of settings rather than a value."""
    return isinstance(hint, type) and is_dataclass(hint)


@dataclass(frozen=True, slots=True)
class Declared:
    """One setting as declared; `hint` is its type, `path` its name in the file with dots."""

    path: str
    hint: Any
    default: Any
    meta: Meta

    @property
    def environment(self) -> str:
        """The variable that overrides it."""
        return environment_name(self.path)

    @property
    def type(self) -> str:
        """The type in words."""
        return type_name(self.hint)


def environment_name(path: str) -> str:
    """The variable that sets the setting of this path."""
    return ENVIRONMENT_PREFIX + path.upper().replace(".", "__")


def declared(cls: type, prefix: str = "") -> Iterator[Declared]:
    """Every setting of a dataclass of settings and of its sections, in order."""
    hints = get_type_hints(cls)
    for item in fields(cls):
        path, hint = f"{prefix}{item.name}", hints[item.name]
        if is_section(hint):
            yield from declared(hint, f"{path}.")
        else:
            made = item.default_factory
            default = item.default if made is MISSING else made()
            yield Declared(path, hint, default, meta_of(item))


def value_of(settings: Any, path: str) -> Any:
    """The value of the setting of this path."""
    for name in path.split("."):
        settings = getattr(settings, name)
    return settings


@dataclass(frozen=True, slots=True)
class SettingText:
    """One text of a setting that has any: its path (of an entry of a table its own), its kind."""

    path: str
    kind: str
    text: str


def leaves(settings: Any, kinds: Collection[str]) -> Iterator[SettingText]:
    """The texts of `settings` that are of these kinds, but for one that is empty by default."""
    for item in declared(type(settings)):
        value = value_of(settings, item.path)
        if item.meta.kind == "options":
            found = [
                SettingText(f"{item.path}.{key}", _kind_of(key), one) for key, one in value.items()
            ]
        else:
            values = value if isinstance(value, tuple) else (value,)
            found = [SettingText(item.path, item.meta.kind, one) for one in values]
        for leaf in found:
            empty = value == item.default == ""
            if leaf.kind in kinds and isinstance(leaf.text, str) and not empty:
                yield leaf


def _kind_of(option: str) -> str:
    return next((kind for end, kind in _BY_ENDING.items() if option.endswith(end)), "text")


def type_name(hint: Any) -> str:
    """A type as a person writes it in TOML."""
    if get_origin(hint) is tuple:
        return f"list of {type_name(get_args(hint)[0])}"
    if get_origin(hint) is dict:
        return f"table of {type_name(get_args(hint)[1])}"
    plain = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    if hint in plain:
        return plain[hint]
    return "table" if is_section(hint) else "anything"
