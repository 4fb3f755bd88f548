"""Models by entity out of the rows of served models: who finds what, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stream_deid import config
from stream_deid.assembly import compiled_lists, of_profile, release_name
from stream_deid.detect.coverage import prove
from stream_deid.detect.examination import Language
from stream_deid.detect.neural import ensemble
from stream_deid.detect.neural.decoding import Reading
from stream_deid.detect.neural.ensemble import Ensemble, Version
from stream_deid.detect.neural.model_windows import Crf, ModelSpec, windows
from stream_deid.errors import Halt
from stream_deid.labels import label_type
from stream_deid.note import Hearing
from stream_deid.operations import offline_checks
from stream_deid.serving import manifest
from stream_deid.text.bio import tag_names
from stream_deid.text.wordchar import WordCharEncoder
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate import systems

TEXT = "seen by Rosa in Lima at Easter"
LABELS = ("PATIENT", "CITY", "DATE", "AGE_U90")
ENTITIES = {"name": ("PATIENT",), "location": ("CITY",), "rest": ("DATE", "AGE_U90")}
WORDS = WordCharEncoder.from_json(json.dumps({"words": [], "alphabet": ""}))
SHIPPED = ("PATIENT", "CITY", "AGE", "HOSPITAL", "DATE")
NFERENCE = config.Settings(profile="nference")


def model(name, labels=LABELS, **changes):
    made = ModelSpec(name, "1", "wordchar", ("en",), tag_names(labels), 64, 16, wordchar=WORDS)
    return replace(made, **changes)


def reading(spec, text=TEXT, hearing=Hearing.WRITTEN, **said):
    """What a model says: by word the probability of each label's beginning; the rest is "O"."""
    cut, scores = windows(spec, 0, text), []
    for window in cut:
        shares = np.full((len(window), len(spec.labels)), 1e-6)
        for row, (a, b) in enumerate(zip(window.starts, window.ends, strict=True)):
            told = said.get(text[a:b], {}) if window.hearing is hearing else {}
            for label, share in told.items():
                shares[row, spec.labels.index(f"B-{label}")] = share
            shares[row, 0] = max(1 - sum(told.values()), 1e-6)
        scores.append(np.log(shares).astype(np.float32))
    return Reading(spec, cut, scores)


def found(made, *readings, text=TEXT):
    return [(d.detector, text[d.start : d.end]) for d in made.decode(text, readings)]


def two_versions():
    return Ensemble((Version("a", 0.0, ENTITIES), Version("b", 0.0, ENTITIES)))


def test_each_entity_has_a_model_of_its_own_in_each_version():
    a = reading(model("a"), Rosa={"PATIENT": 0.9})
    b = reading(model("b"), Lima={"CITY": 0.8}, Easter={"DATE": 0.7})
    assert found(two_versions(), a, b) == [
        ("a.name@1", "Rosa"), ("b.location@1", "Lima"), ("b.rest@1", "Easter"),
    ]  # fmt: skip


def test_what_is_surely_of_one_entity_is_nothing_to_the_models_of_the_others():
    """Lima is a city; of the rows that the name model has, PATIENT is likelier than "O"."""
    a = reading(model("a"), Lima={"CITY": 0.97, "PATIENT": 0.02})
    assert found(two_versions(), a, reading(model("b"))) == [("a.location@1", "Lima")]


@pytest.mark.parametrize(("bias", "names"), [(0.0, []), (1.0, ["Rosa"])])
def test_the_bias_of_a_version_is_taken_from_everything_else(bias, names):
    """A third name, a third place, a third nothing: odds of one to two against a name."""
    made = Ensemble((Version("a", bias, {"name": ("PATIENT",)}),))
    a = reading(model("a", o_bias=9.0), Rosa={"PATIENT": 0.33, "CITY": 0.33})
    assert [word for _, word in found(made, a)] == names


def test_neutral_labels_of_an_entity_hide_nothing():
    a = reading(model("a"), Easter={"AGE_U90": 0.9})
    assert found(two_versions(), a, reading(model("b"))) == []


