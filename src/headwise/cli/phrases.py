"""What the commands do with bracketed trees and with phrase-structure models."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from headwise.base.messages import tell
from headwise.cli import shell
from headwise.cli.choices import PHRASE_PARSER, OnError, OutputFormat, ParseInput, ParseOutput
from headwise.cli.inputs import Given
from headwise.cli.skipped import report_skipped

if TYPE_CHECKING:
    from headwise.base.errors import TreebankError
    from headwise.constituency.brackets import BracketReader
    from headwise.constituency.evaluation import BracketComparison, BracketScores
    from headwise.constituency.parser import PhraseParse, PhraseParser
    from headwise.constituency.tree import Tree
    from headwise.treebank.reading import Format


OPTIONS_OF_PHRASES = frozenset(
    ("treebank", "output", "dev", "joined", "head_rules", "seed", "threads", "on_error", "quiet")
)
"""The parameters of `headwise train` that mean something with bracketed trees; so in the other commands:"""
OPTIONS_OF_PARSING_PHRASES = frozenset(
    ("inputs", "model", "output", "from_", "to", "k_best", "threads", "on_error")
)
OPTIONS_OF_CONVERTING_PHRASES = frozenset(("files", "output", "to", "strip", "head_rules", "on_error"))

_GLUED = re.compile(r"[^\W\d_][.!?]$")
"""A word with the end of its sentence stuck to it."""


class Joined(StrEnum):
    none = "none"
    tagger = "tagger"
    dependencies = "dependencies"


class Strip(StrEnum):
    empty = "empty"
    functions = "functions"
    chains = "chains"


def are_brackets(path: Path | None) -> bool:
    """Whether a file holds bracketed trees."""
    if path is None:
        return False
    from headwise.constituency.recognizing import is_bracket_file

    return is_bracket_file(path)


def is_phrase_model(model: str) -> bool:
    """Whether a model finds phrase structure."""
    from headwise.base.errors import HeadwiseError
    from headwise.model import model_kind
    from headwise.model.bundled import model_path

    try:
        return model_kind(model_path(model)) == PHRASE_PARSER
    except HeadwiseError:
        return False  # whoever loads it will say what is wrong with it


def train_phrases(
    treebank: Path,
    dev: Path | None,
    output: Path,
    join: Joined,
    head_rules: str | None,
    seed: int,
    threads: int,
    on_error: OnError,
    quiet: bool,
) -> None:
    """``headwise train`` with brackets."""
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.head_rules import HeadRules
    from headwise.constituency.parser import PhraseParser

    if dev is not None and join is Joined.none:
        raise shell.BadParameter("--dev tunes the weight of a joined model; there is none without --joined")

    def message(text: str) -> None:
        if not quiet:
            print(text, file=sys.stderr, flush=True)

    readers = [read_brackets(path, on_error=on_error.value) for path in (treebank, dev) if path is not None]
    parser = PhraseParser.train(
        readers[0],
        dev=readers[1] if dev else None,
        join=join.value,
        rules=None if head_rules is None else HeadRules.load(head_rules),
        seed=seed,
        threads=threads or 1,
        message=message,
    )
    report_skipped([error for reader in readers for error in reader.skipped])
    parser.save(output)
    message(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)")


def parse_phrases(
    given: Sequence[Given],
    model: str,
    output: Path,
    from_: ParseInput,
    to: ParseOutput | None,
    k_best: int | None,
    on_error: OnError,
) -> None:
    """``headwise parse`` with a phrase-structure model: sentences of any file, or lines of words."""
    from headwise.treebank.files import opened_for_writing

    if to is ParseOutput.conllx:
        raise shell.BadParameter("phrase structure is written as brackets (same), json, tree or conllu")
    if to is None:
        to = ParseOutput.tree if str(output) == "-" and sys.stdout.isatty() else ParseOutput.same
    parser = _loaded(model)
    skipped: list[TreebankError] = []
    with opened_for_writing(output) as opened:
        for one in given:
            for words in _sentences(one, from_, on_error, skipped):
                parses = [parser(words)] if k_best is None else parser.k_best(words, k_best)
                for parse in parses:
                    opened.write(_written(parse, to).encode())
                opened.flush()
    report_skipped(skipped)


def parsed_trees(given: Sequence[Given], model: str, from_: ParseInput) -> Iterator[Tree]:
    """What a phrase-structure model makes of sentences, for ``headwise show``."""
    parser = _loaded(model)
    for one in given:
        for words in _sentences(one, from_, OnError.stop, []):
            yield parser(words).tree


def _loaded(model: str) -> PhraseParser:
    from headwise.constituency.parser import PhraseParser
    from headwise.model.bundled import model_path

    return PhraseParser.load(model_path(model))


def _sentences(
    given: Given, from_: ParseInput, on_error: OnError, skipped: list[TreebankError]
) -> Iterator[list[str]]:
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.simplify import without_empty
    from headwise.treebank import read
    from headwise.treebank.files import read_lines

    if given.path is None or from_.is_text or (from_ is ParseInput.auto and _is_text(given)):
        lines = given.text.splitlines() if given.path is None else read_lines(given.path)
        yield from _split(lines)
    elif from_ is ParseInput.auto and are_brackets(given.path):
        trees = read_brackets(given.path, on_error=on_error.value)
        for tree in trees:
            if (shown := without_empty(tree)) is not None:
                yield shown.words
        skipped += trees.skipped
    else:
        columns = cast("Format", from_.value)
        reader = read(given.path, format=columns, validate="columns", on_error=on_error.value)
        yield from (sentence.forms for sentence in reader)
        skipped += reader.skipped


def _is_text(given: Given) -> bool:
    from headwise.cli.inputs import looks_like_text

    return given.path is not None and not are_brackets(given.path) and looks_like_text(given)


def _split(lines: Iterable[str]) -> Iterator[list[str]]:
    """A sentence a line, its words between spaces; says so where that looks like an oversight."""
    said = False
    for line in lines:
        words = line.split()
        glued = next((word for word in words[-1:] if _GLUED.search(word)), None)
        if glued and not said:
            said = True
            print(
                f"headwise: words are what stands between spaces, and {glued[-40:]} is one word; "
                "put spaces before punctuation as the treebank does",
                file=sys.stderr,
            )
        if words:
            yield words


def _written(parse: PhraseParse, to: ParseOutput) -> str:
    if to is ParseOutput.json:
        return json.dumps(parse.to_json(), ensure_ascii=False) + "\n"
    if to is ParseOutput.tree:
        return parse.tree.draw() + "\n"
    if to is ParseOutput.conllu:
        from headwise.treebank import Sentence

        sentence = Sentence.from_words(parse.tree.words, xpos=parse.tree.tags, heads=parse.heads)
        return str(sentence).rstrip("\n") + "\n\n"
    return f"{parse.tree}\n"


def evaluate_phrases(
    gold: Path, system: Path, compare: Path | None, permutations: int, seed: int, as_json: bool
) -> None:
    """``headwise evaluate`` with brackets."""
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.evaluation import compare_brackets, score_trees

    golds = list(read_brackets(gold))
    scores = score_trees(golds, read_brackets(system))
    comparison = None
    if compare is not None:
        other = score_trees(golds, read_brackets(compare))
        comparison = compare_brackets(scores, other, permutations=permutations, seed=seed)
    if as_json:
        print(json.dumps(_scores_as_json(gold, system, compare, scores, comparison), indent=2))
    else:
        _print_scores(gold, system, compare, scores, comparison)


def _scores_as_json(
    gold: Path, system: Path, other: Path | None, scores: BracketScores, comparison: BracketComparison | None
) -> dict[str, Any]:
    def numbers(of: BracketScores) -> dict[str, float]:
        names = ("recall", "precision", "f1", "exact_match", "crossing", "no_crossing", "tag_accuracy")
        return {name: getattr(of, name) for name in names}

    document: dict[str, Any] = {
        "gold": str(gold),
        "system": str(system),
        "parameters": "COLLINS.prm",
        "sentences": len(scores.sentences),
        "errors": scores.errors,
        "scores": numbers(scores),
        "up_to_40_words": numbers(scores.up_to(40)),
    }
    if comparison is not None:
        document["other"] = str(other)
        document["other_scores"] = numbers(comparison.second)
        document["difference"] = comparison.permutation.difference
        document["permutation_test"] = {"p_value": comparison.permutation.p_value}
        document["sign_test"] = {"p_value": comparison.sign.p_value}
    return document


def _print_scores(
    gold: Path, system: Path, other: Path | None, scores: BracketScores, comparison: BracketComparison | None
) -> None:
    short = scores.up_to(40)
    print(f"{system} against {gold}: {len(scores.sentences)} sentences, {scores.errors} with other words")
    print("Brackets as EVALB counts them with COLLINS.prm; per cent, but for crossing brackets a sentence\n")
    print(f"{'':22}{'all':>9}{'≤ 40 words':>12}" + (f"{'second':>9}" if comparison else ""))
    seconds = comparison.second.named() if comparison else [("", 0.0)] * 8
    for (name, value), (_, of_short), (_, second) in zip(scores.named(), short.named(), seconds, strict=True):
        print(f"{name:22}{value:9.2f}{of_short:12.2f}" + (f"{second:9.2f}" if comparison else ""))
    if comparison is not None:
        test, sign = comparison.permutation, comparison.sign
        print(f"\nSecond: {other}. Difference in F1: {100 * test.difference:+.2f}")
        print(
            f"p = {test.p_value:.4f} ({test.permutations} permutations with seed {test.seed}), "
            f"{sign.p_value:.4f} (sign test: {sign.first_better} better, {sign.second_better} worse)"
        )


def tree_pieces(trees: Iterator[Tree], kind: str, title: str, *, on_terminal: bool) -> Iterator[str]:
    """``headwise show`` with brackets: the drawings bit by bit."""
    import os

    from headwise.constituency.display import html_pieces, to_svg, to_text

    if kind == "html":
        yield from html_pieces(trees, title=title)
    elif kind == "svg":
        first = list(islice(trees, 2))
        if len(first) != 1:
            found = "several" if first else "none"
            remedy = "choose one (--sentence N) or draw them all on a page (--format html)"
            raise shell.BadParameter(f"an SVG file holds one tree, and there are {found}; {remedy}")
        yield to_svg(first[0])
    else:
        colour = on_terminal and "NO_COLOR" not in os.environ
        for tree in trees:
            yield f"# {' '.join(tree.words)}\n{to_text(tree, colour=colour)}\n"


def trees_of(paths: Sequence[Path]) -> Iterator[Tree]:
    from headwise.constituency.brackets import read_brackets

    for path in paths:
        yield from read_brackets(path)


def info_phrases(path: Path, as_json: bool) -> None:
    """``headwise info`` with brackets; broken trees are counted, and make the exit code 1."""
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.statistics import tree_statistics

    reader = read_brackets(path, on_error="skip")
    counts = tree_statistics(reader)
    if as_json:
        print(json.dumps({"file": reader.name, **counts.to_json()}, ensure_ascii=False, indent=2))
    else:
        print(f"{reader.name}: {counts.trees:,} bracketed trees, {counts.words:,} words")
        print(f"longest sentence   {counts.longest:,} words, deepest tree {counts.deepest}")
        print(f"empty elements     {counts.empty_elements:,}")
        print(f"phrases            {counts.phrases.total():,}, {counts.functions:,} with function tags")
        for name, found in (("labels", counts.phrases), ("tags", counts.tags)):
            most = ", ".join(f"{label} {times:,}" for label, times in found.most_common(8))
            print(f"{name:18} {len(found):,}: {most}{' …' if len(found) > 8 else ''}")
    report_skipped(reader.skipped)
    if reader.skipped:
        raise shell.Exit(1)


def convert_phrases(
    paths: Sequence[Path],
    output: Path,
    to: OutputFormat,
    strip: Sequence[Strip],
    head_rules: str | None,
    on_error: OnError,
) -> None:
    """``headwise convert`` with brackets: as they are, simpler, or the dependencies that head rules give."""
    from headwise.constituency.brackets import read_brackets

    readers = [read_brackets(path, on_error=on_error.value) for path in paths]
    if to is OutputFormat.same:
        if head_rules is not None:
            raise shell.BadParameter("--head-rules are for dependencies (--to conllu, conllx or json)")
        _write_trees(readers, output, strip)
    elif to is OutputFormat.parquet:
        raise shell.BadParameter("dependencies of bracketed trees are written --to conllu, conllx or json")
    else:
        _write_dependencies(readers, output, to, strip, head_rules)
    report_skipped([error for reader in readers for error in reader.skipped])


def _write_trees(readers: Sequence[BracketReader], output: Path, strip: Sequence[Strip]) -> None:
    from headwise.constituency.brackets import written
    from headwise.treebank.files import opened_for_writing

    with opened_for_writing(output) as opened:
        for reader in readers:
            for tree in reader:
                stripped = _stripped(tree, strip)
                if stripped is not None:
                    opened.write(written(stripped).encode())
            if not strip:
                opened.write(reader.trailer.encode())


def _write_dependencies(
    readers: Sequence[BracketReader],
    output: Path,
    to: OutputFormat,
    strip: Sequence[Strip],
    head_rules: str | None,
) -> None:
    from headwise.constituency.dependencies import to_dependencies
    from headwise.constituency.head_rules import HeadRules
    from headwise.constituency.simplify import rooted

    found = (_stripped(tree, [*strip, Strip.empty]) for reader in readers for tree in reader)
    trees = [rooted(tree) for tree in found if tree is not None]
    rules = HeadRules.choose(trees) if head_rules is None else HeadRules.load(head_rules)
    tell(f"heads by the rules called {rules.name}")
    with to.writer(output) as writer:
        for tree in trees:
            sentence = to_dependencies(tree, rules)
            writer.write(sentence.to_conllx() if to is OutputFormat.conllx else sentence)


def _stripped(tree: Tree, strip: Sequence[Strip]) -> Tree | None:
    """The tree itself where nothing is to go, so that it is written as it was read."""
    from headwise.constituency.simplify import without_chains, without_empty, without_functions

    left: Tree | None = tree
    if Strip.empty in strip:
        left = without_empty(tree)
    if left is not None and Strip.functions in strip:
        left = without_functions(left)
    if left is not None and Strip.chains in strip:
        left = without_chains(left)
    return left
