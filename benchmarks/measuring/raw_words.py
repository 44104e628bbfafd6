"""What raw text knows of words, for a treebank with tags: tagged sentences, vectors and clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine.runner import note
from benchmarks.measuring.corpus import Corpus
from headwise._native.clusters import WindowCounter
from headwise.base.atomic import replaced
from headwise.components.tagging import Tagger, TaggerSettings
from headwise.components.text import Tokenizer
from headwise.components.text.spacing import Spacing, says_spacing
from headwise.treebank import Sentence, write
from headwise.treebank.files import read_lines
from headwise.words.clusters import brown_clusters, count_words
from headwise.words.clusters.text import read_words
from headwise.words.vectors import train_vectors

SENTENCES = 4, 60
"""The fewest and the most words of a sentence that is tagged."""


@dataclass(frozen=True)
class RawWords:
    """Files of one language."""

    tokens: Path
    vectors: Path
    clusters: Path
    tagged: Path
    """Sentences with tags of the treebank's kind, and without trees."""

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        texts: Sequence[Path],
        folder: Path,
        *,
        tagged_words: int,
        clusters: int = 1000,
        min_count: int = 5,
        width: int = 100,
    ) -> RawWords:
        """Made in a folder, where they are not there yet.

        What splits and tags the text has learned from the treebank.
        """
        kinds = ("tokens", "vectors", "clusters", "conllu")
        files = cls(*(folder / f"{corpus.name}.{kind}" for kind in kinds))
        folder.mkdir(parents=True, exist_ok=True)
        if not files.tokens.exists():
            note(f"{corpus.name}: words of raw text")
            with replaced(files.tokens) as file:  # half of it would be taken for all
                file.writelines(f"{line}\n".encode() for line in _token_lines(corpus, texts))
        if not files.vectors.exists():
            counter = WindowCounter()
            read_words([files.tokens], [counter], input="tokens")
            train_vectors(counter, width=width, min_count=min_count).save(files.vectors)
        if not files.clusters.exists():
            counted = count_words([files.tokens], input="tokens")
            brown_clusters(counted.bigrams(min_count), clusters).clusters.save(files.clusters)
        if not files.tagged.exists():
            note(f"{corpus.name}: tags of raw text")
            settings = TaggerSettings(clusters=(str(files.clusters),))
            tagger = Tagger.train(corpus.train, None, settings=settings)
            write(tagger.pipe(_first_sentences(files.tokens, tagged_words)), files.tagged)
        return files


def _token_lines(corpus: Corpus, texts: Sequence[Path]) -> Iterator[str]:
    train = corpus.train
    if not says_spacing(train):
        train = Spacing.usual(train).respaced(train)
    tokenizer = Tokenizer.train(train)
    for text in texts:
        for sentence in tokenizer.pipe(read_lines(text)):
            yield " ".join(form.replace(" ", "_") for form in sentence.forms)


def _first_sentences(tokens: Path, words: int) -> Iterator[Sentence]:
    least, most = SENTENCES
    for line in read_lines(tokens):
        forms = line.split()
        if least <= len(forms) <= most:
            yield Sentence.from_words(forms)
            words -= len(forms)
        if words <= 0:
            return