def test_a_crf_counts_by_its_marginals():
    n = len(tag_names(LABELS))
    never = np.zeros(n, np.float32)
    never[tag_names(LABELS).index("B-PATIENT")] = -50.0
    crf = Crf(np.tile(never, (n, 1)), never, np.zeros(n, np.float32))
    said = {"Rosa": {"PATIENT": 0.9}, "Lima": {"CITY": 0.9}}
    with_crf = reading(model("a", crf=crf), **said)
    assert found(two_versions(), with_crf, reading(model("b"))) == [("a.location@1", "Lima")]


HEADS = {
    "name-a": tag_names(["PATIENT"]), "location-a": tag_names(["CITY"]),
    "name-b": tag_names(["PATIENT"]),
}  # fmt: skip
ON_HEADS = Ensemble(
    (
        Version("a", 0.0, {"name": ("PATIENT",), "location": ("CITY",)}, heads="a"),
        Version("a", 1.0, {"name": ("PATIENT",)}, heads="b"),
    )
)


def headed(share):
    """A model of three heads: the names of version `b` alone see "Rosa", with this probability."""
    spec = model("a", heads=HEADS)
    (window,) = windows(spec, 0, TEXT)
    scores = np.zeros((len(window), spec.width), np.float32)
    scores[:, [0, 3, 6]] = 20.0
    at = window.starts == TEXT.index("Rosa")
    scores[at, 6:9] = np.log([1 - share, share, 1e-6])
    return Reading(spec, [window], [scores])


@pytest.mark.parametrize(("share", "names"), [(0.3, ["Rosa"]), (0.2, [])])
def test_models_by_entity_may_be_heads_each_version_with_its_bias(share, names):
    said = headed(share)
    assert ON_HEADS.prepared([said.model]) == (said.model,)
    assert found(ON_HEADS, said) == [("a.name-b@1", name) for name in names]


@pytest.mark.parametrize(
    ("made", "heads"),
    [
        (ON_HEADS, {}),
        (ON_HEADS, {"name-a": HEADS["name-a"], "name-b": HEADS["name-b"]}),
        (ON_HEADS, HEADS | {"location-a": tag_names(["DATE"])}),
        (Ensemble((Version("a", 0.0, ENTITIES),)), HEADS),
    ],
)
def test_heads_that_are_not_there_are_told(made, heads):
    with pytest.raises(Halt, match=r"profile\.labels"):
        made.prepared([model("a", heads=heads)])


def test_the_shipped_heads_are_those_of_the_shipped_model():
    made = ensemble.shipped("nference-heads")["en"]
    repo = manifest.repository()
    (spec,) = made.prepared([manifest.model_spec(manifest.load(repo, *made.models, hashes=False))])
    assert spec.normalised
    used = {f"{name}-{one.heads}": labels for one in made.versions for name, labels in
            one.entities.items()}  # fmt: skip
    assert {name: tag_names(labels) for name, labels in used.items()} == dict(spec.heads)
    served = manifest.load(repo, "bert_en", hashes=False)
    trunk = manifest.load(repo, spec.name, hashes=False).build["trunk"]
    assert trunk["sha256"] == served.files["weights.safetensors"], "train the heads again"


SHOUTED = "seen by ROSA for a chest CT"


def test_names_are_heard_again_where_capitals_are_normalised():
    made = Ensemble(
        (Version("a", 0.0, ENTITIES), Version("a", 0.0, {"name": ("PATIENT",)}, normalised=True))
    )
    (spec,) = made.prepared([model("a")])
    again = reading(
        spec, SHOUTED, Hearing.NORMALISED, ROSA={"PATIENT": 0.9}, CT={"CITY": 0.9}
    )  # fmt: skip
    assert found(made, again, text=SHOUTED) == [("a.name.normalised@1", "ROSA")]
    once = reading(spec, SHOUTED, ROSA={"PATIENT": 0.9})
    assert found(made, once, text=SHOUTED) == [("a.name@1", "ROSA")]


