"""Recipes that are shipped can be read, and say what they mean."""

import pytest

from stream_deid.errors import Halt
from stream_deid.training.run import recipe
from stream_deid.training.run.bert_recipe import Run


@pytest.mark.parametrize("path", sorted(recipe.SHIPPED.glob("*.toml")), ids=lambda p: p.stem)
def test_shipped_recipes_can_be_read(path):
    table = recipe.read(path)
    if table["system"] == "bert":
        assert Run.read(path).name == table["name"]


def test_a_recipe_that_extends_another_says_only_what_differs():
    one = Run.read(recipe.find("bert-en-names"))
    titled = Run.read(recipe.find("bert-en-names-titled"))
    assert (titled.name, titled.model.titled) == ("bert_en_names_titled", True)
    assert (titled.data, titled.training) == (one.data, one.training)


def test_the_base_of_a_recipe_must_be_there(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('extends = "no-such"\n', "utf-8")
    with pytest.raises(Halt, match="no-such"):
        recipe.read(path)
