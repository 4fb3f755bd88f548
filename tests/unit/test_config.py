"""Settings: every mistake is told at once, and nothing unknown is accepted."""

import ast
import math
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid import assembly, cli, config
from stream_deid.config import declare, showing
from stream_deid.errors import Halt
from stream_deid.exits import status_of
from stream_deid.operations import offline_checks
from stream_deid.serving import manifest
from stream_deid.streaming.kafka import security

KEY = "0123456789abcdef"


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


@pytest.mark.parametrize(
    "name", ["KAFKA__BOOTSTRAP", "TRITON__URL", "HTTP__HOST", "MLLP__HOST", "MLLP_OUT__HOST"]
)
def test_credentials_in_an_address_are_refused_and_not_told(name):
    env = {f"STREAM_DEID_{name}": "SASL_SSL://clerk:hunter@2@broker:9092"}
    found = config.examine(None, env)
    assert found.settings is None
    told = showing.mistakes(found.problems) + showing.mistakes_as_json(found.problems).decode()
    assert "hunter" not in told
    assert "clerk" not in told


def test_all_mistakes_are_reported_together(tmp_path):
    with pytest.raises(Halt) as caught:
        load(
            tmp_path,
            '[kafka]\nbatch = "many"\ntopik_in = "x"\n[nonsense]\na = 1\n',
            STREAM_DEID_HTTP__PROT="1",
        )
    assert caught.value.code == "config.invalid"
    for mistake in ("kafka.batch must be whole number", "kafka.topik_in", "nonsense", "http.prot"):
        assert mistake in caught.value.detail


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[kafka]\ntopic_out = "notes.raw"\n', "topics must differ"),
        ("[kafka]\nbatch = 0\n", "kafka.batch must be at least 1"),
        ("budget_s = 0.01\n", "budget_s must be 0 or at least 0.1"),
        ("[triton]\nmax_in_flight = 100000000\n", "must be at most 1,000"),
        ("[http]\nport = 2575\n", "mllp.port and http.port are both 2575"),
        ('[http]\nhost = "::"\n[mllp]\nport = 8080\n', "ports must differ"),
        (
            '[http]\nhost = "0.0.0.0"\n[mllp_out]\nhost = "localhost"\nport = 8080\n',
            "mllp_out.port and http.port are both 8080",
        ),
        (
            "[kafka]\ntransaction_timeout_s = 0.5\n",
            "kafka.transaction_timeout_s must be at least 1",
        ),
        ("[models]\nen = []\n", "models.en has no model"),
        (
            '[formats]\naccept = ["xml"]\n',
            "formats.accept must be 'json' or 'hl7v2' or 'fhir', not 'xml'",
        ),
        ('[formats]\nlanguage = "fr"\n', "formats.language"),
        ("[kafka\n", "not TOML"),
        ("[formats]\naccept = []\n", "every message would be a dead letter"),
        ('[formats]\nsafe_fields = ["text", "x"]\n', "text identifies"),
        ('[formats]\nsafe_fields = ["patient_id"]\n', "patient_id identifies"),
        ("models = {}\n", "[models] is empty"),
        ('[models]\nenglish = ["bert_en"]\n', "'english' is no name of a language"),
        ('[models]\nen = ["../../etc"]\n', "is no name of a model"),
        ('[kafka]\ntopic_in = "a b/c"\n', "which no topic can be called"),
        ('[kafka]\ntopic_in = ".."\n', "which no topic can be called"),
        ('[kafka]\ngroup = ""\n', "which no group can be called"),
        ('[kafka]\ngroup = "a\\nb"\n', "which no group can be called"),
        ('[kafka]\nmember = "worker 1"\n', "which no member can be called"),
        ('[kafka]\nbootstrap = ""\n', "is no address"),
        ('[kafka]\nbootstrap = "h:9092,h:99999"\n', "'h:99999' is no address"),
        ('[kafka]\nbootstrap = "h:9092,,"\n', "'' is no address"),
        ('[kafka]\nbootstrap = "h:9092,k"\n', "'k' has no port"),
        ('[triton]\nurl = "http://x:1"\n', "is no address"),
        ('[triton]\nurl = "dns:///"\n', "is no address"),
        ('[triton]\nurl = ""\n', "is no address"),
        ('[http]\nhost = "999.1.1.1"\n', "is no address"),
    ],
)
def test_contradictions_are_refused(tmp_path, text, told):
    with pytest.raises(Halt, match=r"config\.invalid") as caught:
        load(tmp_path, text)
    assert told in caught.value.detail


