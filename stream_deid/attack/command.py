"""`stream-deid attack`: run the attacks; tables, plots and a blinded sheet into a folder."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stream_deid import atomic
from stream_deid.attack import (
    blinded,
    cohort,
    consistency,
    counters,
    days,
    pairs,
    parrot,
    recurrence,
    released_audit,
    report,
    report_transfer,
    timing,
)
from stream_deid.attack.consistency_worker import ConsistencyJob
from stream_deid.attack.outcome import Advance, Cell
from stream_deid.attack.release import (
    UnreleasedNote,
    draw,
    of_marked,
    of_written,
    release_all,
    replaceable,
)
from stream_deid.attack.twins import VERSIONS
from stream_deid.errors import Halt
from stream_deid.labels import label_type
from stream_deid.surrogate import Policy, Surrogates
from stream_deid.training import recipe
from stream_deid.training.data.corpora import AnnotatedNote

CORPUS = "marked:en:corpora/train/en"
TRANSFER = "transfer"
NOTES_OF_A_FILE = 12
_SHEET_RATE = 0.05
_DATED = 300  # patients of the calendar attack at most
_TIMED = 2000  # patients of the timing attack at most: more change no figure


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """What to run. `notes`: marked notes of a corpus at most (0: all); `files`: patients of the
    recurrence attack; `p`: the chance of `markov(p)`; `jobs`: processes of the consistency figures
    at a time; `system`: the parrot attack's leaks are what this system (as `compare` reads it)
    misses in the corpus. Sources as `training.recipe.load` reads them: `corpus`, and `gold`, what
    `transfer` trains on and scores on under `policy`.
    """

    out: Path
    parts: tuple[str, ...]
    patients: int = 100_000
    notes: int = 0
    files: int = 400
    snippets: int = 200
    seed: int = 1
    p: float = 0.5
    corpus: str = CORPUS
    gold: tuple[str, str] | None = None
    system: str = ""
    policy: Policy = field(default_factory=Policy.named)
    jobs: int = 1
    progress: bool = True

    @property
    def key(self) -> bytes:
        """The key of the measurement, from the seed."""
        return hashlib.sha256(f"stream_deid.attack {self.seed}".encode()).digest()


def main(plan: AttackPlan) -> int:
    """Run the parts of the plan, print their tables, write them and the plots to `plan.out`.

    Raises `Halt("attack.part")` for an unknown part.
    """
    if unknown := [part for part in plan.parts if part not in PARTS]:
        raise Halt("attack.part", f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    plan.out.mkdir(parents=True, exist_ok=True)
    for part in plan.parts:
        steps, run = PARTS[part]
        with _bar(plan) as bar:
            task = bar.add_task(part, total=steps(plan))
            text = run(plan, partial(bar.advance, task))
        title = f"## {part}\n\n{text}\n"
        atomic.write(plan.out / f"{part}.md", title)
        sys.stdout.write(title)
    return 0


def _bar(plan: AttackPlan) -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), disable=not plan.progress,
    )  # fmt: skip


def _consistency(plan: AttackPlan, advance: Advance) -> str:
    census = census_folder()
    job = ConsistencyJob(plan.patients, plan.seed, 0, plan.key.hex(), str(census or ""))
    names = "the project's names and US Census names" if census else "the project's names"
    figures = consistency.measure(job, advance, plan.jobs)
    return f"Drawn from {names}. " + report.consistency(figures)


def census_folder() -> Path | None:
    """The folder of census names, where the training data is there."""
    data = recipe.data_folder()
    folder = data / "gazetteers" if data else None
    return folder if folder and folder.is_dir() else None


def _parrot(plan: AttackPlan, advance: Advance) -> str:
    if plan.system:
        return _parrot_missed(plan, advance)
    sources = _marked(plan)
    found = parrot.attack(sources, plan.key, plan.seed, plan.p, advance)
    return _with_curves(plan, "parrot", found, f"{len(sources):,} notes, half of them attacked.")


def _parrot_missed(plan: AttackPlan, advance: Advance) -> str:
    from stream_deid.training.evaluate import systems  # noqa: PLC0415 - needs the engines

    notes = _load(plan, plan.corpus)
    found = systems.run_system(plan.system, notes, recipe.data_folder() or Path())
    sources = [of_marked(note) for note in notes]
    cells = parrot.attack_missed(
        sources, found, plan.key, seed=plan.seed, p=plan.p, advance=advance
    )
    return (
        f"{len(sources):,} notes, the leaks what `{plan.system}` misses.\n\n{report.cells(cells)}"
    )


def _recurrence(plan: AttackPlan, advance: Advance) -> str:
    names = cohort.NameSource(census_folder())
    patients = (cohort.patient(number, plan.seed, names) for number in range(plan.files))
    files = [of_written(cohort.file_note(who, n)) for who in patients
             for n in range(NOTES_OF_A_FILE)]  # fmt: skip
    texts = []
    for title, sources in (("files", files), ("notes", _marked(plan))):
        found = recurrence.attack(sources, plan.key, plan.seed, plan.p, advance)
        what = f"{plan.files:,} patients of {NOTES_OF_A_FILE} notes" if title == "files" else (
            f"{len(sources):,} hand-written notes, each a patient")  # fmt: skip
        texts.append(_with_curves(plan, f"recurrence_{title}", found, f"{what}."))
    return "\n".join(texts)


def _timing(plan: AttackPlan, advance: Advance) -> str:
    patients = min(plan.patients, _TIMED)
    rows = timing.attack(Surrogates(plan.policy, plan.key), patients, plan.seed, advance)
    return (
        f"{patients:,} patients of policy {plan.policy.name}, a year of notes.\n\n"
        f"{report.timing(rows)}"
    )


def _days(plan: AttackPlan, advance: Advance) -> str:
    patients = min(plan.patients, _DATED)
    rows = days.attack(plan.policy, plan.key, patients, plan.seed, advance)
    return (
        f"{patients:,} patients of policy {plan.policy.name}, visits on working days.\n\n"
        f"{report.timing(rows)}"
    )


def _pairs(plan: AttackPlan, advance: Advance) -> str:
    people = min(plan.patients, _TIMED)
    rows = pairs.attack(plan.policy, plan.key, people, plan.seed, advance)
    return f"{people:,} patients, {len(pairs.surnames()):,} surnames.\n\n{report.pairs(rows)}"


def _audited(plan: AttackPlan, advance: Advance) -> str:
    sources = _marked(plan)
    found = released_audit.attack(sources, plan.key, plan.seed, advance)
    return f"{len(sources):,} notes and their released audit.\n\n{report.cells(found)}"


def _counters(plan: AttackPlan, advance: Advance) -> str:
    sources = _marked(plan)
    rows = counters.attack(sources, plan.seed, advance)
    return (
        f"Counts of {len(sources):,} notes over {counters.DAYS} days, read every "
        f"{counters.SCRAPE_S} s.\n\n{report.counters(rows)}"
    )


def _sheet(plan: AttackPlan, advance: Advance) -> str:
    maker = Surrogates(plan.policy, plan.key)
    sources = _marked(plan)
    leaks = draw(replaceable(maker, sources), _SHEET_RATE, plan.seed)
    count = blinded.write(release_all(maker, sources, leaks), plan.out, plan.snippets, plan.seed)
    advance()
    return f"{count} snippets in {blinded.SHEET}; the key is in {blinded.KEY}.\n"


def score(sheet: Path) -> int:
    """Print what a reader found in a filled sheet whose key lies beside it."""
    out = blinded.score(sheet, sheet.with_name(blinded.KEY))
    sys.stdout.write(report.cells([Cell(sheet.name, "as served", _SHEET_RATE, out)]))
    return 0


def _transfer(plan: AttackPlan, advance: Advance) -> str:
    if plan.gold is None:
        raise Halt("attack.gold", "name the marked notes: --transfer TRAIN DEV")
    try:
        from stream_deid.attack import transfer  # noqa: PLC0415 - only this part needs torch
    except ModuleNotFoundError:
        raise Halt(
            "attack.training", "install the training packages: stream-deid[training]"
        ) from None
    train, dev = (_load(plan, source) for source in plan.gold)
    maker = Surrogates(plan.policy, plan.key)
    scores = transfer.measure(train, dev, maker, advance)
    labels = {label for note in (*train, *dev) for _, _, label in note.spans}
    tables = report_transfer.transfer(scores, [x for x in labels if _generalised(maker, x)])
    what = (
        f"{len(train):,} notes of `{plan.gold[0]}`, {len(dev):,} of `{plan.gold[1]}`; "
        f"policy {plan.policy.name}, kinship {plan.policy.kinship}."
    )
    return f"{what}\n\n{tables}"


def _generalised(maker: Surrogates, label: str) -> bool:
    phi = label_type(label)
    return phi is not None and maker.policy.strategy(phi).kind == "generalise"


def _load(plan: AttackPlan, source: str) -> list[AnnotatedNote]:
    """Notes of a source, evenly spread over it where `plan.notes` limits them."""
    notes = recipe.load(source, recipe.data_folder() or Path())
    step = -(-len(notes) // plan.notes) if plan.notes else 1
    return notes[::step]


def _marked(plan: AttackPlan) -> list[UnreleasedNote]:
    return [of_marked(note) for note in _load(plan, plan.corpus)]


def _with_curves(plan: AttackPlan, name: str, found: list[Cell], what: str) -> str:
    title = name.replace("_", ", ")
    atomic.write(plan.out / f"{name}.svg", report.curves(found, title))
    return f"{what}\n\n{report.cells(found)}\n![{title}]({name}.svg)\n"


_CURVE = len(parrot.RATES) * 3
PARTS: dict[str, tuple[Callable[[AttackPlan], int], Callable[[AttackPlan, Advance], str]]] = {
    "consistency": (lambda plan: 2 * plan.patients, _consistency),
    "parrot": (lambda plan: 3 if plan.system else 2 * _CURVE, _parrot),
    "recurrence": (lambda _: 2 * _CURVE, _recurrence),
    "timing": (lambda _: len(timing.NOTES), _timing),
    "days": (lambda _: len(timing.NOTES), _days),
    "pairs": (lambda _: len(pairs.PAIRS), _pairs),
    "audited": (lambda _: len(released_audit.RATES), _audited),
    "counters": (lambda _: len(counters.A_DAY) * len(counters.STEPS), _counters),
    "sheet": (lambda _: 1, _sheet),
    TRANSFER: (lambda _: len(VERSIONS) * (1 + len(VERSIONS)), _transfer),
}
ATTACKS = tuple(part for part in PARTS if part != TRANSFER)
"""The parts that need no more than the project's own notes."""
