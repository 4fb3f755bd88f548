"""Small real parts for the training tests: a trunk, gazetteers, marked notes."""

# ruff: noqa: E501 - tables read better unbroken

import csv
import gzip
import json
from pathlib import Path

import torch
from transformers import BertConfig, BertModel

NOTES = """=== en1_1 | progress_note | ward
[[PATIENT|Rosa Delgado]], [[AGE_U90|54]], seen [[DATE|03/04/2019]] by Dr. [[DOCTOR|Okafor]].
Call [[PHONE|212-555-0187]] or x[[PHONE|0187]]. MRN [[MEDICALRECORD|00448127]].
Ms. [[PATIENT|Delgado]] lives in [[CITY|Fairhaven]], [[STATE|MA]]. Foley out, no pain.

=== en1_2 | letter | clinic
[[HOSPITAL|Fairhaven Clinic]], [[DATE|March 4, 2019]]
Re: [[PATIENT|DELGADO, ROSA]]. Parkinson disease, stable. Email [[EMAIL|rosa.d@example.org]].
[[DOCTOR|A. Okafor]] MD / [[DOCTOR|jk]]

=== en1_3 | clinical_prose | ward
No identifiers here: K 3.4, BP 120/80, Mallampati II, day 3 of vancomycin.
"""
TABLES = {
    "us_surnames_2020.csv.gz": (
        "name,rank,count,pctwhite,pctblack,pctapi,pctaian,pct2prace,pcthispanic",
        [f"{n},1,1000,30,20,20,5,5,20" for n in [
            "SMITH", "NGUYEN", "GARCIA", "BEGAY", "COLEMAN", "PATEL", "WONG", "LOPEZ",
            "MCBRIDE", "KELLY", "TORRES", "CHAVEZ", "DIXON", "HAYES", "BOONE", "PRATT",
        ]],
    ),
    "us_first_names_2020.csv.gz": (
        "name,rank,count,pctwhite,pctblack,pctapi,pctaian,pct2prace,pcthispanic,pctmale,pctfemale",
        [f"{n},1,1000,30,20,20,5,5,20,{m},{100 - m}" for n, m in zip(
            ["MARY", "ANNA", "ROSA", "LING", "AISHA", "JOHN", "OMAR", "LUIS", "WEI", "TYRONE",
             "EMMA", "NORA", "PAUL", "IVAN"],
            [0, 0, 0, 1, 1, 99, 99, 99, 80, 99, 0, 0, 99, 99], strict=True)],
    ),
    "cities.csv.gz": (
        "name,country,admin1,population",
        [f"{n},{c},1,5000" for n, c in zip(
            ["Salem", "Dover", "Aurora", "Lyon", "Quito", "Toledo", "Vigo", "Lugo", "Ames", "Provo"],
            ["US", "US", "US", "FR", "EC", "ES", "ES", "ES", "US", "US"], strict=True)],
    ),
    "us_counties.csv.gz": ("fips,name,state", ["1,Autauga County,AL", "2,Bibb County,AL"]),
    "us_addresses.csv.gz": (
        "address1,address2,city,state,postal_code,coordinates",
        [f"{n} {s} Street,,X,MA,02139,x" for n, s in enumerate(
            ["Oak", "Maple", "Cedar", "Harlow", "Linden", "Quarry", "Mill"], 10)],
    ),
}  # fmt: skip


def gazetteers(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, (header, rows) in TABLES.items():
        with gzip.open(folder / name, "wt", encoding="utf-8", newline="") as handle:
            csv.writer(handle).writerows([line.split(",") for line in [header, *rows]])
    return folder


def tokenizer(folder: Path) -> list[str]:
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;/@-'()"
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", *letters, "▁Dr", "▁MRN", "<mask>"]
    special = [0, 1, 2, 3, len(pieces) - 1]
    added = [
        {"id": i, "content": pieces[i], "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": False, "special": True} for i in special
    ]  # fmt: skip
    vocabulary = [[p, -float(i > 4) - len(p) / 9] for i, p in enumerate(pieces)]
    definition = {
        "version": "1.0", "added_tokens": added, "normalizer": None, "pre_tokenizer": None,
        "post_processor": None, "decoder": None, "truncation": None, "padding": None,
        "model": {"type": "Unigram", "unk_id": 3, "byte_fallback": False, "vocab": vocabulary},
    }  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(definition), "utf-8")
    return pieces


def trunk(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    pieces = tokenizer(folder)
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=len(pieces), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=128, pad_token_id=1,
    )  # fmt: skip
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def recipe(folder: Path, notes: Path, copies: int, **training: object) -> Path:
    settings = {"epochs": 2, "rate": 3e-3, "head_rate": 1e-2, "batch": 2} | training
    source = f'"marked:en:{notes.name}"'
    lines = [f"{k} = {v}" for k, v in settings.items()]
    path = folder / "tiny.toml"
    path.write_text(
        f'system = "bert"\nname = "tiny_en"\nlanguage = "en"\nseed = 3\n'
        f"[data]\ntrain = [{', '.join([source] * copies)}]\ndev = [{source}]\n"
        '[model]\ntrunk = "tiny"\nwindow = 96\noverlap = 24\n'
        "[training]\n" + "\n".join(lines) + "\n[augment]\nkeep = 0.8\nnoisy = false\n",
        "utf-8",
    )
    return path


def workshop(folder: Path, copies: int = 1, **training: object) -> tuple[Path, Path]:
    """Recipe and data root."""
    notes = folder / "notes.txt"
    notes.write_text(NOTES, "utf-8")
    gazetteers(folder / "gazetteers")
    trunk(folder / "trunks" / "tiny")
    return recipe(folder, notes, copies, **training), folder
