"""Scores to detections: one model's, or the pooled opinion of several.

The scores that each window owns are joined into one sequence for the whole part, and one Viterbi
search runs over it, so a span may cross the edge of a window. Models that are pooled see the same
tokens, whatever pieces they cut them into; for each token the mean of their log-probabilities
counts (soft voting; a CRF gives its marginals), so a weak second model settles what the first one
doubts and seldom overrules what it is sure of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from stream_deid.detect.neural.columns import own_words, place_within
from stream_deid.detect.neural.evidence import Judged
from stream_deid.detect.neural.floors import unsure
from stream_deid.detect.neural.misnamed import misnamed
from stream_deid.detect.neural.model_windows import ModelSpec, label_names
from stream_deid.detect.neural.no_person import no_person
from stream_deid.detect.neural.repair import repair
from stream_deid.detect.neural.stacking import Stacking
from stream_deid.detect.quantities.clinical import harmless
from stream_deid.detect.words.namesakes import namesake
from stream_deid.detect.words.terms import surely_a_term
from stream_deid.errors import Halt
from stream_deid.labels import AUTHORED, MEDDOCAN, PhiType
from stream_deid.note import Detection, Hearing, Window
from stream_deid.text import bio, viterbi
from stream_deid.text.age import age_label

Scores = NDArray[np.float32]

_UNHEARD = np.float32(-12.0)
"""Least log-probability in a pool: no model rules out alone what another one sees."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one model said of one part: scores [n, number of tags] for each of its windows."""

    model: ModelSpec
    windows: Sequence[Window] = field(repr=False)
    scores: Sequence[Scores] = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.windows) != len(self.scores):
            raise Halt("scores.count", "not one array of scores for each window")

    def hearings(self) -> list[Reading]:
        """The text as it is written, then with capitals where it has no case."""
        said = (self.heard(one) for one in (Hearing.WRITTEN, Hearing.CAPITALISED))
        return [one for one in said if one.windows]

    def heard(self, hearing: Hearing) -> Reading:
        """What was said of the text as it was read in one way."""
        pairs = zip(self.windows, self.scores, strict=True)
        mine = [pair for pair in pairs if pair[0].hearing is hearing]
        return Reading(self.model, [window for window, _ in mine], [array for _, array in mine])

    def by_head(self) -> dict[str, Reading]:
        """What each head of the model said, as models of their own."""
        ends = np.cumsum([len(tags) for tags in self.model.heads.values()]).tolist()
        return {
            name: Reading(
                replace(self.model, name=f"{self.model.name}.{name}", labels=tags, heads={}),
                self.windows,
                [array[:, end - len(tags) : end] for array in self.scores],
            )
            for (name, tags), end in zip(self.model.heads.items(), ends, strict=True)
        }


@dataclass(frozen=True, slots=True)
class Opinion:
    """Scores [m, L] of the tokens of a part, `starts` and `ends` [m], in the tags of `model`."""

    model: ModelSpec
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    scores: Scores


def stitch(
    windows: Sequence[Window], scores: Sequence[Scores], n_tags: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], Scores]:
    """Tokens of one part in order, each from the window that owns its first character.

    Returns starts [m], ends [m] and scores [m, n_tags]. Raises `Halt("scores...")` where an
    array does not fit its window or holds a value that is not a number.
    """
    kept_starts, kept_ends, kept_scores = [], [], []
    for window, array in zip(windows, scores, strict=True):
        if array.shape != (len(window), n_tags):
            raise Halt("scores.shape", f"{window.model}: {array.shape} for {len(window)} tokens")
        if not np.isfinite(array).all():
            raise Halt("scores.finite", f"{window.model}: a score is not a number")
        s = window.starts
        own = (window.ends > s) & (s >= window.own_start) & (s < window.own_end)
        kept_starts.append(s[own])
        kept_ends.append(window.ends[own])
        kept_scores.append(array[own])
    return np.concatenate(kept_starts), np.concatenate(kept_ends), np.concatenate(kept_scores)


def tag_types(spec: ModelSpec) -> dict[str, PhiType | None]:
    """The project's type of each label of the model; None: neutral, never a detection."""
    known: dict[str, PhiType | None] = {**MEDDOCAN, **AUTHORED}
    if any(label not in known for label in label_names(spec.labels)):
        raise Halt("model.labels", f"{spec.name}: a label has no type")
    if "es" in spec.languages:
        known.update(MEDDOCAN)
    found = {label: known[label] for label in label_names(spec.labels)}
    return {**found, "AGE": PhiType.AGE, "AGE_U90": None}