@pytest.mark.parametrize(
    "text",
    [
        "[http]\nport = 0\n[mllp]\nport = 8080\n",
        '[http]\nhost = "10.0.0.1"\n[mllp]\nhost = "10.0.0.2"\nport = 8080\n',
        '[http]\nhost = "0.0.0.0"\n[mllp_out]\nhost = "ehr.example"\nport = 8080\n',
        '[mllp_out]\nhost = "127.0.0.1"\n',
    ],
)
def test_equal_ports_that_do_not_meet_are_taken(tmp_path, text):
    load(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "path", "remedy"),
    [
        ('[kafka]\nsecurity.protocl = "SSL"\n', "protocl", "security.protocol"),
        ('[kafka.security]\n"security.protocl" = "SSL"\n', "security.protocl",
         "security.protocol"),
        ('[kafka.security]\n"sasl.user" = "a"\n', "sasl.user", "sasl.username"),
        ('[kafka]\nsecurity.protocol = "SSL"\n', "protocol", "security.protocol"),
        ('[kafka.security]\n"linger.ms" = "5"\n', "linger.ms", ""),
    ],
)  # fmt: skip
def test_an_option_that_cannot_be_set_leads_to_the_one_that_is_meant(tmp_path, text, path, remedy):
    file = tmp_path / "deid.toml"
    file.write_text(text)
    (only,) = offline_checks.all_problems(config.examine(file, {}), models=False)
    assert only.path == f"kafka.security.{path}"
    assert only.where == f"file {file}"
    assert (only.remedy == f"did you mean kafka.security.{remedy}?") is bool(remedy)
    told = f"did you mean {remedy}?" if remedy else "not supported"
    with pytest.raises(Halt, match=rf"kafka\.security.*{re.escape(told)}"):
        security.credentials(config.load(file, {}).kafka.security)


@pytest.mark.parametrize(
    "text",
    ["h:9092", "a-b.c_d:1,10.0.0.1:65535", "[::1]:9092", "SASL_SSL://kafka.example:9093"],
)
def test_addresses_of_brokers(tmp_path, text):
    assert load(tmp_path, f'[kafka]\nbootstrap = "{text}"\n').kafka.bootstrap == text


NUMBERS = [one for one in declare.declared(config.Settings) if one.hint in (int, float)]


@pytest.mark.parametrize("one", NUMBERS, ids=lambda one: one.path)
@pytest.mark.parametrize(
    "value",
    ["0", "-0.0", "-1", "1e-300", "-1e-300", "99999999999999999999", "1e300", "-1e300", "nan",
     "inf", f"1{'0' * 400}", f"0x1{'0' * 5000}"],
)  # fmt: skip
@pytest.mark.parametrize("where", ["file", "environment"])
def test_no_number_is_beyond_all_sense(tmp_path, one, value, where):
    if one.meta.zero and value in ("0", "-0.0"):
        assert re.search(r"\b0: \w", one.meta.meaning)  # what it stands for
        return
    *section, name = one.path.rsplit(".", 1)
    head = f"[{section[0]}]\n" if section else ""
    text, env = f"{head}{name} = {value}\n", {}
    if where == "environment":
        text, env = "", {one.environment: value}
    with pytest.raises(Halt, match=r"config\.invalid") as caught:
        load(tmp_path, text, **env)
    assert one.path in caught.value.detail
    assert len(caught.value.detail) < 300 + len(str(tmp_path))


