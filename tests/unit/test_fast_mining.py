"""Mining sentences, harvesting templates, and the review between them and what serves."""

import json
from collections import Counter
from pathlib import Path

import pytest
from marked_spans import vote_for

from stream_deid.cli import main
from stream_deid.detect.fast import reviewed
from stream_deid.detect.fast.inclusion import Inclusion
from stream_deid.detect.fast.paths import chosen
from stream_deid.detect.fast.reviewed import INCLUSION, KINDS, TEMPLATES, Reviewed
from stream_deid.detect.fast.templates import Templates
from stream_deid.errors import Halt
from stream_deid.labels import PhiType as T
from stream_deid.labels import label_type
from stream_deid.note import Detection
from stream_deid.training.data import corpora
from stream_deid.training.data.corpora import PROJECT
from stream_deid.training.fast import harvest, prevalence, reviews, sources, words
from stream_deid.training.fast.reviews import ACCEPT, OPEN, REJECT, Review, ReviewEntry
from stream_deid.training.fast.sources import Mined

REVIEWS = PROJECT / "corpora" / "reviews"


def a_corpus(*texts: str, patients: int = 0) -> prevalence.SentenceCorpus:
    made = prevalence.SentenceCorpus()
    for i, text in enumerate(texts):
        made.add(Mined(f"n{i}", f"p{i % patients if patients else i}", text, "en"))
    return made


def mined(made: prevalence.SentenceCorpus, tmp_path, least: int = 3):
    found = prevalence.mine(made, "en", tmp_path, least=least)
    return [one.text for one in found.entries], found.filtered


COMMON = "No acute distress. Lungs: clear to auscultation.\nSeen 3/4/2021. Maria Garcia called."


def test_common_sentences_are_mined_and_those_that_tell_are_filtered(tmp_path):
    entries, filtered = mined(a_corpus(*[COMMON] * 3), tmp_path)
    assert entries == ["clear to auscultation", "no acute distress"]
    assert filtered["a name by gazetteer"] + filtered["a pattern's hit"] == 1
    assert filtered["digits"] == filtered["a single word"] == 1


def test_prevalence_counts_patients_and_not_how_often_one_of_them_is_told_so(tmp_path):
    made = a_corpus(*["No acute distress."] * 9, patients=2)
    assert mined(made, tmp_path, least=3)[0] == []
    entry = prevalence.mine(made, "en", tmp_path, least=2).entries[0]
    assert (entry.counts["patients"], entry.counts["notes"]) == ("2", "9")


def test_a_sentence_that_was_marked_anywhere_is_no_entry(tmp_path):
    made = prevalence.SentenceCorpus()
    for i in range(3):
        spans = ((0, 5, "PATIENT"),) if i == 2 else ()
        made.add(Mined(f"n{i}", f"p{i}", "Plans made early.", "en", spans))
    assert mined(made, tmp_path) == ([], {"marked as an identifier": 1})


def test_a_name_is_a_name_unless_the_corpus_uses_it_as_a_word(tmp_path):
    known = words.gazetteer(tmp_path)
    usage = words.Usage()
    assert words.names("seen by Maria Garcia", known, usage) == ["maria", "garcia"]
    for _ in range(5):
        usage.add("some rose petals")
    assert words.names("a rose", known | {"rose"}, usage) == []
    usage.add("some Rose Rose Rose")
    assert words.names("a rose", known | {"rose"}, usage) == ["rose"]


def test_beyond_the_commonest_only_diseases_and_drugs_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(prevalence, "MOST_PREVALENT", 1)
    monkeypatch.setattr(words, "clinical_words", lambda: frozenset({"pneumonia"}))
    made = a_corpus(*["All is well. No pneumonia seen. Nothing else."] * 3, "All is well.")
    found = prevalence.mine(made, "en", tmp_path)
    assert [(e.text, e.counts["tier"]) for e in found.entries] == [
        ("all is well", "prevalent"),
        ("no pneumonia seen", "clinical"),
    ]


