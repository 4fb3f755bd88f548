"""Training the taggers over words: BiLSTM-CRF, E2E-J and the skeleton networks."""

from __future__ import annotations

from pathlib import Path

from stream_deid.training import recipe as recipes
from stream_deid.training.export.tagger import export
from stream_deid.training.models import bilstm
from stream_deid.training.run.tagger import open_run, threads


def train(recipe: Path, out: Path, data: Path) -> None:
    """Train by a recipe file, resuming what is in `out`.

    Writes the files of `tagger.TaggerRun` there, and a whole BiLSTM-CRF as it is served below
    `out/triton_models`.
    """
    system = str(recipes.read(recipe)["system"])
    threads()
    run = open_run(recipe, out, data)
    run.train()
    if system == "bilstm" and recipes.settings(bilstm.BilstmSizes, run.sizes, "sizes").whole:
        export(run, out / "triton_models")
