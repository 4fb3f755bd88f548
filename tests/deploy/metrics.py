"""What `/metrics` of a worker and of Triton really hold, and what a PromQL expression asks for."""

import re

from stream_deid.mllp.metrics import ListenerMetrics
from stream_deid.outcome import Contact, Dead, Released, Stats
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.streaming.releasing.watch import ReleaseHealth

TARGET = {"namespace", "pod", "job", "instance"}
"""Labels that Prometheus puts on every series of a pod."""

FUNCTIONS = {
    *("abs", "absent", "avg_over_time", "count", "deriv", "histogram_quantile", "increase", "log2"),
    *("label_values", "max", "present_over_time", "rate", "sum"),
}
WORDS = {"and", "or", "unless", "on", "by", "offset", "group_left", "ignoring", "without"}


def of_a_worker():
    """Every series name of a worker that has met everything, with its labels."""
    metrics = Metrics(together=1)
    stats = Stats(seconds={"score": 0.1}, phi={"NAME": 2})
    metrics.count(Released(b"note", b"key", b"audit", stats=stats), 0)
    metrics.count(Dead("note.failed", "detail"), 0)
    metrics.retries.labels("triton.timeout").inc()
    metrics.transactions.labels("committed").inc()
    metrics.records.labels("found").inc()
    metrics.lagging({0: 1})
    metrics.contact(Contact(1.0, {"triton.unavailable": 1}))
    metrics.built("release", "policy")
    return series(metrics.text().decode())


def of_a_listener():
    """Every series name of a listener for MLLP, with its labels."""
    metrics = ListenerMetrics()
    metrics.answers.labels("AE", "mllp.kafka").inc()
    metrics.messages.labels("new").inc()
    metrics.refused.labels("network").inc()
    metrics.closed.labels("idle").inc()
    return series(metrics.text().decode())


def of_a_release():
    """Every series name of `stream-deid release`, with its labels."""
    return series(ReleaseHealth().page("")[1].decode())


def series(text):
    """`{name: labels}` of a page in Prometheus' text format."""
    found: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^([A-Za-z_:][\w:]*)(?:\{(.*)\})? ", text, re.MULTILINE):
        found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


def asked(expression):
    """The series names and the label names that an expression of ours asks for."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', expression)
    labels: set[str] = set()
    for matchers in re.findall(r"\{([^}]*)\}", bare):
        labels |= set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", matchers))
    for group in re.findall(r"\b(?:by|on|without|ignoring)\s*\(([^)]*)\)", bare):
        labels |= set(re.findall(r"\w+", group))
    outside = re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", bare)
    outside = re.sub(r"\b(?:by|on|without|ignoring|group_left)\s*\([^)]*\)", " ", outside)
    outside = re.sub(r"\boffset\s+\w+", " ", outside)
    words = set(re.findall(r"[A-Za-z_:][\w:]*", outside)) - WORDS - FUNCTIONS
    return {word for word in words if not re.fullmatch(r"e\d+", word)}, labels
