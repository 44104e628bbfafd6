"""What raw text tells about words: clusters and vectors (`headwise.clusters`, `headwise.vectors`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from headwise._native.clusters import WindowCounter
from headwise.components.text import Tokenizer
from headwise.treebank.files import read_lines
from headwise.words.clusters import brown_clusters, count_words
from headwise.words.clusters.text import read_words
from headwise.words.vectors import train_vectors
from models.lexicon import best_forms, lemmas_of, write_lexicon
from models.recipe import Choices

CLUSTERS, VECTORS = "clusters.txt", "vectors.txt"
LEXICON = f"lexicon.{CLUSTERS}"
TOKENS = "tokens.txt"
CLUSTERED_AT_LEAST = 3
"""Words that occur less often are in no cluster, …"""
VECTORS_AT_LEAST = 5
"""… and these have no vector."""


def learn_words(
    texts: Sequence[Path], tokenizer: Tokenizer, choices: Choices, lexicon: str, folder: Path
) -> None:
    """Writes clusters and vectors of the words of texts, split as the treebank splits them.

    Where a lexicon is named, classes of its words too, as further clusters.
    """
    tokens = folder / TOKENS
    with tokens.open("w", encoding="utf-8") as file:
        for words in _sentences(texts, tokenizer, choices.text_words):
            file.write(" ".join(words) + "\n")
    if choices.clusters:
        bigrams = count_words([tokens], input="tokens").bigrams(CLUSTERED_AT_LEAST)
        brown_clusters(bigrams, choices.clusters, lambda *progress: None).clusters.save(folder / CLUSTERS)
    if choices.vectors:
        counter = WindowCounter()
        read_words([tokens], [counter], input="tokens")
        vectors = train_vectors(counter, width=choices.vectors, min_count=VECTORS_AT_LEAST)
        vectors.save(folder / VECTORS)
    if lexicon:
        lemmas = lemmas_of(lexicon)
        with tokens.open(encoding="utf-8") as file:
            counts = Counter(word for line in file for word in line.split())
        write_lexicon(lemmas, best_forms(lemmas, counts, choices.lexicon_forms), folder / LEXICON)
    tokens.unlink()


def _sentences(texts: Sequence[Path], tokenizer: Tokenizer, most: int) -> Iterator[list[str]]:
    """The words of sentences, until there are about so many: any prefix of a text has the same mix."""
    share = most / len(texts)
    for path in texts:
        words = 0
        for sentence in tokenizer.pipe(_paragraphs(path)):
            forms = [form.replace(" ", "\u00a0") for form in sentence.forms]
            yield forms
            if (words := words + len(forms)) >= share:
                break


def _paragraphs(path: Path) -> Iterator[str]:
    """A paragraph a line, with the empty lines between them that a tokenizer goes by."""
    for line in read_lines(path):
        yield line
        yield "\n"
