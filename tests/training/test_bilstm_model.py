"""The CRF against brute force, batches against the notes, a tiny model that really learns."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from stream_deid.detect.neural.model_windows import ModelSpec, windows  # noqa: E402
from stream_deid.errors import Halt  # noqa: E402
from stream_deid.text import bio, viterbi  # noqa: E402
from stream_deid.training import recipe  # noqa: E402
from stream_deid.training.data import vocabulary  # noqa: E402
from stream_deid.training.data.corpora import AnnotatedNote  # noqa: E402
from stream_deid.training.data.word_batches import EncodedCorpus, cuts  # noqa: E402
from stream_deid.training.models import bilstm  # noqa: E402
from stream_deid.training.models.neural_crf import LinearChainCrf  # noqa: E402
from stream_deid.training.models.recurrent import BiRnn, reversal  # noqa: E402
from stream_deid.training.run.fit import FitSchedule, fit  # noqa: E402
from stream_deid.training.run.tagger import emitter  # noqa: E402
from stream_deid.training.scores.counts import total  # noqa: E402
from stream_deid.training.scores.offline import predict, score_notes  # noqa: E402


def _paths(crf, emissions, n):
    """Score of every tag path of one row."""
    scores = {}
    for path in itertools.product(range(emissions.shape[1]), repeat=n):
        score = crf.start[path[0]] + crf.end[path[-1]]
        score = score + sum(emissions[i, tag] for i, tag in enumerate(path))
        scores[path] = score + sum(crf.transitions[a, b] for a, b in itertools.pairwise(path))
    return scores


def test_the_likelihood_and_the_shared_viterbi_agree_with_brute_force():
    torch.manual_seed(1)
    crf = LinearChainCrf(3)
    torch.nn.init.normal_(crf.transitions)
    torch.nn.init.normal_(crf.start)
    torch.nn.init.normal_(crf.end)
    emissions, lengths = torch.randn(3, 4, 3), torch.tensor([4, 1, 3])
    tags = torch.tensor([[0, 2, 1, 1], [2, 0, 0, 0], [1, 1, 0, 2]])
    expected = 0.0
    for row, n in enumerate(lengths.tolist()):
        scores = _paths(crf, emissions[row], n)
        everything = torch.logsumexp(torch.stack(list(scores.values())), 0)
        expected += everything - scores[tuple(tags[row, :n].tolist())]
        best = max(scores, key=lambda p: scores[p].item())
        plain = [t.detach().numpy() for t in (crf.transitions, crf.start, crf.end)]
        assert tuple(viterbi.crf(emissions[row, :n].numpy(), *plain)) == best
    assert crf(emissions, tags, lengths).item() == pytest.approx(expected.item() / 8, abs=1e-5)


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_rows_do_not_feel_their_padding(cell):
    torch.manual_seed(2)
    rnn = BiRnn(4, 3, cell)
    x, lengths = torch.randn(3, 6, 4), torch.tensor([6, 1, 4])
    states, last = rnn(x, lengths), rnn.last(x, lengths)
    for row, n in enumerate(lengths.tolist()):
        alone = rnn(x[row : row + 1, :n], torch.tensor([n]))[0]
        torch.testing.assert_close(states[row, :n], alone)
        torch.testing.assert_close(last[row], torch.cat([alone[-1, :3], alone[0, 3:]]))
    assert reversal(torch.tensor([2]), 3).tolist() == [[1, 0, 2]]


def test_cuts_cover_every_token_once_and_prefer_line_ends():
    opens = np.zeros(100, dtype=bool)
    opens[[0, 25, 55]] = True
    found = list(cuts(opens, 30, 30))
    assert found[0] == (0, 25)
    assert [a for a, _ in found[1:]] == [b for _, b in found[:-1]]
    assert found[-1][1] == 100
    assert all(b - a <= 30 for a, b in found)


NAMES = ["Ana", "Luis", "Marta", "Pedro", "Rosa", "Hugo"]


def _note(i: int) -> AnnotatedNote:
    name, day = NAMES[i % 6], str(10 + i % 19)
    head = "Paciente: "
    text = f"{head}{name}\nAcude el {day}/02/2020 por dolor.\n"
    at = text.index(day)
    spans = (
        (len(head), len(head) + len(name), "NOMBRE_SUJETO_ASISTENCIA"),
        (at, at + 10, "FECHAS"),
    )
    return AnnotatedNote(str(i), text, spans, "es")


def test_it_learns_and_resumes_as_if_never_stopped(tmp_path):
    torch.set_num_threads(1)
    notes = [_note(i) for i in range(48)]
    tags = bio.tag_names(["FECHAS", "NOMBRE_SUJETO_ASISTENCIA"])
    counts = vocabulary.count_words(notes)
    encoder = vocabulary.build(counts)
    inventory = vocabulary.Inventory(encoder, counts)
    corpus = EncodedCorpus(notes, encoder, tags)
    assert sum(int((d.tags == 3).sum()) for d in corpus.documents) == 48

    def run(folder, *stops):
        folder.mkdir()
        for epochs in stops:
            torch.manual_seed(0)
            model = bilstm.make(inventory, len(tags), {"word": 12, "hidden": 12, "head": 12}, None)
            schedule = FitSchedule(epochs=6, batch=4, rate=0.02)

            def batches(epoch, stop=epochs):
                if epoch == stop:
                    raise KeyboardInterrupt
                return corpus.epoch(20, 4, np.random.default_rng(epoch))

            try:
                fit(model, batches, schedule, folder / "checkpoint.pt")
            except KeyboardInterrupt:
                continue
        return model

    whole, stopped = run(tmp_path / "a", 6), run(tmp_path / "b", 2, 6)
    for a, b in zip(whole.parameters(), stopped.parameters(), strict=True):
        torch.testing.assert_close(a, b)

    manifest = {
        "name": "m", "version": "1", "kind": "wordchar", "languages": ["es"],
        "labels": list(tags), "window": 40, "overlap": 10, "vocabulary": "v",
        "crf": {
            k: getattr(whole.crf, k).detach().tolist() for k in ("transitions", "start", "end")
        },
    }  # fmt: skip
    definition = vocabulary.to_json(encoder)
    assert json.loads(definition)["words"]
    spec = ModelSpec.from_manifest(manifest, {"v": definition})
    assert len(windows(spec, 0, notes[0].text)) == 1
    unseen = AnnotatedNote(
        "u",
        "Paciente: Elsa\nAcude el 31/02/2020 por dolor.\n",
        ((10, 14, "NOMBRE_SUJETO_ASISTENCIA"), (24, 34, "FECHAS")),
        "es",
    )
    score = total(score_notes([unseen], predict([unseen], (spec, emitter(whole)))))
    assert score["ner"].f1 == 1.0


def test_singletons_become_unknown_sometimes():
    notes = [_note(i) for i in range(6)]
    counts = vocabulary.count_words(notes)
    encoder = vocabulary.build(counts)
    once = torch.from_numpy(vocabulary.Inventory(encoder, counts).once())
    batch = EncodedCorpus(notes, encoder, ("O",)).epoch(40, 6, np.random.default_rng(0))[0]
    coins = torch.Generator().manual_seed(0)
    unknown = bilstm.unknown_at_random(batch, once, 1.0, coins).words
    assert ((unknown == 1) == once[batch.words]).all()
    assert once[batch.words].any()
    assert (bilstm.unknown_at_random(batch, once, 0.0, coins).words == batch.words).all()


def test_shipped_recipes_are_read_whole():
    for path in sorted(recipe.SHIPPED.glob("bilstm*.toml")):
        table = recipe.read(path)
        recipe.settings(recipe.Data, table["data"], "data")
        recipe.settings(bilstm.BilstmSizes, table["sizes"], "sizes")
        recipe.settings(FitSchedule, table["schedule"], "schedule")
    with pytest.raises(Halt, match="unknown heads"):
        recipe.settings(bilstm.BilstmSizes, {"heads": 2}, "sizes")
    with pytest.raises(Halt, match="no recipe"):
        recipe.find("nonsense")
