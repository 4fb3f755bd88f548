"""Every setting that is a file, a folder or an address is looked at, and none can be forgotten."""

import re

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid import cli, config
from stream_deid.config import declare, named_files, showing
from stream_deid.operations import offline_checks
from stream_deid.serving import manifest

TEXTS = [
    one
    for one in declare.declared(config.Settings)
    if one.hint not in (int, float, bool) and not one.meta.choices
]
NAMING = re.compile(r"\b(files?|folder|address|brokers|topic|host:port)\b", re.IGNORECASE)
OPTIONS = {
    "kafka.security": ("ssl.ca.location", "ssl.certificate.location", "https.ca.location"),
    "registry.options": ("ssl.ca.location", "ssl.key.location"),
}
PATHS = [
    *((one.path, one) for one in TEXTS if one.meta.kind in ("file", "folder")),
    *((f"{path}.{name}", None) for path, names in OPTIONS.items() for name in names),
]


def environment(path, item, value):
    name = declare.environment_name(path) if item else option(path)
    return {name: showing.toml([value]) if item and item.hint is not str else value}


def option(path):
    section, name, entry = path.split(".", 2)
    return f"{declare.environment_name(f'{section}.{name}')}__{entry.upper()}"


def told(env, **left_out):
    return offline_checks.all_problems(config.examine(None, env), models=False, **left_out)


@pytest.mark.parametrize("item", TEXTS, ids=lambda one: one.path)
def test_every_text_says_what_it_is(item):
    """A new setting has to: what names a file and doesn't say so would be looked at by nobody."""
    assert item.meta.kind in declare.KINDS
    if item.meta.kind == "text":
        assert not NAMING.search(item.meta.meaning.split(".")[0].split(";")[0])


@pytest.mark.parametrize(("path", "item"), PATHS, ids=lambda one: one if type(one) is str else "")
def test_a_file_that_is_not_there_is_told(path, item, tmp_path):
    gone = str(tmp_path / "gone")
    env = environment(path, item, gone)
    (problem,) = [one for one in told(env) if gone in one.what]
    assert problem.path == path
    assert "can't be read: No such file" in problem.what
    assert problem.remedy
    assert problem.where == f"environment {next(iter(env))}"
    assert not [one for one in told(env, files=False) if gone in one.what]


@pytest.mark.parametrize(("path", "item"), PATHS, ids=lambda one: one if type(one) is str else "")
def test_a_folder_in_place_of_a_file_is_told_and_the_other_way_round(path, item, tmp_path):
    folder = item is not None and item.meta.kind == "folder"
    wrong = tmp_path / "wrong"
    wrong.write_bytes(b"") if folder else wrong.mkdir()
    found = told(environment(path, item, str(wrong)))
    (problem,) = [one for one in found if one.path == path and str(wrong) in one.what]
    assert problem.what.endswith("is no folder" if folder else "is a folder, not a file")


@pytest.mark.parametrize(("path", "item"), PATHS, ids=lambda one: one if type(one) is str else "")
def test_one_that_is_there_is_not(path, item, tmp_path):
    there = tmp_path / "there"
    there.mkdir() if item and item.meta.kind == "folder" else there.write_bytes(b"")
    found = config.examine(None, environment(path, item, str(there)))
    assert path not in [one.path for one in named_files.unreadable(found.draft)]


ADDRESSES = [
    *((one.path, one) for one in TEXTS if one.meta.kind in
      ("brokers", "server", "host", "url", "endpoint")),
    ("kafka.security.sasl.oauthbearer.token.endpoint.url", None),
]  # fmt: skip


@pytest.mark.parametrize(("path", "item"), ADDRESSES, ids=lambda o: o if type(o) is str else "")
@pytest.mark.parametrize("wrong", ["a b", "no where:1", ":", "http:///", "host:99999"])
def test_what_is_no_address_is_told(path, item, wrong):
    paths = [one.path for one in told(environment(path, item, wrong))]
    assert path in paths


@pytest.mark.parametrize("item", [one for one in TEXTS if one.meta.kind == "topic"],
                         ids=lambda one: one.path)  # fmt: skip
def test_what_no_topic_can_be_called_is_told(item):
    assert item.path in [one.path for one in told({item.environment: "a b/c"})]


def test_a_sender_may_read_the_topic_of_another_setting():
    assert not told({"STREAM_DEID_MLLP_OUT__TOPIC": "released.notes"})


def test_a_folder_that_is_to_be_made_is_told_where_it_cannot(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    env = {"STREAM_DEID_KAFKA__STATE_DIR": str(tmp_path / "file" / "state")}
    assert "there is a file in its place" in told(env)[0].what
    assert not told({"STREAM_DEID_KAFKA__STATE_DIR": str(tmp_path / "a" / "b")})
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]


