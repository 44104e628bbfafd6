"""Accuracy and speed of a tokenizer and a tagger on a treebank.

    python benchmarks/raw_text.py EWT                   # a name under $HEADWISE_DATA/treebanks
    python benchmarks/raw_text.py EWT French --dev      # score the development set instead of the test set

The raw text is put together from the treebank (an empty line between paragraphs). Scores are F1 of the UD
scorer: tokens, words, sentences from raw text; tags and lemmas once on gold tokens, once from raw text.
Speeds are of one core: CPU seconds, the best of three.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from headwise.components.tagging import Tagger, tag_scores
from headwise.components.text import Tokenizer
from headwise.components.text.raw_text import raw_text
from headwise.evaluation import evaluate
from headwise.treebank import Sentence, Treebank
from shared_data import Split, find_treebank

FROM_RAW_TEXT = ("tokens", "words", "sentences", "upos", "xpos", "ufeats", "all_tags", "lemmas")


def best_cpu_seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def with_some_tree(sentences: list[Sentence]) -> list[Sentence]:
    """The scorer wants trees; which ones does not matter here."""
    return [s.with_tree([0] + [1] * (len(s) - 1), ["root"] + ["dep"] * (len(s) - 1)) for s in sentences]


def measure(split: Split, on_dev: bool) -> dict[str, str]:
    train = list(Treebank.load(split.train, validate="columns"))
    dev = list(Treebank.load(split.dev, validate="columns")) if split.dev else None
    gold = dev if on_dev and dev else list(Treebank.load(split.test, validate="columns"))
    words = sum(map(len, gold))

    start = time.perf_counter()
    tokenizer = Tokenizer.train(train)
    tokenizer_seconds = time.perf_counter() - start
    start = time.perf_counter()
    tagger = Tagger.train(train, dev)
    tagger_seconds = time.perf_counter() - start

    text = raw_text(gold)
    split_sentences = tokenizer(text)
    on_gold = tag_scores(gold, tagger.pipe(gold))
    tagged = list(tagger.pipe(split_sentences))
    raw = evaluate(with_some_tree(gold), with_some_tree(tagged), "ud")
    bare = [Sentence.from_words(s.forms) for s in gold]
    return {
        "treebank": split.name,
        "scored on": "dev" if on_dev and dev else "test",
        **{
            f"{name}, raw text": f"{100 * getattr(raw, name).f1:.2f}"
            for name in ("tokens", "words", "sentences")
        },
        **{f"{name}, gold tokens": f"{100 * share:.2f}" for name, share in on_gold.measures().items()},
        **{
            f"{name}, raw text": f"{100 * getattr(raw, name).f1:.2f}"
            for name in ("upos", "xpos", "ufeats", "all_tags", "lemmas")
        },
        "tokenizer: training s": f"{tokenizer_seconds:.0f}",
        "tokenizer: MB/s": f"{len(text.encode()) / 1e6 / best_cpu_seconds(lambda: tokenizer(text)):.1f}",
        "tagger: training s": f"{tagger_seconds:.0f}",
        "tagger: tokens/s": f"{words / best_cpu_seconds(lambda: list(tagger.pipe(bare))):,.0f}",
    }


def main() -> None:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("treebanks", nargs="+", help="names (or folders) of treebanks")
    parser.add_argument("--dev", action="store_true", help="score the development set")
    options = parser.parse_args()
    for name in options.treebanks:
        for key, value in measure(find_treebank(name), options.dev).items():
            print(f"{key:24}  {value:>14}")
        print()


if __name__ == "__main__":
    main()
