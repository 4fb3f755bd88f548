"""`stream-deid models build --target tensorrt`, as far as it goes where no GPU is."""

import pytest
import tiny

from stream_deid.config import Settings, Triton
from stream_deid.errors import Halt
from stream_deid.serving.build import commands


@pytest.fixture
def settings(repo):
    tiny.add_model(repo, "unused", "wordchar", seed=3)
    return Settings(triton=Triton(repository=str(repo)), models={"en": ("tiny_lstm", "tiny_bert")})


def build(settings, into, cache):
    with pytest.raises(Halt) as caught:
        commands.build(settings, "tensorrt", into=into, cache=cache)
    return caught.value.code


def test_only_the_configured_models_are_copied_and_a_second_try_starts_anew(settings, tmp_path):
    """The container that builds plans is started again in the folder that it left."""
    into = tmp_path / "models"
    (into / "tiny_lstm").mkdir(parents=True)
    (into / "tiny_lstm/half").write_text("what an earlier try left")
    assert build(settings, into, tmp_path / "plans").startswith("tensorrt.")
    assert build(settings, into, tmp_path / "plans").startswith("tensorrt.")
    assert sorted(path.name for path in into.iterdir()) == ["tiny_bert", "tiny_lstm"]
    assert (into / "tiny_lstm/1/model.onnx").is_file()
    assert not (into / "tiny_lstm/half").exists()


def test_cpu_engines_take_no_cache(settings, tmp_path):
    with pytest.raises(Halt) as caught:
        commands.build(settings, "cpu", cache=tmp_path)
    assert caught.value.code == "build.target"