@pytest.mark.parametrize("one", NUMBERS, ids=lambda one: one.path)
def test_every_number_has_a_least_and_a_most(one):
    least, most = one.meta.bounds
    assert 0 < least < most < 2**53
    assert least <= one.default <= most or (one.meta.zero and one.default == 0)
    assert one.hint is float or least == int(least)


@given(st.sampled_from(NUMBERS), st.integers() | st.floats(), st.sampled_from([1, 1e-3, 1e6]))
def test_a_number_is_taken_within_its_bounds_and_refused_by_name_outside(one, value, scale):
    value = one.hint(value * scale) if math.isfinite(value * scale) else math.nan
    if one.hint is int and not isinstance(value, int):
        return
    least, most = one.meta.bounds
    found = config.examine(None, {one.environment: repr(value)})
    fits = least <= value <= most or (one.meta.zero and value == 0)
    assert (one.path in found.wrong) is not fits


def test_a_number_of_thousands_of_digits_is_a_mistake_and_no_crash(tmp_path):
    with pytest.raises(Halt, match=r"config\.invalid"):
        load(tmp_path, f"[kafka]\nbatch = {'9' * 5000}\n")
    found = config.examine(None, {"STREAM_DEID_KAFKA__BATCH": "9" * 5000})
    assert found.wrong == ("kafka.batch",)


@pytest.mark.parametrize(
    "text", ["1e5", "true", "0x10", '"quoted"', "[1]", " x ", "2026-01-01", ""]
)
def test_text_from_the_environment_is_taken_as_it_is(text):
    env = {"STREAM_DEID_KAFKA__SECURITY__SASL.PASSWORD": text, "STREAM_DEID_KEYS__EPOCH": text}
    settings = config.load(None, env)
    assert settings.kafka.security == {"sasl.password": text}
    assert settings.keys.epoch == text


def test_options_with_dots_can_be_exported_by_a_shell():
    env = {
        "STREAM_DEID_KAFKA__SECURITY__SASL_OAUTHBEARER_CLIENT_SECRET": "1e5",
        "STREAM_DEID_REGISTRY__OPTIONS__SSL_CA_LOCATION": "/ca",
        "STREAM_DEID_KAFKA__STATE_DIR": "/state",
    }
    found = config.examine(None, env)
    assert found.draft.kafka.security == {"sasl.oauthbearer.client.secret": "1e5"}
    assert found.draft.registry.options == {"ssl.ca.location": "/ca"}
    assert found.draft.kafka.state_dir == "/state"
    assert found.origin("kafka.security.sasl.oauthbearer.client.secret").startswith("environment")


def test_every_option_of_a_client_has_a_name_that_a_shell_can_export():
    for option in security.UNDERSTOOD:
        name = f"STREAM_DEID_KAFKA__SECURITY__{option.upper().replace('.', '_')}"
        assert name.isidentifier()
        assert config.examine(None, {name: "x"}).draft.kafka.security == {option: "x"}


@given(st.text(min_size=1).filter(lambda text: text[0] not in "\"'"))
def test_any_key_from_the_environment_is_the_key(text):
    assert config.load(None, {"STREAM_DEID_KEYS__VALUE": text}).keys.value == text


def test_a_key_in_quotes_is_refused_because_it_was_another_key_before():
    with pytest.raises(Halt, match=r"keys\.value stands in quotes"):
        config.load(None, {"STREAM_DEID_KEYS__VALUE": '"0123456789abcdef"'})


def test_what_is_no_text_is_written_as_in_toml():
    env = {
        "STREAM_DEID_MLLP__LENIENT_END": "true",
        "STREAM_DEID_DEADLINE_S": "5",
        "STREAM_DEID_POLICY__OVERRIDES": "{ages_over = 80}",
        "STREAM_DEID_FORMATS__ACCEPT": '["json"]',
    }
    settings = config.load(None, env)
    assert settings.mllp.lenient_end is True
    assert settings.deadline_s == 5.0
    assert settings.policy.overrides == {"ages_over": 80}
    assert settings.formats.accept == ("json",)


