"""What the commands do with bracketed trees and with phrase-structure models."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from headwise.cli.choices import OnError, OutputFormat, ParseOutput
from headwise.cli.inputs import Given
from headwise.cli.messages import tell
from headwise.cli.skipped import report_skipped

if TYPE_CHECKING:
    from headwise.constituency.evaluation import BracketComparison, BracketScores
    from headwise.constituency.parser import PhraseParse
    from headwise.constituency.tree import Tree
    from headwise.errors import TreebankError


class Joined(StrEnum):
    none = "none"
    tagger = "tagger"
    dependencies = "dependencies"


def are_brackets(path: Path | None) -> bool:
    """Whether a file holds bracketed trees."""
    if path is None:
        return False
    from headwise.constituency.recognizing import is_bracket_file

    return is_bracket_file(path)


def is_phrase_model(model: str) -> bool:
    """Whether a model finds phrase structure."""
    from headwise.errors import HeadwiseError
    from headwise.model import model_kind
    from headwise.model.bundled import model_path

    try:
        return model_kind(model_path(model)) == "phrase-structure"
    except HeadwiseError:
        return False  # whoever loads it will say what is wrong with it


def train_phrases(
    treebank: Path, output: Path, join: Joined, seed: int, threads: int, on_error: OnError, quiet: bool
) -> None:
    """``headwise train`` with brackets."""
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.parser import PhraseParser

    if output.is_dir() or not output.absolute().parent.is_dir():
        raise typer.BadParameter(f"cannot write a model to {output}: no such folder, or a folder itself")

    def message(text: str) -> None:
        if not quiet:
            print(text, file=sys.stderr, flush=True)

    reader = read_brackets(treebank, on_error=on_error.value)
    parser = PhraseParser.train(reader, join=join.value, seed=seed, threads=threads or 1, message=message)
    report_skipped(reader.skipped)
    parser.save(output)
    message(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)")


def parse_phrases(
    given: Sequence[Given], model: str, output: Path, to: ParseOutput | None, on_error: OnError
) -> None:
    """``headwise parse`` with a phrase-structure model: sentences of any file, or lines of words."""
    from headwise.constituency.parser import PhraseParser
    from headwise.model.bundled import model_path
    from headwise.treebank.files import opened_for_writing

    if to is ParseOutput.conllx:
        raise typer.BadParameter("phrase structure is written as brackets (same), json, tree or conllu")
    if to is None:
        to = ParseOutput.tree if str(output) == "-" and sys.stdout.isatty() else ParseOutput.same
    parser = PhraseParser.load(model_path(model))
    skipped: list[TreebankError] = []
    with opened_for_writing(output) as opened:
        for one in given:
            for words in _sentences(one, on_error, skipped):
                opened.write(_written(parser(words), to).encode())
                opened.flush()
    report_skipped(skipped)


def _sentences(given: Given, on_error: OnError, skipped: list[TreebankError]) -> Iterator[list[str]]:
    from headwise.cli.inputs import looks_like_text
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.simplify import without_empty
    from headwise.treebank import read
    from headwise.treebank.files import read_lines

    if given.path is None:
        yield given.text.split()
    elif are_brackets(given.path):
        trees = read_brackets(given.path, on_error=on_error.value)
        for tree in trees:
            if (shown := without_empty(tree)) is not None:
                yield shown.words
        skipped += trees.skipped
    elif looks_like_text(given):
        yield from (line.split() for line in read_lines(given.path) if line.strip())
    else:
        reader = read(given.path, validate="columns", on_error=on_error.value)
        yield from (sentence.forms for sentence in reader)
        skipped += reader.skipped


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
        typer.echo(json.dumps(_scores_as_json(gold, system, compare, scores, comparison), indent=2))
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
            raise typer.BadParameter(f"an SVG file holds one tree, and there are {found}; {remedy}")
        yield to_svg(first[0])
    else:
        colour = on_terminal and "NO_COLOR" not in os.environ
        for tree in trees:
            yield f"# {' '.join(tree.words)}\n{to_text(tree, colour=colour)}\n"


def trees_of(paths: Sequence[Path]) -> Iterator[Tree]:
    from headwise.constituency.brackets import read_brackets

    for path in paths:
        yield from read_brackets(path)


def convert_phrases(paths: Sequence[Path], output: Path, to: OutputFormat, on_error: OnError) -> None:
    """``headwise convert`` with brackets: as they are, or the dependencies that head rules give."""
    from headwise.constituency.brackets import read_brackets, written
    from headwise.constituency.dependencies import to_dependencies
    from headwise.constituency.head_rules import HeadRules
    from headwise.constituency.simplify import rooted, without_empty
    from headwise.treebank.files import opened_for_writing

    skipped: list[TreebankError] = []
    if to is OutputFormat.same:
        with opened_for_writing(output) as opened:
            for path in paths:
                reader = read_brackets(path, on_error=on_error.value)
                for tree in reader:
                    opened.write(written(tree).encode())
                opened.write(reader.trailer.encode())
                skipped += reader.skipped
        report_skipped(skipped)
        return
    trees: list[Tree] = []
    for path in paths:
        reader = read_brackets(path, on_error=on_error.value)
        stripped = (without_empty(original) for original in reader)
        trees += [rooted(own) for own in stripped if own is not None]
        skipped += reader.skipped
    rules = HeadRules.choose(trees)
    tell(f"heads by the rules called {rules.name}")
    with to.writer(output) as writer:
        for tree in trees:
            sentence = to_dependencies(tree, rules)
            writer.write(sentence.to_conllx() if to is OutputFormat.conllx else sentence)
    report_skipped(skipped)
