"""`stream-deid chaos`: a broker, models if asked for, the run, its account, and a status."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from stream_deid import config, ending, exits
from stream_deid.rig.broker import ApacheKafka, NoidaDb
from stream_deid.rig.chaos.plan import ChaosPlan
from stream_deid.rig.chaos.run import Crew, real, run, stub
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.observability.logs import LIBRDKAFKA, silenced

_RESTARTS = 10_000


def main(
    plan: ChaosPlan, *, models: str, settings: config.Settings, file: Path | None, logs: Path | None
) -> int:
    """Print the account; 0 if nothing is lost, twice, mixed up or late, else 1.

    `models`: `stub` or `real`. `logs`: a folder for the workers' logs, else they are not kept.
    Without `KAFKA_HOME` the embedded broker is used: it survives no kill and forgets no member.
    """
    ending.on_signal(ending.leave)
    _, home = config.local_broker()
    with ExitStack() as stack:
        stack.enter_context(silenced(LIBRDKAFKA))  # a killed broker is no news here
        scratch = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="stream-deid-chaos-"))
        )
        broker = ApacheKafka(scratch, Path(home)) if home else NoidaDb(scratch)
        if not broker.durable:
            plan = replace(plan, static=True)
        stack.enter_context(broker)
        crew = _crew(stack, plan, models, settings, file)
        folder = logs or scratch
        folder.mkdir(parents=True, exist_ok=True)
        account = run(plan, broker, folder, crew, _tell)
    sys.stdout.write("\n".join(account.lines()) + "\n")
    return exits.CRASHED if account.problems else exits.OK


def _crew(
    stack: ExitStack, plan: ChaosPlan, models: str, settings: config.Settings, file: Path | None
) -> Crew:
    if models == "stub":
        return stub(plan)
    repo = manifest.repository(settings.triton.repository)
    server = LocalServer(repo, settings.model_names, restarts=_RESTARTS)
    return real(config.new_key(), settings.keys.tenant, stack.enter_context(server), file)


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
