"""The laboratory is a package beside ours; here it has a toy language in place of every treebank and text."""

from __future__ import annotations

import lzma
import random
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2]))

from headwise.training import TrainingSettings
from toy_language import toy_treebank

NOUNS, VERBS = ("dog", "cat", "bird", "fish"), ("sees", "likes", "hears")
CONLLU = "UD_English-EWT UD_English-GUM UD_French-Sequoia UD_Turkish-IMST UD_Greek-GDT UD_Gothic-PROIEL"
CONLLX = "Danish-DDT Swedish-Talbanken05 Portuguese-Bosque Dutch-Alpino"


def toy_trees(count, seed):
    """Phrase structure of the kind that the head rules of English know."""
    rng = random.Random(seed)

    def noun_phrase(depth=0):
        phrase = f"(NP (DT the) (NN {rng.choice(NOUNS)}))"
        if depth < 2 and rng.random() < 0.4:
            return f"(NP {phrase} (PP (IN with) {noun_phrase(depth + 1)}))"
        return phrase

    for _ in range(count):
        verb = f"(VBZ {rng.choice(VERBS)})"
        yield f"(S {noun_phrase()} (VP {verb} {noun_phrase()}) (. .))"


@pytest.fixture(scope="session")
def toy_data(tmp_path_factory):
    """A folder like $HEADWISE_DATA."""
    from headwise.treebank import write

    data = tmp_path_factory.mktemp("data")
    parts = {
        part: toy_treebank(n, seed=s)
        for s, (part, n) in enumerate({"train": 60, "dev": 15, "test": 15}.items())
    }
    names = [*CONLLU.split(), *(f"CoNLLX_{name}" for name in CONLLX.split())]
    names += ["UD_Basque-BDT", "UD_Chinese-GSD", "UD_Dutch-LassySmall", "UD_Japanese-GSD_v2.8"]
    names += ["UD_Portuguese-Bosque", "Perseus_AncientGreek-AGDT2.1"]
    for name in names:
        (data / "treebanks" / name).mkdir(parents=True)
        for part, sentences in parts.items():
            if part != "dev" or not name.startswith("CoNLLX"):
                write(sentences, data / "treebanks" / name / f"{part}.conllu")
    (data / "text").mkdir()
    text = "".join(" ".join(sentence.forms) + "\n" for sentence in toy_treebank(300, seed=4))
    for name in ("en-modern", "sv-modern", "sv", "pt-modern", "da-modern", "nl-modern"):
        (data / "text" / f"{name}.txt.xz").write_bytes(lzma.compress(text.encode()))
    (data / "phrase-structure").mkdir()
    for name in ("gum", "icepahc"):
        for seed, part in enumerate(("train", "dev", "test", "test2")):
            trees = "\n".join(toy_trees(60 if part == "train" else 8, seed)) + "\n"
            (data / "phrase-structure" / f"{name}-{part}.ptb.xz").write_bytes(lzma.compress(trees.encode()))
    return data


@pytest.fixture
def laboratory(toy_data, tmp_path, monkeypatch):
    """The toy language, and a folder of its own for what is made once."""
    import benchmarks.measuring.texts as texts

    monkeypatch.setenv("HEADWISE_DATA", str(toy_data))
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    monkeypatch.setattr(texts, "WORK", tmp_path / "work")
    monkeypatch.setattr(TrainingSettings, "preset", classmethod(small_preset))
    return toy_data


PRESET = TrainingSettings.preset.__func__


def small_preset(cls, preset="accurate", **changes):
    """Its tables have a few thousand weights; its networks a few numbers, unless something is said."""
    small = {"arc_bits": 12, "label_bits": 12, "pruning__bits": 12}
    has_network = preset in ("accurate", "full", "network") or changes.get("network") is True
    if has_network and not isinstance(changes.get("network"), dict) and "torch" not in changes:
        small |= {"network__width": 16, "network__epochs": 1}
    if any(name == "pruning" for name in changes):
        del small["pruning__bits"]
    return PRESET(cls, preset, **{**small, **changes})


@pytest.fixture
def treebank_folder(laboratory):
    return laboratory / "treebanks" / "UD_English-EWT"