def problems(tmp_path, text="", **env):
    file = tmp_path / "deid.toml"
    file.write_text(text, encoding="utf-8")
    return {p.path: p for p in config.examine(file, env).problems}


@pytest.mark.parametrize(
    ("text", "env", "path", "remedy"),
    [
        ('[kafka]\ntopik_in = "x"\n', {}, "kafka.topik_in", "did you mean kafka.topic_in?"),
        ("[kafka]\ndeadline_s = 1\n", {}, "kafka.deadline_s", "did you mean deadline_s?"),
        ("[kafak]\nbatch = 1\n", {}, "kafak", "did you mean kafka?"),
        ("", {"STREAM_DEID_KAFKA_GROUP": "x"}, "kafka_group",
         "did you mean STREAM_DEID_KAFKA__GROUP?"),
        ("", {"STREAM_DEID_TRITON_PORT": "tcp://10.0.0.1:1"}, "triton_port",
         "a Kubernetes service link: set enableServiceLinks: false for the pod"),
        ('voting = "meen"\n', {}, "voting", "did you mean 'mean'?"),
        ("deadline_s = nan\n", {}, "deadline_s", ""),
        ('[http]\nport = "8080"\n', {}, "http.port", "write it as 12"),
        ("[http]\nport = 80800\n", {}, "http.port", "it is 80800"),
        ("[formats]\naccept = 'json'\n", {}, "formats.accept", 'write it as ["a", "b"]'),
        ("[kafka.security]\n'sasl.password' = 1e5\n", {}, "kafka.security.sasl.password",
         'write it in quotes: "..."'),
        ("[kafka.security]\nsasl.oauthbearer.method = 'oidc'\n", {}, "kafka.security.sasl",
         'write the whole name in quotes: "sasl.oauthbearer.method" = ...'),
    ],
)  # fmt: skip
def test_a_mistake_says_where_it_is_and_what_to_do(tmp_path, text, env, path, remedy):
    found = problems(tmp_path, text, **env)
    assert set(found) == {path}
    assert found[path].remedy == remedy
    where = f"environment {next(iter(env))}" if env else f"file {tmp_path / 'deid.toml'}"
    assert found[path].where == where


def test_what_goes_together_is_checked_beside_other_mistakes(tmp_path):
    found = problems(
        tmp_path,
        '[kafka]\nheartbeat_s = "often"\nsession_timeout_s = 3.0\ntopic_out = "notes.raw"\n'
        '[triton]\ncertificate = "a"\n',
    )
    assert set(found) == {"kafka.heartbeat_s", "kafka.topic_out", "triton.certificate"}


def test_a_secret_is_in_no_mistake(tmp_path):
    found = problems(tmp_path, '[kafka]\nsecurity = "canary-1"\n[keys]\nvalue = ["canary-2"]\n')
    assert len(found) == 2
    assert "canary" not in str(found)


def test_every_setting_is_shown_with_its_origin_and_no_secret(tmp_path):
    file = tmp_path / "deid.toml"
    file.write_text(
        '[kafka]\nbatch = 8\ngroup = "a"\n[kafka.security]\n"security.protocol" = "SASL_SSL"\n'
        '"ssl.key.pem" = "canary-pem"\n'
    )
    env = {
        "STREAM_DEID_KAFKA__GROUP": "b",
        "STREAM_DEID_KEYS__VALUE": "canary-key-0123456789",
        "STREAM_DEID_KAFKA__SECURITY__SASL.PASSWORD": "canary-password",
    }
    found = config.examine(file, env)
    rows = {row.path: (row.value, row.origin.split(" ")[0]) for row in showing.shown(found)}
    assert rows["kafka.batch"] == ("8", "file")
    assert rows["kafka.group"] == ('"b"', "environment")
    assert rows["kafka.heartbeat_s"] == ("2.0", "default")
    assert rows["kafka.security.security.protocol"] == ('"SASL_SSL"', "file")
    assert rows["kafka.security.sasl.password"] == ("***", "environment")
    assert rows["kafka.security.ssl.key.pem"] == ("***", "file")
    assert rows["keys.value"] == ("***", "environment")
    assert rows["models.en"] == ('["bert_en", "bilstm_crf_en"]', "default")
    told = showing.as_text(found) + showing.as_json(found).decode()
    assert "canary" not in told
    assert showing.as_text(found, changed=True).count("\n") == 6