@pytest.mark.parametrize(
    ("text", "hearings"),
    [
        (SHOUTED, {Hearing.WRITTEN, Hearing.NORMALISED}),
        ("Seen by Rosa. A chest X", {Hearing.WRITTEN}),
        (SHOUTED.upper(), {Hearing.WRITTEN, Hearing.CAPITALISED}),
        (SHOUTED.lower(), {Hearing.WRITTEN, Hearing.CAPITALISED}),
    ],
)
def test_a_text_is_heard_again_only_where_normalising_changes_it(text, hearings):
    cut = windows(model("a", normalised=True), 0, text)
    assert {window.hearing for window in cut} == hearings
    for one in hearings:
        mine = [window for window in cut if window.hearing is one]
        assert prove(text, "text", {"a": mine}, ()).examined == len(text)


def test_an_ensemble_takes_the_place_of_voting():
    """Heads can't be pooled, but an ensemble pools nothing: all its models are decoded at once."""
    made = two_versions()
    for pooled in (True, False):
        setup = Language((), (model("a"), model("b")), pooled=pooled, ensemble=made)
        assert setup.electorates == [setup.models]
        assert setup.decoder == made.decode


@pytest.mark.parametrize(
    ("models", "code"),
    [
        ([model("a")], "profile.models"),
        ([model("a"), model("b"), model("c")], "profile.models"),
        ([model("a"), model("b", ("PATIENT", "DATE"))], "profile.labels"),
    ],
)
def test_an_ensemble_refuses_other_models_than_its_own(models, code):
    with pytest.raises(Halt, match=code):
        two_versions().prepared(models)


def test_the_shipped_ensemble_has_each_label_that_hides_in_one_entity():
    (code, made), *more = ensemble.shipped("nference").items()
    assert (code, more) == ("en", [])
    repo = manifest.repository()
    specs = {name: manifest.model_spec(manifest.load(repo, name)) for name in made.models}
    assert [one.name for one in made.prepared(list(specs.values())) if one.normalised] == [
        "bert_en"
    ]
    for version in made.versions:
        labels = [label for of in version.entities.values() for label in of]
        assert len(labels) == len(set(labels))
        hidden = {tag[2:] for tag in specs[version.model].labels if tag.startswith("B-")}
        hidden = {label for label in hidden if label_type(label) is not None}
        assert version.normalised or hidden <= set(labels)


@pytest.mark.parametrize(
    ("models", "code"),
    [
        ({"es": ("bert_es",)}, "profile.language"),
        ({"en": ("bert_en",), "es": ("bert_es",)}, "profile.models"),
        ({"en": ("bert_en", "bilstm_crf_en", "ts_gru_es")}, "profile.models"),
    ],
)
def test_a_profile_that_these_models_do_not_make_up_is_told(models, code):
    settings = replace(NFERENCE, models=models)
    with pytest.raises(Halt, match=code):
        of_profile(settings)
    (problem,) = offline_checks.problems(settings)
    assert problem.path == "profile"
    assert "bert_en" in str(problem) or "en" in problem.what


def test_a_profile_goes_with_other_languages_and_the_feature_crf():
    models = {"en": ("bilstm_crf_en", "crf", "bert_en"), "es": ("bert_es",)}
    assert list(of_profile(replace(NFERENCE, models=models))) == ["en"]
    assert of_profile(config.Settings()) == {}


def test_a_release_names_its_profile():
    assert release_name(NFERENCE, {}) != release_name(config.Settings(), {})


OWN = """
[xx]
[xx.entities]
name = ["PATIENT"]
location = ["CITY"]
[[xx.versions]]
model = "names"
o_bias = 0
entities = ["name"]
[[xx.versions]]
model = "places"
o_bias = 0.5
entities = ["location"]
"""


def of_own(tmp_path, text=OWN, **models):
    file = tmp_path / "ensemble.toml"
    file.write_text(text, "utf-8")
    served = models or {"xx": ("places", "names", "crf")}
    return replace(NFERENCE, profile_file=str(file), models=served)


def test_a_profile_is_made_of_models_of_ones_own_each_of_its_entity(tmp_path):
    (made,) = of_profile(of_own(tmp_path)).values()
    assert made.models == ("names", "places")
    assert made.fast_paths == "off"
    names, places = made.prepared([model("names", ("PATIENT",)), model("places", ("CITY",))])
    said = {"Rosa": {"PATIENT": 0.9}}
    assert found(made, reading(names, **said), reading(places, Lima={"CITY": 0.4})) == [
        ("names.name@1", "Rosa"), ("places.location@1", "Lima"),
    ]  # fmt: skip


