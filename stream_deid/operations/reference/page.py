"""docs/reference.md, whole."""

from __future__ import annotations

import argparse
import inspect

from stream_deid import exits
from stream_deid.operations.reference import commands, fields, records, settings, source
from stream_deid.operations.reference.markdown import code, table

_HEAD = """# Reference

Made from the code by `stream-deid reference --write docs/reference.md` (`make reference`); a test
compares the two, so don't edit it. [operations.md](operations.md) says how to use what stands here.

- [Settings](#settings)
- [Command line](#command-line)
- [Exit statuses](#exit-statuses)
- [Error codes](#error-codes)
- [Metrics](#metrics)
- [Health](#health)
- [Events of the log](#events-of-the-log)
- [Keys and headers](#keys-and-headers)
- [Records](#records)
- [HL7 v2 fields](#hl7-v2-fields)
"""
_SETTINGS = """
## Settings

One TOML file (`--config`, or `STREAM_DEID_CONFIG`), overridden by the environment. The text of a
variable is taken as it is where the setting is text; numbers, truth values, lists and tables are
written as in TOML (`STREAM_DEID_MODELS__EN='["bert_en"]'`). Entries of tables have variables
of their own (`STREAM_DEID_KAFKA__SECURITY__SASL.PASSWORD`; `..._SASL_PASSWORD` where a shell wants
no dots). Unknown settings are errors.
`stream-deid config show` tells every value and where it came from, `stream-deid config
check` all that is wrong.

"""
_CODES = """
## Error codes

[errors.md](errors.md) says what each one means and what to do.

"""
_HEALTH = """
## Health

| path | 200 | 503 |
| --- | --- | --- |
| `/healthz` | the process does its work | it stands still: the reasons; it ends by itself soon |
| `/readyz` | it takes notes | it starts, waits for its share or a model, or stops: the reasons |
| `/metrics` | the series above, in Prometheus' text format | |
"""
_FIELDS = """
## HL7 v2 fields

Numbers of fields. What is not named, segments that stand in no row included, is withheld.
[interfaces.md](interfaces.md) says what replaced, examined and kept mean, and how a site adds its
own.

"""
_EVENTS = """
## Events of the log

One JSON object a line, with `event`, `level`, `logger`, `timestamp` and these fields. `error` holds
types, codes and places in the code of an exception and its causes, never its words. Lines of
libraries have their words reduced (`stream_deid/streaming/observability/logs.py`).

"""


def page(parser: argparse.ArgumentParser) -> str:
    """The whole reference as Markdown."""
    pieces = [
        _HEAD, _SETTINGS, settings.part(),
        "\n## Command line\n\n", commands.part(parser),
        "\n## Exit statuses\n\n", _statuses(),
        _CODES, source.codes_part(),
        "\n## Metrics\n\n", records.metrics_part(), _HEALTH,
        _EVENTS, source.events_part(),
        "\n## Keys and headers\n\n", records.headers_part(),
        "\n## Records\n\n", records.schemas_part(),
        _FIELDS, fields.part(),
    ]  # fmt: skip
    return "".join(pieces)


def _statuses() -> str:
    """What the docstring of `exits` says, by number."""
    told = inspect.getdoc(exits) or ""
    sentence = " ".join(told.split("\n\n")[1].split()).rstrip(".")
    rows = (one.partition(" ") for one in sentence.split("; "))
    return table(("status", "meaning"), ((code(n), meaning) for n, _, meaning in rows))