def test_sources(tmp_path):
    lines = [{"note_id": 1, "patient_id": "p", "text": "A.,B"}, {"note_id": 2, "text": "C"}]
    (tmp_path / "m.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = list(sources.read("messages:en:m.jsonl", tmp_path))
    assert [(m.note, m.patient) for m in found] == [("1", "p"), ("2", "2")]
    (broken,) = [m.text for m in sources.read("plain:en:m.jsonl:text", tmp_path) if "A" in m.text]
    assert broken == "A.\nB"
    for bad in ("messages:en:none.jsonl", "other:en:m.jsonl"):
        with pytest.raises(Halt, match=r"recipe\.data|source\.unknown"):
            list(sources.read(bad, tmp_path))


SIGNED = "Electronically signed by: DOW, ANN C on 01/02/1980 at 12:12 PM"


def found_in(text: str, **values: T) -> list[Detection]:
    return [vote_for(text, value, kind, detector="m@1") for value, kind in values.items()]


def signed(name: str, day: str, *, missed: str = "") -> tuple[str, list[Detection]]:
    text = SIGNED.replace("DOW, ANN C", name).replace("01/02/1980", day)
    values = {name.removeprefix(missed): T.DOCTOR, day: T.DATE}
    return text, found_in(text, **values)


def test_the_masks_of_the_papers_example():
    text, found = signed("DOW, ANN C", "01/02/1980")
    spans = [(d.start, d.end, d.type.value) for d in found]
    listed = harvest.tokens(text)
    tags = harvest.mask(listed, spans)
    shown = [(text[t.start : t.end], tag) for t, tag in zip(listed, tags, strict=True)]
    assert [tag for word, tag in shown if word in ("DOW", "ANN", "C", "by")] == [
        "O", "B-DOCTOR", "I-DOCTOR", "I-DOCTOR",
    ]  # fmt: skip
    one = harvest.reading(text, [*spans, *harvest.clocks(text, spans)])
    assert one.syntax == "electronically signed by: W, W W on N/N/N at N:N pm"
    assert one.rule == (
        "Electronically signed by: {DOCTOR:W, W W} on {DATE:N/N/N} at {TIME:N:N} PM"
    )


def harvested(*sentences: tuple[str, list[Detection]], least: int = 2):
    made = harvest.Harvest()
    for i, (text, found) in enumerate(sentences):
        made.add(f"n{i}", f"p{i}", text, found)
    rules = harvest.rules(made, frozenset({"dewey"}), least=least)
    return [e.text for e in rules.entries], rules.cut


PAIR = (signed("DOW, ANN C", "01/02/1980"), signed("ROE, BO X", "3/4/1999"))
RULE = "Electronically signed by: {DOCTOR:W, W W} on {DATE:N/N/N} at {TIME:N:N} PM"


def test_what_the_ensemble_read_one_way_is_a_rule():
    assert harvested(*PAIR) == ([RULE], Counter())


def test_a_rule_finds_what_the_ensemble_missed():
    dewey = signed("DEWEY, JONES K", "5/6/2001", missed="DEWEY, ")
    rules, cut = harvested(*PAIR * 10, dewey)
    assert rules == [RULE]
    assert cut == {"too rare": 1}
    (matched,) = Templates(Reviewed.of(TEMPLATES, "en", rules)).matched(dewey[0])
    assert dewey[0][matched.slots[0].start : matched.slots[0].end] == "DEWEY, JONES K"


def test_two_readings_of_one_syntax_are_no_rule():
    text, _ = signed("DOW, ANN C", "01/02/1980")
    otherwise = (text, found_in(text, **{"DOW, ANN C": T.PATIENT, "01/02/1980": T.DATE}))
    assert harvested(*PAIR, otherwise) == ([], {"more than one NER template": 1})


@pytest.mark.parametrize(
    ("sentence", "value", "why"),
    [
        ("to Bo", "Bo", "too short"),
        ("Bed 4 holds Bo", "Bo", "a digit in a literal"),
        ("Dewey saw Bo", "Bo", "a name in a literal"),
    ],
)
def test_rules_that_are_cut(sentence, value, why):
    one = (sentence, found_in(sentence, **{value: T.PATIENT}))
    assert harvested(one, one) == ([], {why: 1})


def test_a_rule_that_takes_sentences_which_the_ensemble_reads_otherwise_is_cut():
    seen = ("Seen by Bo", found_in("Seen by Bo", Bo=T.DOCTOR))
    plain = ("Seen by us", [])
    assert harvested(seen, seen, plain) == ([], {"the ensemble disputes it": 1})


def a_review(*decisions: str) -> Review:
    texts = ("no acute distress", "clear to auscultation", "as per ann")
    entries = (ReviewEntry(t, {"notes": "3"}, d) for t, d in zip(texts, decisions, strict=False))
    return Review(INCLUSION, "en", tuple(entries))


def test_only_what_was_accepted_is_compiled():
    assert reviews.accepted(a_review(ACCEPT, OPEN, REJECT)).entries == ("no acute distress",)


def test_an_accepted_entry_with_a_digit_is_refused_all_the_same():
    with pytest.raises(Halt):
        reviews.accepted(Review(INCLUSION, "en", (ReviewEntry("call 5551234", {}, ACCEPT),)))


def test_a_walk_keeps_each_answer_at_once_and_goes_back(tmp_path):
    path = tmp_path / "review.tsv"
    reviews.write(path, a_review(OPEN, OPEN, OPEN))
    answers = iter(["a", "a", "b", "r", "?", "q"])
    shown: list[str] = []
    decided = reviews.walk(path, lambda _: next(answers), shown.append)
    assert decided == {ACCEPT: 1, REJECT: 1, OPEN: 1}
    assert [e.decision for e in reviews.read(path).entries] == [ACCEPT, REJECT, OPEN]
    assert "notes 3" in shown[0]


def test_mining_again_keeps_decisions(tmp_path):
    path = tmp_path / "review.tsv"
    reviews.save(path, a_review(ACCEPT, REJECT))
    todo = reviews.save(path, a_review(OPEN, OPEN, OPEN))
    assert [e.text for e in todo] == ["as per ann"]
    assert [e.decision for e in reviews.read(path).entries] == [ACCEPT, REJECT, OPEN]


@pytest.mark.parametrize("body", ["", "# stream-deid review other en\n", "entry\nx\n"])
def test_other_files_are_no_reviews(tmp_path, body):
    (tmp_path / "r.tsv").write_text(body, "utf-8")
    with pytest.raises(Halt, match=r"review\.file"):
        reviews.read(tmp_path / "r.tsv")


def test_a_decision_that_is_neither_is_told(tmp_path):
    reviews.write(tmp_path / "r.tsv", Review(INCLUSION, "en", (ReviewEntry("a b", {}, "yes"),)))
    with pytest.raises(Halt, match=r"review\.file"):
        reviews.read(tmp_path / "r.tsv")


def test_the_whole_way_of_a_list_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("STREAM_DEID_DATA", str(tmp_path))
    lines = [{"note_id": str(i), "text": "Lungs: clear to auscultation."} for i in range(3)]
    (tmp_path / "m.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    review = tmp_path / "r.tsv"
    assert main(["lists", "build", "messages:en:m.jsonl", "--out", str(review)]) == 0
    monkeypatch.setattr("builtins.input", lambda _: "a")
    assert main(["lists", "review", str(review)]) == 0
    assert main(["lists", "compile", str(review), "--out", str(tmp_path / "lists")]) == 0
    assert "1 accepted" in capsys.readouterr().out
    text = (tmp_path / "lists" / "inclusion_en.txt").read_text("utf-8")
    assert reviewed.parse(text, INCLUSION, "en").entries == ("clear to auscultation",)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_unreviewed_serves(kind, language):
    """What is shipped is what the shipped review accepted, to the letter."""
    review = reviews.read(REVIEWS / f"{kind}_{language}.tsv")
    served = reviewed.shipped(kind, language)
    assert served.render() == reviews.accepted(review).render()
    assert {e.text for e in review.entries if e.decision != ACCEPT}.isdisjoint(served.entries)
    assert len(served.entries) > 0
    if kind == INCLUSION:
        made = Inclusion(served)
        assert all(made.settled(e.capitalize() + ".") for e in served.entries if ":" not in e)


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_shipped_template_takes_its_own_form(language):
    served = reviewed.shipped(TEMPLATES, language)
    made = Templates(served)
    for number, entry in enumerate(served.entries):
        text, at = "", 0
        while (start := entry.find("{", at)) >= 0:
            end = entry.index("}", start)
            kind, shape = entry[start + 1 : end].split(":", 1)
            text += entry[at:start]
            text += "10:10" if kind == "TIME" else shape.translate(str.maketrans("WNA", "Q7Q"))
            at = end + 1
        assert number in dict(made.slots_of(text + entry[at:])), entry


@pytest.mark.parametrize("data", ["", "elsewhere"])
def test_notes_of_ones_own_are_read_from_where_one_is(tmp_path, monkeypatch, data):
    """Whether there is a folder of training data or not, as by `compare`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "notes.jsonl").write_text('{"note_id": "1", "patient_id": "p", "text": "Well."}\n')
    (tmp_path / "notes.csv").write_text("words\nWell.\n")
    for source in ("messages:en:notes.jsonl", "plain:en:notes.csv:words"):
        assert [one.text.strip() for one in sources.read(source, Path(data))] == ["Well."]


DEV = (
    "jsonl:en:corpora/dev/en_dev.jsonl",
    "jsonl:es:corpora/dev/es_dev.jsonl",
    "marked:en:corpora/dev/noisy/en",
    "marked:es:corpora/dev/noisy/es",
    "marked:en:corpora/train/en/degraded",
    "marked:es:corpora/train/es/degraded",
    "marked:es:corpora/train/es/third",
    "marked:en:corpora/train/en/third",
)


@pytest.mark.parametrize("source", DEV)
def test_what_is_shipped_settles_no_marked_identifier(source):
    """Without patterns, record or models: the lists alone, on notes marked by people."""
    notes = corpora.load(source, PROJECT)
    fast = chosen("inclusion+templates", notes[0].language)
    left = []
    for note in notes:
        slots, settled = fast.look(note.text, [])
        hidden = {i for slot in slots for i in range(slot.start, slot.end)}
        for start, end, label in note.spans:
            if label_type(label) is None:
                continue
            for one in settled:
                inside = range(max(start, one.start), min(end, one.end))
                if any(note.text[i].isalnum() and i not in hidden for i in inside):
                    left.append((note.id, label, one.rule.split("@")[0]))
    assert left == []