def test_what_a_profile_of_ones_own_says_is_part_of_the_release(tmp_path):
    names = [
        release_name(settings, {})
        for settings in (
            of_own(tmp_path), of_own(tmp_path, OWN.replace("0.5", "0.6")), NFERENCE,
        )
    ]  # fmt: skip
    settings = of_own(tmp_path)
    assert len({*names, release_name(settings, {})}) == 3
    assert release_name(replace(settings, profile="default"), {}) == release_name(
        replace(settings, profile="default", profile_file=""), {}
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[xx.entities]", "[xx.what]", "entities"),
        ('"CITY"', '"TOWN"', "TOWN"),
        ('["location"]', '["place"]', "place"),
        ("o_bias = 0.5", 'o_bias = "much"', "much"),
        ("o_bias = 0.5", "bias = 0.5", "bias"),
        ("[xx]", '[xx]\nfast_paths = "templates"', "fast_paths"),
        ("[xx]", "[xx", "ensemble"),
        (OWN, "xx = 3", "ensemble"),
    ],
)
def test_a_file_that_describes_no_ensemble_is_told_once(tmp_path, old, new, told):
    settings = of_own(tmp_path, OWN.replace(old, new))
    with pytest.raises(Halt, match=rf"profile\.file.*{told}"):
        of_profile(settings)
    assert [p.path for p in offline_checks.problems(settings)] == ["profile"]


def test_a_file_of_a_profile_that_is_away_is_told_once(tmp_path):
    settings = replace(of_own(tmp_path), profile_file=str(tmp_path / "none.toml"))
    assert [p.path for p in offline_checks.problems(settings)] == ["profile_file"]
    with pytest.raises(Halt, match=r"profile\.file"):
        of_profile(settings)


def test_lists_of_ones_own_are_read_where_the_profile_uses_them(tmp_path):
    mine = {"fast_lists": str(tmp_path)}
    assert compiled_lists(config.Settings(**mine)) is None
    assert compiled_lists(replace(NFERENCE, fast_paths="off", **mine)) is None
    with pytest.raises(Halt, match=r"fast\.missing"):
        compiled_lists(replace(NFERENCE, **mine))


def test_every_profile_that_can_be_set_is_shipped():
    (choices,) = [
        one.meta.choices
        for one in config.declare.declared(config.Settings)
        if one.path == "profile"
    ]
    assert choices[0] == ensemble.NO_PROFILE
    assert all(ensemble.shipped(name) for name in choices[1:])


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("nference:openvino:a@1.5,onnx:b", "system.bias"),
        ("ensemble:none.toml:openvino:a@1.5,onnx:b", "system.bias"),
        ("nference:what:a", "system.unknown"),
        ("ensemble:none.toml:what:a", "profile.file"),
    ],
)
def test_compare_refuses_what_the_ensemble_can_not_be_made_of(spec, code):
    with pytest.raises(Halt, match=code):
        systems.member(spec, Path())


def test_compare_reads_models_as_the_profile_does():
    note = AnnotatedNote("1", TEXT, (), "en")
    specs = [model("bert_en", SHIPPED), model("bilstm_crf_en", SHIPPED)]

    def emit(cut, word, label):
        def share(window):
            at = window.starts == TEXT.index(word)
            scores = np.zeros((len(window), len(tag_names(SHIPPED))), np.float32)
            scores[:, 0] = 5
            scores[at, tag_names(SHIPPED).index(f"B-{label}")] = 9
            return scores

        return [share(window) for window in cut]

    one = (specs[0], lambda cut: emit(cut, "Rosa", "PATIENT"))
    other = (specs[1], lambda cut: emit(cut, "Lima", "CITY"))
    (said,) = systems.entity_models([one, other])([note])
    mine = OWN.replace("xx", "en").replace('"names"', '"bert_en"')
    described = mine.replace('"places"', '"bilstm_crf_en"')
    assert systems.entity_models([one, other], described)([note]) == [said]
    assert [(d.detector, TEXT[d.start : d.end]) for d in said] == [
        ("bert_en.name@1", "Rosa"), ("bilstm_crf_en.location@1", "Lima"),
    ]  # fmt: skip
