"""Alerts: valid, on metrics that exist, fire and stay silent as they should, and are explained."""

import re
import urllib.request

import metrics
import pytest
import tiny
import toolbox
import yaml
from alert_cases import CASES

from stream_deid.rig.broker import free_port
from stream_deid.serving.local.listening import Listening
from stream_deid.serving.local.server import LocalServer

OURS = {**metrics.of_a_worker(), **metrics.of_a_listener(), **metrics.of_a_release()}
RULES = toolbox.MONITORING / "alerts.yaml"
GUIDE = toolbox.ROOT / "docs/deployment.md"


@pytest.fixture(scope="module")
def rules():
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


@pytest.fixture(scope="module")
def alerts(rules):
    return {rule["alert"]: rule for rule in rules if "alert" in rule}


@pytest.fixture(scope="module")
def known(rules, tmp_path_factory):
    """Every series that there is: ours, a real Triton's, and those that rules record."""
    repo = tmp_path_factory.mktemp("models")
    tiny.add_model(repo, "tiny_lstm", "wordchar")
    port = free_port()
    with (
        LocalServer(
            repo, ["tiny_lstm"], Listening(grpc_port=free_port(), metrics_port=port), threads=1
        ),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as page,
    ):
        triton = metrics.series(page.read().decode())
    recorded = {rule["record"]: {"outcome", "type"} for rule in rules if "record" in rule}
    return {**OURS, **triton, **recorded}


def must_exist(expression, known):
    names, labels = metrics.asked(expression)
    assert names, expression
    assert names <= set(known), names - set(known)
    there = metrics.TARGET.union(*(known[name] for name in names))
    assert labels <= there, (expression, labels - there)


def test_promtool_takes_the_rules():
    toolbox.run(toolbox.promtool(), "check", "rules", str(RULES))


def test_the_operator_and_compose_get_the_same_rules(rendered):
    rule = toolbox.the(rendered["overlays/cpu"], "PrometheusRule", "stream-deid")
    assert rule["spec"] == yaml.safe_load(RULES.read_text())


def test_every_metric_and_label_of_an_alert_exists(rules, known):
    for rule in rules:
        must_exist(rule["expr"], known)


def test_a_metric_that_does_not_exist_is_seen(known):
    for wrong in (
        "stream_deid_lags > 0",
        'stream_deid_lag{partiton="1"}',
        "nv_inference_queue > 1",
    ):
        with pytest.raises(AssertionError):
            must_exist(wrong, known)


def test_what_triton_scales_on_exists(rendered, known):
    scaled = toolbox.the(rendered["overlays/gpu"], "ScaledObject", "stream-deid-triton")
    must_exist(scaled["spec"]["triggers"][0]["metadata"]["query"], known)


def groups_of(alerts):
    """The groups that these stand in, as they are: others would be tried at each of their times."""
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [g for g in groups if alerts.intersection(rule.get("alert") for rule in g["rules"])]


@pytest.mark.parametrize("every", sorted({case.every for case in CASES}))
def test_each_alert_fires_and_stays_silent(tmp_path, every):
    tests = [
        {
            "name": f"{case.alert} {case.why}",
            "interval": every,
            "input_series": [
                {"series": name, "values": values} for name, values in case.series.items()
            ],
            "promql_expr_test": [
                {
                    "expr": f'count(ALERTS{{alertname="{case.alert}",alertstate="firing"}})',
                    "eval_time": f"{case.at}m",
                    "exp_samples": [{"labels": "{}", "value": case.count}] if case.count else [],
                }
            ],
        }
        for case in CASES
        if case.every == every
    ]
    path, asked = tmp_path / "tests.yaml", tmp_path / "rules.yaml"
    asked.write_text(yaml.dump({"groups": groups_of({c.alert for c in CASES if c.every == every})}))
    body = {"rule_files": [str(asked)], "evaluation_interval": every, "tests": tests}
    path.write_text(yaml.dump(body))
    toolbox.run(toolbox.promtool(), "test", "rules", str(path))


def test_no_alert_is_without_its_cases(alerts):
    assert {case.alert for case in CASES if case.count} == set(alerts)
    assert {case.alert for case in CASES if not case.count} == set(alerts)


def test_each_alert_says_what_it_is_and_where_to_read_on(alerts):
    headings = re.findall(r"^#+ (.+)$", GUIDE.read_text(), re.MULTILINE)
    anchors = {heading.strip("`").lower().replace(" ", "-") for heading in headings}
    for name, alert in alerts.items():
        assert alert["labels"]["severity"] in ("critical", "warning", "info")
        notes = alert["annotations"]
        assert set(notes) == {"summary", "description", "runbook_url"}
        page, _, anchor = notes["runbook_url"].partition("#")
        assert (toolbox.ROOT / page) == GUIDE
        assert anchor in anchors, name


def test_a_site_makes_links_of_them(rendered):
    rule = toolbox.the(rendered["examples/site"], "PrometheusRule", "stream-deid")
    base = rule["metadata"]["annotations"]["runbooks"]
    assert base.startswith("https://")
    assert base.endswith("/docs/deployment.md")
    plain = toolbox.the(rendered["overlays/cpu"], "PrometheusRule", "stream-deid")
    for one, other in zip(rule["spec"]["groups"], plain["spec"]["groups"], strict=True):
        for made, written in zip(one["rules"], other["rules"], strict=True):
            if "alert" in made:
                anchor = written["annotations"]["runbook_url"].partition("#")[2]
                assert made["annotations"]["runbook_url"] == f"{base}#{anchor}"
                made["annotations"]["runbook_url"] = written["annotations"]["runbook_url"]
    assert rule["spec"] == plain["spec"]


def test_no_alert_is_explained_that_does_not_exist(alerts):
    explained = re.findall(r"^#+ `?(StreamDeid\w+)`?$", GUIDE.read_text(), re.MULTILINE)
    assert sorted(explained) == sorted(alerts)


def test_every_metric_and_label_of_the_dashboard_exists(known):
    board = yaml.safe_load((toolbox.MONITORING / "dashboard.json").read_text())
    assert len({panel["title"] for panel in board["panels"]}) == len(board["panels"])
    for panel in board["panels"]:
        for target in panel["targets"]:
            must_exist(target["expr"], known)
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            must_exist(re.sub(r", \w+\)$", ")", variable["definition"]), known)


RECORDED = {"stream_deid_phi", "stream_deid_words"}
"""What the dashboard shows by a rule: identifiers in 1,000 words."""


def test_every_series_of_ours_is_on_the_dashboard():
    text = (toolbox.MONITORING / "dashboard.json").read_text()
    for name in OURS:
        family = re.sub(r"_(total|created|bucket|sum|count)$", "", name)
        assert family in text or family in RECORDED, name


def test_panels_do_not_overlap():
    board = yaml.safe_load((toolbox.MONITORING / "dashboard.json").read_text())
    taken = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"])
                 for y in range(at["y"], at["y"] + at["h"])}  # fmt: skip
        assert not taken & cells, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
