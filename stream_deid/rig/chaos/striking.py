"""The events of a run: who is struck, when and how, by seed."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from stream_deid.errors import DeidError
from stream_deid.rig.broker import Broker
from stream_deid.rig.chaos import plan as kinds
from stream_deid.rig.chaos.plan import ChaosPlan
from stream_deid.rig.chaos.stalls import ChaosEvent
from stream_deid.rig.supervised import Supervised
from stream_deid.serving.local.server import LocalServer, stub_pids

_READY_S = 180.0


class Striker:
    """A thread that strikes at exponentially distributed moments until `stop`."""

    def __init__(
        self,
        plan: ChaosPlan,
        broker: Broker,
        workers: Sequence[Supervised],
        triton: LocalServer | None,
    ) -> None:
        self.events: list[ChaosEvent] = []
        self.error: BaseException | None = None
        self._plan, self._broker, self._workers, self._triton = plan, broker, workers, triton
        self._dice = random.Random(f"events {plan.seed}")
        self._stopped: list[tuple[float, Supervised]] = []
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="striker", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Strike no more, and let everything that was stopped go on; raises what went wrong."""
        self._end.set()
        self._thread.join()
        for _, worker in self._stopped:
            self._resume(worker)
        self._stopped = []
        if self.error is not None:
            raise self.error

    def _run(self) -> None:
        try:
            self._strike()
        except (DeidError, OSError) as error:  # a broker or Triton that doesn't come back
            self.error = error

    def _strike(self) -> None:
        offered = {
            kind: weight for kind, weight in self._plan.kinds.items() if self._possible(kind)
        }
        while not self._pause(self._dice.expovariate(self._plan.kill_rate)):
            (kind,) = self._dice.choices(list(offered), list(offered.values()))
            self._carry_out(kind)

    def _possible(self, kind: str) -> bool:
        if kind in (kinds.BROKER_QUICK, kinds.BROKER_SLOW, kinds.STOP):
            return self._broker.durable
        return kind not in (kinds.TRITON, kinds.TRITON_STOP) or self._triton is not None

    def _pause(self, seconds: float) -> bool:
        """Wait, waking those whose time has come; True where the run is over."""
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            for due, worker in list(self._stopped):
                if due <= now:
                    self._stopped.remove((due, worker))
                    self._resume(worker)
            if self._end.wait(min(0.2, until - now)):
                return True
        return False

    def _carry_out(self, kind: str) -> None:
        if kind == kinds.BROKER_QUICK:
            self._lose_broker(kind, self._plan.away_s[0])
        elif kind == kinds.BROKER_SLOW:
            self._lose_broker(kind, self._plan.away_s[1])
        elif kind == kinds.TRITON:
            self._lose_triton()
        elif kind == kinds.TRITON_STOP:
            self._stop_triton(self._plan.away_s[1])
        else:
            worker = self._dice.choice(self._workers)
            extra = self._dice.uniform(2, 8)
            if not self._stopped:  # else nobody might be left to take anything over
                self._signal(kind, worker, extra)

    def _signal(self, kind: str, worker: Supervised, extra: float) -> None:
        number = signal.Signals[kind.rsplit(maxsplit=1)[-1]]
        if not worker.send(number):
            return
        self._note(kind)
        if number is signal.SIGSTOP:
            due = time.monotonic() + self._plan.session_timeout_s + extra
            self._stopped.append((due, worker))

    def _resume(self, worker: Supervised) -> None:
        if worker.send(signal.SIGCONT):
            self._note(kinds.CONT)

    def _lose_broker(self, kind: str, away_s: float) -> None:
        self._away(kind, self._broker.kill, lambda: self._wait_and_start(away_s))

    def _wait_and_start(self, away_s: float) -> None:
        self._end.wait(away_s)
        self._broker.start()

    def _lose_triton(self) -> None:
        triton = self._triton
        assert triton is not None
        try:
            pid = triton.pid
        except OSError:
            return
        self._away(
            kinds.TRITON,
            lambda: os.kill(pid, signal.SIGKILL),
            lambda: triton.wait_ready(_READY_S),
        )

    def _stop_triton(self, away_s: float) -> None:
        triton = self._triton
        assert triton is not None
        try:
            family = [triton.pid, *stub_pids(triton.pid).values()]
        except OSError:
            return
        self._away(
            kinds.TRITON_STOP,
            lambda: _send(family, signal.SIGSTOP),
            lambda: self._wait_and_wake(away_s, family),
        )

    def _wait_and_wake(self, away_s: float, family: Sequence[int]) -> None:
        self._pause(away_s)
        _send(family, signal.SIGCONT)

    def _away(self, kind: str, kill: Callable[[], None], back: Callable[[], None]) -> None:
        began = time.monotonic()
        kill()
        back()
        self.events.append(ChaosEvent(kind, began, time.monotonic()))

    def _note(self, kind: str) -> None:
        now = time.monotonic()
        self.events.append(ChaosEvent(kind, now, now))


def _send(family: Sequence[int], number: signal.Signals) -> None:
    for pid in family:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