def decode(text: str, readings: Sequence[Reading]) -> list[Detection]:
    """The detections of one model, or of several pooled, in one part, ordered, disjoint, repaired
    to whole words, without clinical terms taken for people (`terms`). Where a model has heads,
    these of each head, one after the other.

    The two hearings of a text without case (`text.case`) are pooled like two models. Where the
    first model brings a second opinion on just this pool (`stacking`), it counts.
    `score` is the mean probability over the span's tokens that they are PHI (softmax of the
    unbiased scores). Raises as `stitch` does, and `Halt("pool...")` where models do not go
    together.
    """
    if readings and readings[0].model.heads:
        return [found for head in readings[0].by_head().values() for found in decode(text, [head])]
    joint = joint_opinion(readings)
    if joint is None:
        return []
    names = tuple(dict.fromkeys(reading.model.detector for reading in readings))
    stacking = readings[0].model.stacking
    if stacking is not None and stacking.pool == names and joint.model.crf is None:
        joint = _revised(text, joint, stacking)
    return detections(text, joint, detector="+".join(names))


def joint_opinion(readings: Sequence[Reading]) -> Opinion | None:
    """What one model, or several pooled, say of one part; None where there is nothing to read."""
    heard = [hearing for reading in readings for hearing in reading.hearings()]
    if not heard:
        return None
    return opinion_of(heard[0]) if len(heard) == 1 else _pooled(heard)


def _revised(text: str, joint: Opinion, stacking: Stacking) -> Opinion:
    types, logs, judged = digest(joint)
    scores = stacking.revise(text, judged, logs, types)
    spec = replace(joint.model, o_bias=stacking.o_bias, type_bias=stacking.type_bias)
    return Opinion(spec, joint.starts, joint.ends, scores)


def digest(opinion: Opinion) -> tuple[list[PhiType | None], Scores, Judged]:
    """The type of each tag, log-probabilities [m, L], and what they come to."""
    known = tag_types(opinion.model)
    types = [known.get(tag[2:]) for tag in opinion.model.labels]
    logs = viterbi.log_probabilities(opinion.scores)
    return types, logs, Judged.of(opinion.starts, opinion.ends, logs, types)


def opinion_of(reading: Reading) -> Opinion:
    """One hearing of one model, from its windows."""
    model = reading.model
    return Opinion(model, *stitch(reading.windows, reading.scores, len(model.labels)))


def _pooled(readings: Sequence[Reading]) -> Opinion:
    """The weighted mean of log-probabilities, in the tags of the first model."""
    models = [reading.model for reading in readings]
    check_pool(models)
    weights = np.array([m.weight for m in models]) / sum(m.weight for m in models)
    bias = sum(w * m.o_bias for w, m in zip(weights.tolist(), models, strict=True))
    joint: Opinion | None = None
    for reading, weight in zip(readings, weights.tolist(), strict=True):
        opinion = opinion_of(reading)
        if joint is None:
            spec = replace(models[0], o_bias=bias, crf=None)  # transitions are in the marginals
            shape = (len(opinion.starts), len(spec.labels))
            total = np.zeros(shape, dtype=np.float32)
            joint = Opinion(spec, opinion.starts, opinion.ends, total)
        if not np.array_equal(opinion.starts, joint.starts):
            raise Halt("pool.tokens", f"{reading.model.name} saw other tokens than its fellows")
        _add(joint.scores, weight, spec, opinion)
    assert joint is not None
    return joint


def check_pool(models: Sequence[ModelSpec]) -> None:
    """Raise `Halt("pool.labels")` where a model has labels that the first one lacks, and
    `Halt("pool.heads")` where one has heads, which vote each for itself.
    """
    if len(models) > 1 and (headed := [model.name for model in models if model.heads]):
        raise Halt("pool.heads", f'{headed[0]} votes by head: set voting = "any"')
    for model in models[1:]:
        if extra := sorted(set(model.labels) - set(models[0].labels)):
            raise Halt(
                "pool.labels",
                f"{model.name} has labels that {models[0].name} lacks: {', '.join(extra)}; "
                "name the model with the most labels first",
            )


