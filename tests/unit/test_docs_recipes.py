"""What documents say of recipes is what recipes hold: names, chains of rounds, sizes."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from stream_deid.detect.neural.crf_knowledge import Families

ROOT = Path(__file__).parents[2]
RECIPES = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in (ROOT / "stream_deid/training/recipes").glob("*.toml")
}
FAMILIES = {"-".join(name.split("-")[:2]) for name in RECIPES} - {"bert-en", "bert-es"}
NAMED = re.compile(r"`(-?[a-z0-9]+(?:-[a-z0-9]+)*)`|`train ([a-z0-9-]+)`")
SERVED = ("served:bert_en", "served:bert_es")
PAPERS = (ROOT / "docs/papers.md").read_text("utf-8")


def named(text: str) -> set[str]:
    """Recipes by name; `-3` behind `bert-en-2` is `bert-en-3`."""
    found, last = set(), ""
    for match in NAMED.finditer(text):
        name = match[1] or match[2]
        if name.startswith("-"):
            tries = [last[: cut.start()] + name for cut in re.finditer("-|$", last)]
            found.add(next((one for one in tries if one in RECIPES), name))
        elif name in RECIPES or name.startswith(("bert-en-", "bert-es-", *FAMILIES)):
            found.add(name)
            last = name
    return found


@pytest.mark.parametrize("page", ["models", "models-history", "papers"])
def test_every_recipe_that_a_page_names_is_there(page):
    assert named((ROOT / f"docs/{page}.md").read_text("utf-8")) <= RECIPES.keys()


def test_every_recipe_is_told_of():
    pages = ("models", "models-history", "papers")
    told = {r for page in pages for r in named((ROOT / f"docs/{page}.md").read_text("utf-8"))}
    assert sorted(RECIPES.keys() - told) == []


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_round_begins_where_a_recipe_ends(name):
    recipe = RECIPES[name]
    start = recipe.get("model", {}).get("start", "")
    base = recipe.get("extends", "")
    assert not base or base in RECIPES
    if start.startswith("served:"):
        assert (ROOT / "triton_models" / start.removeprefix("served:")).is_dir()
    else:
        assert not start or start in RECIPES


def test_values_that_the_papers_page_states_are_those_of_its_recipes():
    published = RECIPES["nference-en-published"]
    training = published["training"]
    assert "256 tokens, 4 epochs, batch 32, 5e-5, warm-up .4, `bert-base-cased`" in PAPERS
    assert (published["model"]["window"], training["epochs"], training["batch"]) == (256, 4, 32)
    assert (training["rate"], training["warm_up"]) == (5e-5, 0.4)
    assert published["model"]["trunk"] == "bert-base-cased"
    assert "a rate of 2e-3" in PAPERS
    assert RECIPES["e2ej-es"]["schedule"]["rate"] == 2e-3
    assert "narrow convolution and .001" in PAPERS
    assert RECIPES["e2ej-es-narrow"]["schedule"]["rate"] == 1e-3
    assert "RMSprop, 8 epochs" in PAPERS
    skeleton = RECIPES["ts-gru-es"]["schedule"]
    assert (skeleton["optimiser"], skeleton["epochs"]) == ("rmsprop", 8)
    assert "(ablations, MEDDOCAN dev, 10 epochs each)" in PAPERS.replace("\n", " ")
    ablations = [name for name in RECIPES if name.startswith("ann-es")]
    assert all(
        (RECIPES[name].get("schedule") or {"epochs": 10}).get("epochs", 10) == 10
        for name in ablations
    )


def test_figures_on_notes_from_elsewhere_are_those_of_the_manifests():
    flat = " ".join(PAPERS.split())
    told = {}
    for name in ("ts_gru_es", "e2ej_es"):
        manifest = json.loads((ROOT / f"triton_models/{name}/manifest.json").read_text("utf-8"))
        figures = manifest["figures"]["jsonl:es:corpora/dev/es_dev.jsonl"]
        of = [*figures["token.all"][:2], figures["ner"][2]]
        told[name] = [f"{value:.2f}".removeprefix("0") for value in of]
    (p1, r1, f1), (p2, r2, f2) = told.values()
    assert f"TS-GRU finds {r1} of the words at precision {p1} and E2EJ {r2} at {p2}" in flat
    assert f"(by entities F1 {f1} and {f2}; their manifests)" in flat


def test_rounds_are_counted_by_the_versions_that_serve():
    versions = [
        json.loads((ROOT / f"triton_models/{name}/manifest.json").read_text("utf-8"))["version"]
        for name in ("bert_en", "bert_es")
    ]
    assert "(`bert_en` {}, `bert_es` {})".format(*versions) in PAPERS


def test_what_a_run_reads_that_no_recipe_makes_is_taken_from_the_history_by_a_command():
    models = (ROOT / "docs/models.md").read_text("utf-8")
    taken = re.findall(r"tools/earlier_round\.py runs/(\S+) ([a-z0-9_= ]+)", models)
    made = {(run, pair.partition("=")[0]) for run, pairs in taken for pair in pairs.split()}
    for name, recipe in RECIPES.items():
        read = " ".join(one for s in recipe.get("sets", ()) for one in s["unseen"])
        for run, model in re.findall(r"\{runs\}/([^/]+)/(\w+)", read):
            assert run in RECIPES or (run, model) in made, f"{name} reads {run}/{model}"


def test_where_a_round_began_is_told_of_each_that_goes_on_from_what_served():
    models = (ROOT / "docs/models.md").read_text("utf-8")
    told = models.partition("What serves is another round today:")[2].partition(". To begin")[0]
    began = [name for name in RECIPES if whole(name).get("model", {}).get("start", "") in SERVED]
    assert len(began) > 10
    assert named(told) == set(began)


def whole(name: str) -> dict[str, dict[str, object]]:
    """A recipe over the ones that it extends."""
    own = RECIPES[name]
    base = whole(own["extends"]) if "extends" in own else {}
    merged = {k: {**base.get(k, {}), **v} for k, v in own.items() if isinstance(v, dict)}
    return {**base, **merged}


def test_what_the_papers_page_says_of_the_families_of_the_crf_is_what_recipes_choose():
    assert "`crf-es-plain` is without both" in PAPERS
    assert whole("crf-es-plain")["features"] == {"lists": False, "expressions": ""}
    for name in ("crf-es", "crf-en-known"):
        assert whole(name)["features"] == {"lists": True, "expressions": name[4:6]}
    weights = (ROOT / "stream_deid/detect/neural/data/crf_es.crfsuite").read_bytes()
    assert Families.of_weights(weights) == Families(lists=True, expressions="es")


def test_the_published_values_that_the_papers_page_states_are_those_of_their_recipes():
    flat = " ".join(PAPERS.split())
    assert "word2vec vectors (window 10, 5 occurrences, 15 iterations, 10 negative samples" in flat
    vectors = (ROOT / "stream_deid/training/run/word2vec.py").read_text("utf-8")
    stated = dict(
        re.findall(r"^    (window|least|epochs|negative): int = (\d+)$", vectors, re.MULTILINE)
    )
    assert stated == {"window": "10", "least": "5", "epochs": "15", "negative": "10"}
    assert "vectors" not in whole("word2vec-es")
    assert whole("word2vec-es-150")["vectors"] == {"width": 150}
    for name, source in (("ann-es", "word2vec-es"), ("ts-gru-es", "word2vec-es-150")):
        learner = "ann-es-word2vec" if name == "ann-es" else "ts-gru-es-published"
        assert whole(learner)["model"]["vectors"] == f"runs/{source}/vectors.vec"
    assert "`ann-es-sgd` has the paper's plain gradient descent" in flat
    assert whole("ann-es-sgd")["schedule"]["optimiser"] == "sgd"
    assert whole("ann-es-sgd")["schedule"]["decay"] is False
    assert "early stopping on a fifth" in flat
    assert whole("ts-gru-es-published")["data"]["held"] == 0.2
