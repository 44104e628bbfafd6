"""Counting the words of texts: raw, one sentence a line, tokenized, or treebanks; of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from headwise._native import clusters as native
from headwise.treebank import read
from headwise.treebank.files import is_treebank_file, read_lines
from headwise.words.clusters.bigram_files import add_bigrams, bigram_files
from headwise.words.clusters.files import ClusterError

if TYPE_CHECKING:
    from headwise.components.text import Tokenizer

WordInput = Literal["auto", "text", "lines", "tokens", "treebank"]
"""Running text; one sentence a line; its words between spaces; CoNLL-U or CoNLL-X. ``auto`` goes by names."""
BLOCK = 20_000
"""Lines or sentences that are counted in one go."""

Counter = native.BigramCounter | native.WindowCounter | native.WordLineCollector
Count = Callable[[Counter], None]
"""A block of text, waiting to be counted."""


def count_words(
    paths: Iterable[str | Path],
    *,
    input: WordInput = "auto",
    tokenizer: Tokenizer | None = None,
    threads: int = 1,
    across_lines: bool = False,
    progress: Callable[[int], None] = lambda words: None,
) -> native.BigramCounter:
    """Count words, and which stands beside which.

    Args:
        paths: files, also .gz or .xz; "-" for standard input; folders of ``headwise corpus --to bigrams``.
        tokenizer: what finds the words of running text; without one, a plain rule does.
        threads: what comes out does not depend on it.
        across_lines: lines and files are one text: the first word of one stands beside the last word before.
        progress: is told from time to time how many words were counted.
    """
    counters = [native.BigramCounter(across_lines) for _ in range(1 if across_lines else max(1, threads))]
    whole, *others = counters
    counted = {path: bigram_files(Path(path)) for path in paths}
    if across_lines and any(counted.values()):
        raise ClusterError(
            "headwise corpus has counted line by line: its lines cannot become one text (--across-lines)."
        )
    texts = [path for path, files in counted.items() if not files]
    for file in chain.from_iterable(counted.values()):
        add_bigrams(file, whole)
        progress(whole.words)
    if texts or not counted:
        read_words(texts, counters, input=input, tokenizer=tokenizer, progress=progress)
    for other in others:
        whole.add_counts(other)
    return whole


def read_words(
    paths: Iterable[str | Path],
    counters: Sequence[Counter],
    *,
    input: WordInput = "auto",
    tokenizer: Tokenizer | None = None,
    progress: Callable[[int], None] = lambda words: None,
) -> None:
    """Let counters read the words of files, a block of text each at a time, in threads of their own."""
    with ThreadPoolExecutor(len(counters)) as pool:
        for path in paths:
            blocks = _blocks(path, _input_of(path) if input == "auto" else input, tokenizer)
            while batch := list(islice(blocks, len(counters))):
                list(pool.map(lambda count, counter: count(counter), batch, counters))
                progress(sum(counter.words for counter in counters))
    if not any(counter.words for counter in counters):
        raise ClusterError("there are no words in the text.")


def _input_of(path: str | Path) -> WordInput:
    return "treebank" if is_treebank_file(path) else "text"


def _blocks(path: str | Path, input: WordInput, tokenizer: Tokenizer | None) -> Iterator[Count]:
    if input == "treebank":
        sentences = (sentence.forms for sentence in read(path, validate="columns"))
    elif input != "tokens" and tokenizer is not None:
        lines = _without_nul(path)
        sentences = (s.forms for s in tokenizer.pipe(lines, input="lines" if input == "lines" else "text"))
    else:
        plain = input != "tokens"
        lines = _without_nul(path)
        while block := "".join(islice(lines, BLOCK)).encode():
            yield _counting_text(block) if plain else _counting_lines(block, " ")
        return
    while forms := list(islice(sentences, BLOCK)):
        yield _counting_lines("".join("\t".join(sentence) + "\n" for sentence in forms).encode(), "\t")


def _without_nul(path: str | Path) -> Iterator[str]:
    for number, line in enumerate(read_lines(path), 1):
        if "\0" in line:
            raise ClusterError(f"{path}:{number}: there is a NUL character; this is no text file.")
        yield line


def _counting_lines(block: bytes, separator: str) -> Count:
    return lambda counter: counter.add(block, separator)


def _counting_text(block: bytes) -> Count:
    return lambda counter: counter.add_text(block)
