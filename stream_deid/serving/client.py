"""Asynchronous client of Triton: one deadline, errors by status code, health by real inference.

Every gRPC status means one reaction (Triton's own codes; never the text of a message, but for
the one that tells a dead model process from a failed inference):

* UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, NOT_FOUND (the model is
  not loaded yet): try again until the caller's deadline.
* INTERNAL, UNKNOWN, or an answer that is no finite array of the right shape: the model failed.
  After `kill -9` of a model's process Triton keeps calling the model ready while every request
  fails, until whoever runs the server starts it again (`local.supervisor` does, a liveness probe
  elsewhere): that is waited for. What fails `ATTEMPTS` times by a living model ends as
  `ModelFailed`, so that the batcher can look for the row at fault.
* INVALID_ARGUMENT, UNIMPLEMENTED and the rest: server and manifest disagree. `Halt`.

A name with several addresses (a headless Service) is several servers: requests go to each in turn
(gRPC's `round_robin`), one whose connection breaks is left out at once, and one of which half of
the requests fail or time out for some seconds (gRFC A50). A connection that ends makes gRPC look
the name up again, and so does the age that servers give their connections: new ones are found.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import numpy as np
import tritonclient.grpc.aio as triton
from numpy.typing import NDArray
from tritonclient.utils import InferenceServerException

from stream_deid.errors import Halt, Unavailable
from stream_deid.outcome import Contact
from stream_deid.serving import wire
from stream_deid.serving.manifest import Manifest
from stream_deid.serving.tls import Tls

STUB_DEAD = "triton.stub-dead"
MISSING = "triton.model-missing"
TIMEOUT = "triton.timeout"
RETRY = {
    "UNAVAILABLE": "triton.unavailable",
    "CANCELLED": "triton.unavailable",
    "ABORTED": "triton.unavailable",
    "DEADLINE_EXCEEDED": TIMEOUT,
    "RESOURCE_EXHAUSTED": "triton.overloaded",
    "NOT_FOUND": MISSING,
}
FAILED = ("INTERNAL", "UNKNOWN")
DEAD_STUB = "is not healthy"
ATTEMPTS = 3
BACKOFF_S = (0.05, 0.1, 0.2, 0.5, 1.0)
PROBE_S = 5.0
LATELY_S = 5.0
BALANCING = {
    "outlier_detection_experimental": {
        "interval": "1s",
        "baseEjectionTime": "5s",
        "maxEjectionTime": "60s",
        "maxEjectionPercent": 50,
        "failurePercentageEjection": {
            "threshold": 50,
            "enforcementPercentage": 100,
            "minimumHosts": 2,
            "requestVolume": 3,
        },
        "childPolicy": [{"round_robin": {}}],
    }
}
CHANNEL = [
    # the first policy that this gRPC knows
    ("grpc.service_config", json.dumps({"loadBalancingConfig": [BALANCING, {"round_robin": {}}]})),
    ("grpc.dns_min_time_between_resolutions_ms", 2000),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.use_local_subchannel_pool", 1),
]


class ModelFailed(Unavailable):
    """The model, not the way to it, failed on this batch; raised after `ATTEMPTS` times."""


class Client:
    """Requests of one process to one Triton server, or to all that stand behind one name.

    `url` is `host:port`, or any name that gRPC resolves (`dns:///host:port`).
    `tls`: how to speak TLS, with a server that is called `name` (as in `url`, if that says nothing
    else). `request_timeout_s` bounds the first attempt, each attempt after a
    timeout may take twice as long, and the caller's deadline bounds them all. An asynchronous
    context manager; use it within one event loop.
    """

    def __init__(
        self,
        url: str,
        models: Mapping[str, Manifest],
        *,
        request_timeout_s: float = 10.0,
        tls: Tls | None = None,
        name: str = "",
    ) -> None:
        called = [("grpc.ssl_target_name_override", name)] if name else []
        self._channel = [*CHANNEL, *called]
        self.url, self.models, self._tls = url, dict(models), tls
        self.request_timeout_s = request_timeout_s
        self.retries: Counter[str] = Counter()
        self._heard = dict.fromkeys(models, time.monotonic())
        self._triton: Any = None

    async def __aenter__(self) -> Self:
        secure = self._tls.options() if self._tls else {}
        self._triton = triton.InferenceServerClient(self.url, channel_args=self._channel, **secure)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._triton.close()

    async def infer(self, name: str, arrays: wire.Arrays, deadline: float) -> NDArray[np.float32]:
        """Scores [rows, bucket, labels] of packed arrays, by `deadline` (`time.monotonic()`).

        Raises `ModelFailed`, other `Unavailable` when the deadline came first, or `Halt`.
        """
        failures, patience = 0, self.request_timeout_s
        last: Unavailable = Unavailable(TIMEOUT, f"{name}: no time was left")
        for delay in _delays():
            left = deadline - time.monotonic()
            if left <= 0:
                raise last
            try:
                return await self._attempt(name, arrays, min(left, patience))
            except ModelFailed as error:
                last = error
                self.retries[error.code] += 1
                if error.code != STUB_DEAD or await self._revived(name, deadline):
                    failures += 1
                if failures >= ATTEMPTS:
                    raise
            except Unavailable as error:
                last = error
                self.retries[error.code] += 1
                if error.code == TIMEOUT:
                    patience *= 2  # a slow server must not be asked the same for ever
            await asyncio.sleep(max(0.0, min(delay, deadline - time.monotonic())))
        raise last  # pragma: no cover  # the delays never end

    async def _attempt(
        self, name: str, arrays: wire.Arrays, timeout_s: float
    ) -> NDArray[np.float32]:
        model = self.models[name]
        inputs, outputs = wire.request(model, arrays)
        try:
            result = await self._triton.infer(
                name,
                inputs,
                outputs=outputs,
                client_timeout=timeout_s,
            )
        except InferenceServerException as error:
            raise _reaction(name, error) from None
        rows, bucket = arrays[model.inputs[0].name].shape[:2]
        scores = wire.scores(model, result, rows, bucket)
        if scores is None:
            raise ModelFailed("triton.answer", f"{name}: the answer is no finite array of scores")
        self._heard[name] = time.monotonic()
        return scores

    async def probe(self, name: str, timeout_s: float = PROBE_S) -> None:
        """Check one model by a real inference; raises `Unavailable` or `Halt` where it is not well.

        Triton's own readiness says yes when a model's process is dead, so it is not asked.
        """
        await self._attempt(name, wire.probe_arrays(self.models[name]), timeout_s)

    async def wait_ready(self, deadline: float) -> None:
        """Return when every model has answered; raises as `infer` does at the deadline.

        Also raises `Halt("triton.contract")` where a model of the server has other tensors
        than its manifest.
        """
        for name in self.models:
            await self._agree(name, deadline)
            await self.infer(name, wire.probe_arrays(self.models[name]), deadline)

    async def healthy(self, names: Iterable[str] | None = None) -> dict[str, bool]:
        """Which models answer an inference now."""
        wanted = list(self.models) if names is None else list(names)
        results = await asyncio.gather(*map(self.probe, wanted), return_exceptions=True)
        return {name: result is None for name, result in zip(wanted, results, strict=True)}

    async def contact(self) -> Contact:
        """Since when a model has been silent; those of which nothing was heard lately are asked."""
        now = time.monotonic()
        await self.healthy([name for name, at in self._heard.items() if now - at > LATELY_S])
        now = time.monotonic()
        silent = {name: now - at for name, at in self._heard.items()}
        return Contact(max(silent.values(), default=0.0), dict(self.retries), silent)

    async def independent(self, name: str, deadline: float) -> bool:
        """Whether rows get the same bytes alone and in one batch, here and now.

        True of the CPU engines (measured, and held by a test); a replayed note is byte for byte
        the same only where it is. To be asked on every new kind of GPU and release of TensorRT.
        """
        model = self.models[name]
        rows = wire.sample_arrays(model, min(5, model.max_batch))
        count = len(rows[model.inputs[0].name])
        together = await self.infer(name, rows, deadline)
        for row in range(count):
            one = {key: array[row : row + 1] for key, array in rows.items()}
            if (await self.infer(name, one, deadline)).tobytes() != together[row].tobytes():
                return False
        return True

    async def _agree(self, name: str, deadline: float) -> None:
        """Compare the server's tensors with the manifest's, as soon as the server tells them."""
        for delay in _delays():
            left = deadline - time.monotonic()
            try:
                await self._check_contract(name, max(0.1, min(left, self.request_timeout_s)))
            except Unavailable:
                if left <= delay:
                    raise
                await asyncio.sleep(delay)
            else:
                return

    async def _check_contract(self, name: str, timeout_s: float) -> None:
        model = self.models[name]
        try:
            answer = await self._triton.get_model_config(
                name, as_json=True, client_timeout=timeout_s
            )
        except InferenceServerException as error:
            raise _reaction(name, error) from None
        config = answer["config"]
        inputs = {i["name"]: (i["data_type"], _dims(i)) for i in config["input"]}
        wanted = {i.name: (f"TYPE_{i.dtype}", i.dims) for i in model.inputs}
        outputs = {o["name"]: (o["data_type"], _dims(o)) for o in config["output"]}
        if inputs != wanted or outputs != {
            model.output.name: (f"TYPE_{model.output.dtype}", (-1, model.width))
        }:
            raise Halt("triton.contract", f"{name}: the server's tensors are not the manifest's")

    async def _revived(self, name: str, deadline: float) -> bool:
        """Wait for a model whose process had died; whether it answers before the deadline."""
        for delay in _delays():
            left = deadline - time.monotonic()
            if left <= 0:
                break
            with suppress(Unavailable):
                await self.probe(name, min(left, PROBE_S))
                return True
            await asyncio.sleep(min(delay, left))
        return False


def _delays() -> Iterable[float]:
    yield from BACKOFF_S
    while True:
        yield BACKOFF_S[-1]


def _dims(tensor: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(int(d) for d in tensor["dims"])


def _reaction(name: str, error: InferenceServerException) -> Unavailable | Halt:
    """The error that says what to do; only the status code decides (see the module's text)."""
    status = str(error.status() or "").removeprefix("StatusCode.")
    if status in RETRY:
        return Unavailable(RETRY[status], f"{name}: {status}")
    if status in FAILED:
        if DEAD_STUB in str(error.message()):
            return ModelFailed(STUB_DEAD, f"{name}: the model's process is dead")
        return ModelFailed("triton.model-failed", f"{name}: {status}")
    return Halt("triton.contract", f"{name}: the server answered {status or 'no status'}")
