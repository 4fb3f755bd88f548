"""Settings: every mistake is told at once, and nothing unknown is accepted."""

from pathlib import Path

import pytest

from stream_deid import config
from stream_deid.errors import Halt


def load(tmp_path: Path, text: str, **env: str) -> config.Settings:
    file = tmp_path / "deid.toml"
    file.write_text(text, encoding="utf-8")
    return config.load(file, env)


def test_defaults_need_no_file():
    settings = config.load(None, {})
    assert settings.kafka.topic_in == "notes.raw"
    assert set(settings.models) == {"en", "es"}


def test_file_and_environment(tmp_path):
    settings = load(
        tmp_path,
        'deadline_s = 5\n[kafka]\ngroup = "a"\nbatch = 8\n[models]\nen = ["one", "two"]\n',
        STREAM_DEID_KAFKA__GROUP="b",
        STREAM_DEID_KAFKA__BATCH="16",
        STREAM_DEID_MODELS__ES='["three"]',
        PATH="ignored",
    )
    assert settings.kafka.group == "b"
    assert settings.kafka.batch == 16
    assert settings.deadline_s == 5.0
    assert settings.models == {"en": ("one", "two"), "es": ("three",)}


def test_a_number_in_the_environment_can_be_a_string_setting():
    assert config.load(None, {"STREAM_DEID_KEYS__EPOCH": "7"}).keys.epoch == "7"


def test_all_mistakes_are_reported_together(tmp_path):
    with pytest.raises(Halt) as caught:
        load(
            tmp_path,
            '[kafka]\nbatch = "many"\ntopik_in = "x"\n[nonsense]\na = 1\n',
            STREAM_DEID_HTTP__PROT="1",
        )
    assert caught.value.code == "config.invalid"
    for mistake in ("kafka.batch must be int", "kafka.topik_in", "nonsense", "http.prot"):
        assert mistake in caught.value.detail


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[kafka]\ntopic_out = "notes.raw"\n', "topics must differ"),
        ("[kafka]\nbatch = 0\n", "kafka.batch must be above 0"),
        ("[models]\nen = []\n", "models.en is empty"),
        ('[formats]\naccept = ["xml"]\n', "unknown format 'xml'"),
        ('[formats]\nlanguage = "fr"\n', "formats.language"),
        ("[kafka\n", "not TOML"),
    ],
)
def test_contradictions_are_refused(tmp_path, text, told):
    with pytest.raises(Halt, match=r"config\.invalid") as caught:
        load(tmp_path, text)
    assert told in caught.value.detail


def test_keys_come_from_a_file_or_the_environment(tmp_path):
    file = tmp_path / "key"
    file.write_bytes(b"0123456789abcdef\n")
    assert config.read_key(config.Keys(file=str(file))) == b"0123456789abcdef"
    assert config.read_key(config.Keys(value="x" * 16)) == b"x" * 16
    for keys, code in (
        (config.Keys(), "key.missing"),
        (config.Keys(file=str(file), value="x" * 16), "key.missing"),
        (config.Keys(value="short"), "key.weak"),
        (config.Keys(file=str(tmp_path / "none")), "key.unreadable"),
    ):
        with pytest.raises(Halt) as caught:
            config.read_key(keys)
        assert caught.value.code == code


def test_secrets_do_not_show_in_a_repr():
    settings = config.load(None, {"STREAM_DEID_KEYS__VALUE": "very-secret-very-secret"})
    assert "very-secret" not in repr(settings)