@pytest.mark.parametrize("folder", ["/proc/state", "/sys/state", "/proc"])
def test_a_folder_where_nothing_can_be_made_is_told_to_root_too(folder):
    (only,) = told({"STREAM_DEID_KAFKA__STATE_DIR": folder})
    assert only.path == "kafka.state_dir"
    assert "can't be written" in only.what


@pytest.mark.parametrize(
    ("name", "path", "page"),
    [
        ("HL7_MAPS", "formats.hl7_maps", "interfaces.md"),
        ("JSON_MAPS", "formats.json_maps", "json.md"),
    ],
)
@pytest.mark.parametrize("content", [None, "nonsense = 1\n", "no toml"])
def test_a_map_leads_to_its_own_page_and_the_other_files_are_read(
    tmp_path, name, path, page, content
):
    file = tmp_path / "map.toml"
    if content is not None:
        file.write_text(content)
    rule = {"STREAM_DEID_FORMATS__FHIR_RULES": '{"Patient.x" = "shout"}'}
    found = told({f"STREAM_DEID_FORMATS__{name}": f'["{file}"]', **rule})
    assert [one.path for one in found] == [path, "formats.fhir_rules"]
    assert page in found[0].remedy
    assert found[1].where == "environment STREAM_DEID_FORMATS__FHIR_RULES"


def test_a_weak_key_in_a_file_is_told(tmp_path):
    (tmp_path / "key").write_bytes(b"short\n")
    (tmp_path / "key").chmod(0o600)
    (problem,) = told({"STREAM_DEID_KEYS__FILE": str(tmp_path / "key")})
    assert problem.path == "keys.file"
    assert "the key has 5 bytes" in problem.what


def test_lists_that_are_no_text_are_told(tmp_path):
    (tmp_path / "drugs_en.txt").write_bytes(b"\xff\xfe\xff")
    env = {"STREAM_DEID_FAST_LISTS": str(tmp_path), "STREAM_DEID_FAST_PATHS": "inclusion"}
    assert [one.path for one in told(env)] == ["fast_lists"]


@pytest.fixture(scope="module")
def each_is_read_once():
    """What the repository says of a model doesn't change."""
    spec, specs = manifest.model_spec, {}

    def read(one):
        if one.digest not in specs:
            specs[one.digest] = spec(one)
        return specs[one.digest]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest, "model_spec", read)
        yield


REPO = manifest.repository()
NAMES = [*manifest.names(REPO), "crf", "bert_em", "no_such"]


@pytest.mark.usefixtures("each_is_read_once")
@given(
    st.dictionaries(
        st.sampled_from(["en", "es"]), st.lists(st.sampled_from(NAMES), min_size=1, max_size=4),
        min_size=1,
    )
)  # fmt: skip
def test_no_mistake_about_models_hides_another_and_none_is_told_doubled(models):
    said = showing.toml(models)
    found = config.examine(None, {"STREAM_DEID_MODELS": said, "STREAM_DEID_TRITON__URL": "t:1"})
    told = [one.what for one in offline_checks.all_problems(found)]
    assert len(told) == len(set(told))
    for code, names in models.items():
        path = f"models.{code}"
        ours = [what for what in told if what.startswith(f"{path}")]
        assert not [what for what in ours if what.count(path) > 1]
        for name in dict.fromkeys(names):
            if name in ("bert_em", "no_such"):
                assert any(f"there is no model '{name}'" in what for what in ours)
            elif name != "crf" and code not in manifest.load(REPO, name, hashes=False).languages:
                assert any(f"{name} is for" in what for what in ours)
            if names.count(name) > 1:
                assert any("twice" in what and name in what for what in ours)


def test_files_that_are_mounted_elsewhere_can_be_left_out(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("STREAM_DEID_CONFIG", raising=False)
    file = tmp_path / "deid.toml"
    file.write_text(
        '[kafka.security]\n"security.protocol" = "SSL"\n"ssl.ca.location" = "/run/none/ca.crt"\n'
        '[keys]\nfile = "/run/none/key"\n[formats]\nhl7_maps = ["/run/none/lab.toml"]\n'
    )
    check = ["--config", str(file), "config", "check", "--no-models", "--json"]
    assert cli.main(check) == 78
    paths = {one["path"] for one in orjson.loads(capsys.readouterr().out)}
    assert paths == {"kafka.security.ssl.ca.location", "keys.file", "formats.hl7_maps"}
    assert cli.main([*check, "--no-files"]) == 0