def test_a_table_in_the_environment_replaces_that_of_the_file(tmp_path):
    file = tmp_path / "deid.toml"
    file.write_text('[kafka.security]\n"ssl.ca.location" = "a"\n')
    env = {
        "STREAM_DEID_KAFKA__SECURITY": '{"security.protocol" = "SSL"}',
        "STREAM_DEID_KAFKA__SECURITY__SASL.USERNAME": "u",
    }
    found = config.examine(file, env)
    assert found.settings.kafka.security == {"security.protocol": "SSL", "sasl.username": "u"}
    assert found.origin("kafka.security.security.protocol").endswith("__SECURITY")


def test_every_setting_is_read_by_something():
    """What nothing reads promises an operator an effect that it has not."""
    package = Path(config.__file__).parents[1]
    trees = (ast.parse(path.read_text("utf-8")) for path in package.rglob("*.py"))
    read = {n.attr for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    names = {one.path.rpartition(".")[2] for one in declare.declared(config.Settings)}
    assert names - read == set()


def test_every_setting_says_what_it_means():
    for item in declare.declared(config.Settings):
        assert item.meta.meaning.endswith("."), item.path
        assert item.environment.isupper()


@given(st.sampled_from([d for d in declare.declared(config.Settings) if d.type != "anything"]))
def test_what_show_writes_can_be_set_again(item):
    """The default as it is shown, put into the environment, is the default."""
    text = item.default if item.hint is str else showing.toml(item.default)
    found = config.examine(None, {item.environment: text})
    assert found.problems == []
    assert found.settings == config.Settings()


def run(*arguments):
    return cli.main(list(arguments))


def test_check_tells_all_mistakes_with_status_78(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("STREAM_DEID_CONFIG", raising=False)
    file = tmp_path / "deid.toml"
    file.write_text('voting = "meen"\n[kafka]\ngruop = "x"\n')
    assert run("--config", str(file), "config", "check") == 78
    told = capsys.readouterr().out
    assert "unknown setting kafka.gruop" in told
    assert "did you mean kafka.group?" in told
    assert "voting must be 'mean' or 'any'" in told
    assert run("config", "show", "--config", str(file)) == 78
    file.write_text('[policy]\nname = "none"\n[kafka.security]\n"sasl.kerberos" = "x"\n')
    assert run("config", "check", "--config", str(file), "--json") == 78
    found = orjson.loads(capsys.readouterr().out)
    assert [problem["path"] for problem in found] == ["policy", "kafka.security.sasl.kerberos"]
    file.write_text('[keys]\nvalue = "canary"\n')
    assert run("config", "check", "--config", str(file)) == 78
    told = capsys.readouterr().out
    assert "keys.value: the key has 6 bytes" in told
    assert "canary" not in told
    file.write_text("")
    assert run("config", "check", "--config", str(file)) == 0
    assert run("config", "show", "--config", str(file), "--changed") == 0


def test_a_worker_takes_its_port_and_its_settings_behind_the_command(tmp_path):
    """A port that is taken shows that it was asked for: the worker ends before anything else."""
    file = tmp_path / "deid.toml"
    file.write_text(f'[http]\nport = 0\n[keys]\nvalue = "{KEY}"\n')
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = command("worker", "--config", str(file), "--port", port)
    assert done.returncode == 78
    assert f"http.bind: 127.0.0.1:{port}" in done.stderr


@pytest.mark.parametrize(
    ("says", "code"),
    [
        ("", "key.missing"),
        (f'[keys]\nvalue = "{KEY}"\n[models]\nen = ["no_such"]\n', "manifest.missing"),
        (f'[keys]\nvalue = "{KEY}"\n[models]\nen = ["bert_es"]\n', "models.language"),
    ],
)
def test_a_worker_tells_what_is_wrong_before_it_waits_for_a_broker(tmp_path, says, code):
    file = tmp_path / "deid.toml"
    file.write_text(f"{says}[kafka]\nbootstrap = '127.0.0.1:1'\n")
    done = command("worker", "--config", str(file))
    assert done.returncode == 78
    assert done.stderr.startswith(f"stream-deid: {code}")


def command(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "stream_deid.cli", *arguments],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_keys_come_from_a_file_or_the_environment(tmp_path):
    file = tmp_path / "key"
    file.write_bytes(b"0123456789abcdef\n")
    assert config.read_key(config.Keys(file=str(file))) == b"0123456789abcdef"
    assert config.read_key(config.Keys(value=KEY)) == KEY.encode()
    for keys, code in (
        (config.Keys(), "key.missing"),
        (config.Keys(file=str(file), value=KEY), "key.missing"),
        (config.Keys(value="short"), "key.weak"),
        (config.Keys(value="ab" * 32), "key.weak"),
        (config.Keys(file=str(tmp_path / "none")), "key.unreadable"),
    ):
        with pytest.raises(Halt) as caught:
            config.read_key(keys)
        assert caught.value.code == code


def test_secrets_do_not_show_in_a_repr():
    settings = config.load(None, {"STREAM_DEID_KEYS__VALUE": "very-secret-very-secret"})
    assert "very-secret" not in repr(settings)


@pytest.fixture
def repository(tmp_path):
    """The shipped manifests and what the core reads, without weights and engines."""
    repo = tmp_path / "models"
    for model in ("bert_en", "bilstm_crf_en", "bert_es", "bilstm_crf_es"):
        folder = repo / model
        folder.mkdir(parents=True)
        for file in (manifest.repository() / model).glob("*.json"):
            (folder / file.name).write_bytes(file.read_bytes())
    return repo


def checked(tmp_path, capsys, text, *arguments):
    file = tmp_path / "deid.toml"
    file.write_text(text)
    status = run("--config", str(file), "config", "check", "--json", *arguments)
    found = orjson.loads(capsys.readouterr().out)
    assert status == (78 if found else 0)
    return [(one["path"], one["what"], one["remedy"], one["where"]) for one in found]


def test_check_tells_form_and_meaning_in_one_go(tmp_path, capsys, repository):
    found = checked(
        tmp_path, capsys,
        'voting = "meen"\ngruop = "x"\n[kafka]\nbatch = "many"\n[policy]\nname = "none"\n'
        f'[triton]\nurl = "t:8001"\nrepository = "{repository}"\n'
        '[models]\nen = ["bert_em"]\nes = ["bert_en"]\n'
        '[formats]\nfhir_rules = {"Patient.x" = "shout"}\n'
        '[kafka.security]\n"sasl.kerberos" = "x"\n',
    )  # fmt: skip
    assert [path for path, *_ in found] == [
        "gruop", "kafka.batch", "voting", "policy", "formats.fhir_rules",
        "kafka.security.sasl.kerberos",
        "models.en", "models.es",
    ]  # fmt: skip
    told = {path: (what, remedy) for path, what, remedy, _ in found}
    assert told["models.en"][1] == "did you mean 'bert_en'?"
    assert "bert_en is for en" in told["models.es"][0]
    assert {where for path, _, _, where in found if path.startswith("models")} == {
        f"file {tmp_path / 'deid.toml'}"
    }


def test_what_stands_at_its_default_is_not_judged(tmp_path, capsys, repository):
    """A wrong entry of a table leaves the default table: its mistakes are nobody's."""
    (repository / "bert_es" / "manifest.json").unlink()
    head = f'[triton]\nurl = "t:8001"\nrepository = "{repository}"\n'
    wrong = checked(tmp_path, capsys, head + '[models]\nen = "bert_en"\n')
    assert [path for path, *_ in wrong] == ["models.en"]
    assert [path for path, *_ in checked(tmp_path, capsys, head)] == ["models.es"]


@pytest.mark.parametrize(
    ("models", "told"),
    [
        ('en = ["bert_en", "bert_en"]', "names bert_en twice"),
        ('en = ["bilstm_crf_en", "bert_en"]', "name the model with the most labels first"),
        ('en = ["bert_en", "crf", "crf"]', "names crf twice"),
        ('en = ["x_en"]', "there is no model 'x_en'"),
    ],
)
def test_check_looks_at_models(tmp_path, capsys, repository, models, told):
    text = f'[triton]\nurl = "t:8001"\nrepository = "{repository}"\n[models]\n{models}\n'
    ((path, what, _, _),) = checked(tmp_path, capsys, text)
    assert path == "models.en"
    assert told in what
    if "twice" not in told:
        assert checked(tmp_path, capsys, text, "--no-models") == []


def test_check_takes_the_feature_crf_alone_and_asks_for_no_repository(
    tmp_path, capsys, monkeypatch
):
    text = f'[triton]\nrepository = "{tmp_path}"\n[models]\nes = ["crf"]\n'
    assert checked(tmp_path, capsys, text) == []
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    ((path, what, _, _),) = checked(tmp_path, capsys, text)
    assert path == "models.es"
    assert "stream_deid[crf]" in what


def test_check_looks_for_the_engines_of_a_server_here_only(tmp_path, capsys, repository):
    models = f'[triton]\nrepository = "{repository}"\n[models]\nen = ["bert_en"]\n'
    ((path, what, _, _),) = checked(tmp_path, capsys, models)
    assert path == "models.en"
    assert what.endswith("1/model.xml is not there")
    assert checked(tmp_path, capsys, models.replace("]\n", ']\nurl = "t:8001"\n', 1)) == []


def test_check_names_a_repository_that_is_not_there(tmp_path, capsys):
    ((path, what, _, _),) = checked(tmp_path, capsys, '[triton]\nrepository = "/nowhere"\n')
    assert path == "triton.repository"
    assert "/nowhere can't be read" in what


@given(st.sampled_from(NUMBERS), st.sampled_from(NUMBERS))
def test_any_two_wrong_numbers_are_told_beside_a_wrong_policy(one, other):
    env = {item.environment: "many" for item in (one, other)}
    env["STREAM_DEID_POLICY__NAME"] = "none"
    found = offline_checks.all_problems(config.examine(None, env), models=False)
    assert {problem.path for problem in found} == {one.path, other.path, "policy"}


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ("--for worker", 78, ("key.missing", "stream-deid keygen FILE")),
        ("--for worker --json", 78, ("key.missing", '"keys.file"')),
        ("--for file", 0, ("no mistakes",)),
        ("", 0, ("key.missing", "78", "for each run")),
        ("--json", 0, ("key.missing", "78", "for each run")),
    ],
)
def test_check_says_what_happens_without_a_key(arguments, status, words, monkeypatch, capsys):
    """Of itself, and where the commands would: a worker ends with what `check` says of it."""
    for name in [one for one in os.environ if one.startswith("STREAM_DEID_")]:
        monkeypatch.delenv(name)
    assert cli.main(["config", "check", "--no-models", *arguments.split()]) == status
    said = "".join(capsys.readouterr())
    assert all(word in said for word in words)
    with pytest.raises(Halt) as caught:
        assembly.check(config.load(None, {}))
    assert (caught.value.code, status_of(caught.value)) == ("key.missing", 78)


def test_check_says_nothing_of_a_missing_key_where_one_is_set(monkeypatch, capsys):
    monkeypatch.setenv("STREAM_DEID_KEYS__VALUE", KEY)
    assert cli.main(["config", "check", "--no-models", "--for", "worker"]) == 0
    assert cli.main(["config", "check", "--no-models"]) == 0
    assert "key" not in capsys.readouterr().err
