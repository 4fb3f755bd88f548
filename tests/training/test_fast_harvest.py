"""`stream-deid templates harvest` from the command line to what serves."""

import json

from stream_deid.cli import main
from stream_deid.detect.fast.paths import chosen
from stream_deid.labels import PhiType as T

DAYS = ("03/04/1961", "11/12/1949", "7/30/2002")


def test_patterns_as_the_ensemble(tmp_path, monkeypatch):
    monkeypatch.setenv("STREAM_DEID_DATA", str(tmp_path))
    lines = [{"note_id": day, "text": f"Stable.\nDate of birth: {day}\nBed 4."} for day in DAYS]
    (tmp_path / "m.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    review, lists = str(tmp_path / "r.tsv"), tmp_path / "lists"
    harvest = ["templates", "harvest", "messages:en:m.jsonl", "--system", "patterns"]
    assert main([*harvest, "--out", review]) == 0
    monkeypatch.setattr("builtins.input", lambda _: "a")
    assert main(["templates", "review", review]) == 0
    assert main(["templates", "compile", review, "--out", str(lists)]) == 0
    texts = {path.name: path.read_text("utf-8") for path in lists.iterdir()}
    fast = chosen("inclusion+templates", "en", texts)
    text = "Seen.\nDATE OF BIRTH: 1/2/1934"
    slots, settled = fast.look(text, [])
    assert [(text[s.start : s.end], s.type) for s in slots] == [("1/2/1934", T.DATE)]
    assert [text[s.start : s.end] for s in settled] == ["DATE OF BIRTH: 1/2/1934"]
