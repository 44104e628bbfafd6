"""Train, parse and evaluate in a few seconds, on a treebank made on the spot.

python examples/quickstart.py                               # a toy language
python examples/quickstart.py train.conllu test.conllu      # your own treebank
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import headwise
from headwise.evaluation import evaluate
from headwise.treebank import Sentence, read, write

WORDS = {
    "DET": ["the", "a", "every", "this"],
    "ADJ": ["old", "green", "small", "quiet"],
    "NOUN": ["dog", "tree", "parser", "treebank", "linguist"],
    "VERB": ["sees", "likes", "reads", "finds"],
    "ADP": ["in", "under", "near"],
}


def noun_phrase(rng: random.Random, rows: list[list[str]], depth: int = 0) -> int:
    """Appends the rows (form, tag, head, label) of a noun phrase; returns the number of its noun."""
    first = len(rows)
    for tag in ["DET", *["ADJ"] * rng.randint(0, 2), "NOUN"]:
        rows.append([rng.choice(WORDS[tag]), tag, "", ""])
    noun = len(rows)
    for row in rows[first : noun - 1]:
        row[2:] = [str(noun), "det" if row[1] == "DET" else "amod"]
    if depth < 2 and rng.random() < 0.4:
        rows.append([rng.choice(WORDS["ADP"]), "ADP", "", ""])
        preposition = len(rows)
        inner = noun_phrase(rng, rows, depth + 1)
        rows[preposition - 1][2:] = [str(inner), "case"]
        rows[inner - 1][2:] = [str(noun), "nmod"]
    return noun


def sentence(rng: random.Random) -> Sentence:
    rows: list[list[str]] = []
    subject = noun_phrase(rng, rows)
    rows.append([rng.choice(WORDS["VERB"]), "VERB", "0", "root"])
    verb = len(rows)
    rows[subject - 1][2:] = [str(verb), "nsubj"]
    rows[noun_phrase(rng, rows) - 1][2:] = [str(verb), "obj"]
    forms, tags, heads, labels = (list(column) for column in zip(*rows, strict=True))
    return Sentence.from_words(forms, upos=tags, heads=[int(h) for h in heads], labels=labels)


def main() -> None:
    if len(sys.argv) == 3:
        train, test = (list(read(path)) for path in sys.argv[1:])
    else:
        rng = random.Random(1)
        train, test = ([sentence(rng) for _ in range(count)] for count in (300, 50))
    parser = headwise.Parser.train(train, preset="third", seed=1)
    parses = list(parser.pipe(test))
    print(parses[0].to_conllu())
    scores = evaluate(test, [parse.to_sentence() for parse in parses], protocol="all")
    print(f"{len(train)} training sentences, {len(test)} test sentences")
    print(f"UAS {100 * scores.uas.f1:.2f}, LAS {100 * scores.las.f1:.2f} (protocol all)")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.hw"
        parser.save(model)
        write(
            (parse.to_sentence() for parse in headwise.Parser.load(model).pipe(test)),
            Path(folder) / "out.conllu",
        )
        print(f"the model is one file of {model.stat().st_size / 1e6:.1f} MB; it parses without the treebank")


if __name__ == "__main__":
    main()