def _add(total: Scores, weight: float, leader: ModelSpec, opinion: Opinion) -> None:
    """Add log-probabilities in the tags of `leader`; a tag that the model lacks is unheard."""
    logs = log_scores(opinion)
    place = {tag: i for i, tag in enumerate(leader.labels)}
    own = [place[tag] for tag in opinion.model.labels]
    for a, b in viterbi.stretches(len(logs)):
        out = np.full((b - a, len(leader.labels)), _UNHEARD, dtype=np.float32)
        out[:, own] = np.maximum(logs[a:b], _UNHEARD)
        total[a:b] += weight * out


def log_scores(opinion: Opinion) -> Scores:
    """Log-probabilities [m, L]; a CRF gives its marginals."""
    crf = opinion.model.crf
    if crf is None:
        return viterbi.log_probabilities(opinion.scores)
    return viterbi.crf_marginals(opinion.scores, crf.transitions, crf.start, crf.end)


def detections(text: str, opinion: Opinion, detector: str) -> list[Detection]:
    """What an opinion comes to: `decode` says how, and what it leaves out."""
    spec, starts, ends, logits = opinion.model, opinion.starts, opinion.ends, opinion.scores
    if len(starts) == 0:
        return []
    types = tag_types(spec)
    neutral = np.array([not (t[2:] and types[t[2:]]) for t in spec.labels])
    phi = 1.0 - viterbi.share(logits, neutral)
    tags = _best_tags(spec, text, starts, logits + _biases(spec, types))
    labels = label_names(spec.labels)
    spans = [
        (start, end, label, float(phi[a:b].mean()))
        for a, b, k in bio.runs(tags)
        for start, end in [(int(starts[a]), int(ends[b - 1]))]
        for label in [age_label(labels[k], text[start:end])]
        if types[label] is not None
    ]
    out = []
    for first, last, named, score in repair(text, spans, line_spans=spec.line_spans):
        end = own_words(text, first, last, named)
        start, phi_type, label = _retyped(text, first, end, named, types[named])
        if (
            unsure(text, start, end, phi_type, score)
            or surely_a_term(text, start, end, phi_type)
            or namesake(text, start, end, phi_type)
            or no_person(text, start, end, phi_type)
            or misnamed(text, start, end, phi_type, score)
            or harmless(text, start, end, phi_type)
        ):
            continue
        bounded = min(max(score, 0.0), 1.0)
        out.append(Detection(start, end, phi_type, detector, bounded, label))
    return out


def _retyped(
    text: str, start: int, end: int, label: str, phi_type: PhiType | None
) -> tuple[int, PhiType, str]:
    """Where a span begins, its type and label, where it shows that it is of another type: a
    postcode (MEDDOCAN's TERRITORIO holds them too), a bay or two streets for a hospital, an age
    beside a relative, half of a date behind its day of the week.
    """
    assert phi_type is not None
    value = text[start:end]
    if phi_type is PhiType.CITY and not any(map(str.isalpha, value)):
        return start, PhiType.ZIP, label
    if (number := place_within(text, start, end, label)) >= 0:
        return number, PhiType.LOCATION_OTHER, ""
    cut = phi_type is PhiType.DATE and _REST.match(text[end : end + 2])
    if cut and (half := _DAY_AND_HALF.fullmatch(value)):
        return start + half.end(1), phi_type, label
    if phi_type in _HOUSES and _CROSSING.match(value):
        return start, PhiType.STREET, ""
    return start, phi_type, label


_HOUSES = frozenset({PhiType.HOSPITAL, PhiType.ORGANIZATION, PhiType.LOCATION_OTHER})
_CROSSING = re.compile(r"\d{1,3}(?:st|nd|rd|th) ?(?:&|and) ?[A-Z]")
_DAY_AND_HALF, _REST = re.compile(r"([A-Z][a-z]? )\d{1,2}"), re.compile(r"/\d")


def _biases(spec: ModelSpec, types: Mapping[str, PhiType | None]) -> NDArray[np.float32]:
    """What is added to the logits of each tag [L]."""
    of = [types.get(tag[2:]) for tag in spec.labels]
    return np.array(
        [-spec.o_bias if one is None else spec.type_bias.get(one, 0.0) for one in of],
        dtype=np.float32,
    )


def _best_tags(
    spec: ModelSpec, text: str, starts: NDArray[np.int32], scores: NDArray[np.float32]
) -> NDArray[np.int64]:
    if spec.crf is not None:
        return viterbi.crf(scores, spec.crf.transitions, spec.crf.start, spec.crf.end)
    if spec.line_spans:
        return viterbi.bio(scores)
    breaks = np.fromiter((text[s] in "\n\r" for s in starts.tolist()), bool, count=len(starts))
    return viterbi.bio(scores, breaks)
