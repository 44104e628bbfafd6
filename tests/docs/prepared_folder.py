"""The files that pages speak of: a toy treebank whole and in parts, texts, a model and its output."""

from __future__ import annotations

import lzma
import shutil
from pathlib import Path

from headwise import Parser
from headwise.treebank import Sentence, read, write
from toy_language import toy_treebank

BOOK = """The dog sees a tree. It is an old tree, and the dog finds the old cat under it.

Marie says that she reads books in the garden. Do you know her? We do not.
"""


def prepare(folder: Path) -> None:
    """Fills an empty folder."""
    train, dev, test = (toy_treebank(count, seed) for count, seed in ((40, 1), (15, 2), (15, 3)))
    for name, sentences in (("train", train), ("dev", dev), ("test", test)):
        write(named(sentences, name), folder / f"{name}.conllu")
    parser = Parser.train(train, dev, preset="third", seed=1)
    parser.save(folder / "model.hw")
    gold = [*read(folder / "test.conllu")]
    parsed = [parse.to_annotated_sentence() for parse in parser.pipe(gold, confidence=True)]
    for name in ("parsed", "system", "second"):
        write(parsed, folder / f"{name}.conllu")
    write((worse(sentence) for sentence in parsed), folder / "first.conllu")
    for name in ("gold", "input", "a"):
        shutil.copyfile(folder / "test.conllu", folder / f"{name}.conllu")
    write((without_tree(sentence) for sentence in gold), folder / "raw.conllu")
    write((half(sentence) for sentence in gold), folder / "half-annotated.conllu")
    (folder / "book.txt").write_text(BOOK, encoding="utf-8")
    (folder / "sentences.txt").write_text("She reads a book.\nHe listens.\n", encoding="utf-8")
    (folder / "tokenized.txt").write_text("She reads a book .\nHe listens .\n", encoding="utf-8")
    (folder / "texts").mkdir()
    shutil.copyfile(folder / "book.txt", folder / "texts/book.txt")
    with lzma.open(folder / "news.txt.xz", "wt", encoding="utf-8") as news:
        news.writelines(" ".join(sentence.forms) + "\n" for sentence in toy_treebank(100, 4))


def named(sentences: list[Sentence], name: str) -> list[Sentence]:
    """With numbers and texts, as treebanks have them."""
    return [
        sentence.with_comments([f"# sent_id = {name}-{i}", f"# text = {' '.join(sentence.forms)}"])
        for i, sentence in enumerate(sentences, 1)
    ]


def worse(sentence: Sentence) -> Sentence:
    """With every other word under the first one, as a bad parser might do it."""
    heads = sentence.heads.tolist()
    root = heads.index(0) + 1
    return sentence.with_tree(
        [root if m % 2 and m != root else h for m, h in enumerate(heads, 1)], sentence.labels
    )


def without_tree(sentence: Sentence) -> Sentence:
    return Sentence.from_words(sentence.forms, upos=sentence.upos).with_comments(sentence.comments)


def half(sentence: Sentence) -> Sentence:
    """The heads of every other word are not known."""
    heads = [head if m % 2 else -1 for m, head in enumerate(sentence.heads.tolist(), 1)]
    labels = [label if m % 2 else "_" for m, label in enumerate(sentence.labels, 1)]
    return sentence.with_tree(heads, labels)
