"""`tools/earlier_round.py`: a version that served is taken out of the history."""

import json
import subprocess

import earlier_round
import pytest

MODEL = "triton_models/bert_en"


def commit(root, text):
    who = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")
    for arguments in (("add", "-A"), (*who, "commit", "-q", "-m", text)):
        subprocess.run(["git", "-C", str(root), *arguments], check=True)


@pytest.fixture
def repository(tmp_path):
    """Three commits: version 1, 2, and 2 with another threshold."""
    root = tmp_path / "repository"
    (root / MODEL / "1").mkdir(parents=True)
    (root / "triton_models/shared").mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for version, bias in (("1", 0), ("2", 0), ("2", 1)):
        manifest = {"version": version, "o_bias": bias}
        (root / MODEL / "manifest.json").write_text(json.dumps(manifest), "utf-8")
        (root / MODEL / "weights.safetensors").write_text(f"weights {version}", "utf-8")
        (root / "triton_models/shared/trunk.safetensors").write_text("embeddings", "utf-8")
        commit(root, f"version {version}")
    return root


@pytest.mark.parametrize(("version", "bias"), [("1", 0), ("2", 1)])
def test_the_last_commit_of_a_version_is_written_with_the_embeddings(
    repository, tmp_path, version, bias
):
    out = tmp_path / "round"
    earlier_round.write("bert_en", version, out, repository)
    assert json.loads((out / "bert_en/manifest.json").read_text("utf-8"))["o_bias"] == bias
    assert (out / "bert_en/weights.safetensors").read_text("utf-8") == f"weights {version}"
    assert sorted(path.name for path in out.iterdir()) == ["bert_en", "shared"]


def test_a_version_that_never_was_is_told_with_those_that_were(repository, tmp_path):
    with pytest.raises(SystemExit, match=r"no version 3 \(it has 1, 2\)"):
        earlier_round.write("bert_en", "3", tmp_path / "round", repository)
    with pytest.raises(SystemExit, match="it has none"):
        earlier_round.write("bert_xx", "1", tmp_path / "round", repository)
