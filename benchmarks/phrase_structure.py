"""Tables 1, 2 and 3 and Figure 5 of Rush et al. (2010), with their figures beside ours.

    python benchmarks/phrase_structure.py gum --part test
    python benchmarks/phrase_structure.py icepahc --part dev --sentences 500

Trains Model 1, a tagger and a second-order dependency parser on a bracketed treebank, tunes the weights of
the joined systems on sentences from all over its development set, and measures the part named. Times are
processor time of one core.
"""

from __future__ import annotations

import argparse
import math
import resource
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from headwise import Parser
from headwise.constituency.brackets import read_brackets
from headwise.constituency.dependencies import heads_of, to_dependencies
from headwise.constituency.evaluation import COLLINS, BracketScores, compare_brackets, score_trees
from headwise.constituency.head_rules import HeadRules
from headwise.constituency.joined import LIMITS, JoinedParse, PhraseAndDependencies, TaggerAndPhrases
from headwise.constituency.model1 import Model1
from headwise.constituency.parser import GRID, PhraseParser
from headwise.constituency.simplify import Simplification
from headwise.constituency.tree import Tree
from headwise.dual import RUSH_2010, Limits
from headwise.tagging import Tagger, realistic_tags
from headwise.treebank import Sentence
from shared_data import DATA

PAPERS_TABLE_1 = {
    "Dep": (43.5, 20.1, 10.2, 4.9, 14.0, 5.7, 1.4, 0.4),
    "POS": (58.7, 15.4, 6.3, 3.6, 10.3, 3.8, 0.8, 1.1),
}
PAPERS_TABLE_2 = (
    ("Model 1", (88.4, 87.8, 88.1), 91.4, None),
    ("baseline", (89.9, 89.6, 89.7), 93.3, None),
    ("joined", (91.0, 90.4, 90.7), 93.8, None),
)
PAPERS_TABLE_3 = (("fixed tags", (88.1, 87.6, 87.9), None, 96.7), ("joined", (88.7, 88.0, 88.3), None, 97.1))
PAPERS_FIGURE_5 = {5: 90.63, 10: 90.69, 50: 90.7}
"""F1 by the number of iterations, where the text gives it."""
COLUMNS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 10), (11, 20), (21, 50))
LIMITS_OF_FIGURE_5 = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50)


PapersRow = tuple[str, tuple[float, float, float], float | None, float | None]
"""A name, P R F1, UAS and tags."""


@dataclass(frozen=True)
class Models:
    grammar: Model1
    tagger: Tagger
    parser: Parser


def read(path: Path) -> list[Tree]:
    simplify = Simplification()
    return [tree for original in read_brackets(path) if (tree := simplify(original)) is not None]


def find(treebank: str, part: str) -> Path:
    for path in (Path(f"{treebank}-{part}.ptb"), DATA / "phrase-structure" / f"{treebank}-{part}.ptb.xz"):
        if path.exists():
            return path
    raise SystemExit(
        f"no trees called {treebank}-{part} under {DATA / 'phrase-structure'}; set HEADWISE_DATA"
    )


def train(trees: Sequence[Tree], folder: Path | None, jackknife: int) -> Models:
    rules = HeadRules.choose(trees)
    begin = time.process_time()
    grammar = Model1.learn(trees, rules)
    print(
        f"Model 1 and its coarse grammar: {time.process_time() - begin:.1f} s, head rules: {rules.name}",
        flush=True,
    )
    sentences = [to_dependencies(tree, rules, labels=False) for tree in trees]

    def train_parser() -> Parser:
        tagged, _ = realistic_tags(sentences, None, jackknife)
        return Parser.train(
            tagged, preset="second", trees="projective", root="single", labels="none", calibrate=False
        )

    def train_tagger() -> Tagger:
        return Tagger.train([Sentence.from_words(each.forms, xpos=each.xpos) for each in sentences])

    tagger, parser = (
        _kept(folder, "tagger.hw", Tagger, train_tagger),
        _kept(folder, "parser.hw", Parser, train_parser),
    )
    return Models(grammar, tagger, parser)


def _kept(folder: Path | None, name: str, kind: Any, make: Callable[[], Any]) -> Any:
    """A model from the folder, or a new one that is put there."""
    path = None if folder is None else folder / name
    if path is not None and path.exists():
        return kind.load(path)
    begin = time.process_time()
    model = make()
    print(f"{name}: trained in {time.process_time() - begin:.0f} s", flush=True)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        model.save(path)
    return model


@dataclass(frozen=True)
class Measured:
    """What a system made of the gold trees."""

    name: str
    brackets: BracketScores | None
    uas: float
    tags: float
    seconds: float
    slowest: float
    parses: Sequence[JoinedParse] = ()

    sentences: int = 0

    @property
    def per_second(self) -> float:
        return self.sentences / self.seconds


class Found(Protocol):
    """What a system makes of a sentence; a tree of None where it finds heads alone."""

    @property
    def tree(self) -> Tree | None: ...
    @property
    def heads(self) -> Sequence[int]: ...


@dataclass(frozen=True)
class OnlyHeads:
    heads: Sequence[int]
    tree: Tree | None = None


class Measurement:
    """Gold trees, their sentences as the tagger tags them, and what systems make of them."""

    def __init__(self, gold: Sequence[Tree], models: Models) -> None:
        self.gold, self.models = gold, models
        self.heads = [heads_of(tree, models.grammar.rules) for tree in gold]
        self.tagged = list(models.tagger.pipe([Sentence.from_words(tree.words) for tree in gold]))

    def measure(
        self, prepare: Callable[[int], Any], systems: Mapping[str, Callable[[int, Any], Found]]
    ) -> dict[str, Measured]:
        """What systems find that share their forests, which each of them is charged for."""
        found: dict[str, list[Found]] = {name: [] for name in systems}
        seconds: dict[str, list[float]] = {name: [] for name in systems}
        for k in range(len(self.gold)):
            shared, of_all = _timed(prepare, k)
            for name, system in systems.items():
                one, own = _timed(system, k, shared)
                found[name].append(one)
                seconds[name].append(of_all + own)
        return {name: self._measured(name, found[name], seconds[name]) for name in systems}

    def _measured(self, name: str, found: Sequence[Found], seconds: Sequence[float]) -> Measured:
        trees = [one.tree for one in found if one.tree is not None]
        brackets = score_trees(self.gold, trees) if trees else None
        return Measured(
            name,
            brackets,
            self.uas([one.heads for one in found]),
            brackets.tag_accuracy if brackets else 0.0,
            sum(seconds),
            max(seconds),
            [one for one in found if isinstance(one, JoinedParse)],
            len(found),
        )

    def uas(self, heads: Sequence[Sequence[int]]) -> float:
        """The share of words with the right head, punctuation left out."""
        pairs = [
            (found == right)
            for tree, rights, founds in zip(self.gold, self.heads, heads, strict=True)
            for tag, right, found in zip(tree.tags, rights, founds, strict=True)
            if tag not in COLLINS.deleted_tags
        ]
        return sum(pairs) / len(pairs)

    def tags_alone(self) -> float:
        """The share of words with the right tag, by the tagger, as brackets count it."""
        pairs = [
            own == right
            for tree, sentence in zip(self.gold, self.tagged, strict=True)
            for right, own in zip(tree.tags, sentence.xpos, strict=True)
            if right not in COLLINS.deleted_tags
        ]
        return sum(pairs) / len(pairs)

    def with_dependencies(self, weight: float) -> dict[str, Measured]:
        """The parser; Model 1 with given tags, the baseline and the joined system in the same forests."""
        both = PhraseAndDependencies(self.models.grammar, self.models.parser, weight)

        def joined(k: int, shared: tuple[Any, Any], limits: Limits) -> JoinedParse:
            parse = both.agree(*shared, limits)
            return parse if parse.result is not None else both.parse(self.tagged[k], limits)

        systems: dict[str, Callable[[int, Any], Found]] = {
            "Model 1, fixed tags": lambda k, shared: shared[0].best(),
            "baseline: its arcs": lambda k, shared: (
                both.restrict(shared[0], self.tagged[k]) or shared[0].best()
            ),
            "joined, as in the paper": lambda k, shared: joined(k, shared, RUSH_2010),
            "joined": lambda k, shared: joined(k, shared, LIMITS),
        }
        parser = self.measure(lambda k: None, {"dependency parser": lambda k, _: self.dependencies(k)})
        return parser | self.measure(lambda k: both.considered(self.tagged[k]), systems)

    def dependencies(self, k: int) -> Found:
        return OnlyHeads(self.models.parser(self.tagged[k]).heads.tolist())

    def with_tagger(self, weight: float) -> dict[str, Measured]:
        """Model 1 with its own tags, with the tagger's, and joined."""
        grammar = self.models.grammar
        both = TaggerAndPhrases(grammar, self.models.tagger, weight)
        return self.measure(
            lambda k: None,
            {
                "Model 1, its own tags": lambda k, _: grammar.forest(self.tagged[k].forms).best(),
                "Model 1, fixed tags": lambda k, _: grammar.forest(
                    self.tagged[k].forms, [[tag] for tag in self.tagged[k].xpos]
                ).best(),
                "joined, as in the paper": lambda k, _: both.parse(self.tagged[k].forms, RUSH_2010),
                "joined": lambda k, _: both.parse(self.tagged[k].forms, LIMITS),
            },
        )


def _timed(do: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    begin = time.process_time()
    done = do(*arguments)
    return done, time.process_time() - begin


def tuned_weights(models: Models, dev: Sequence[Tree], most: int, grid: Sequence[float]) -> list[float]:
    """The weights that are best on development trees, with dependencies and with the tagger."""
    weights = []
    for join in ("dependencies", "tagger"):
        parser = PhraseParser(models.grammar, models.tagger, models.parser, join=join)
        tuned = parser.tuned(
            dev, grid, most=most, message=lambda text, join=join: print(f"{join}, {text}", flush=True)
        )
        weights.append(tuned.weight)
    return weights


def print_convergence(rows: dict[str, Sequence[JoinedParse]]) -> None:
    print("\nTable 1: share of sentences by the number of iterations; ** no proof")
    names = [f"{a}" if a == b else f"{a}-{b}" for a, b in COLUMNS]
    print(f"{'':28}" + "".join(f"{name:>8}" for name in [*names, "more", "**"]))
    for name, parses in rows.items():
        shares = [sum(p.exact and a <= p.iterations <= b for p in parses) for a, b in COLUMNS]
        shares += [sum(p.exact and p.iterations > 50 for p in parses), sum(not p.exact for p in parses)]
        print(f"{name:28}" + "".join(f"{100 * share / len(parses):8.1f}" for share in shares))
    for name, papers in PAPERS_TABLE_1.items():
        print(
            f"{'paper: ' + name:28}" + "".join(f"{share:8.1f}" for share in [*papers[:-1], 0.0, papers[-1]])
        )


def print_scores(title: str, rows: Iterable[Measured], papers: Sequence[PapersRow]) -> None:
    print(f"\n{title}")
    heads = ("P", "R", "F1", "exact", "crossing", "UAS", "tags", "sent/s", "slowest")
    print(f"{'':28}" + "".join(f"{name:>9}" for name in heads) + "   proved")
    for row in rows:
        scores = row.brackets
        numbers = [""] * 5
        if scores:
            numbers = [
                f"{100 * x:.2f}" for x in (scores.precision, scores.recall, scores.f1, scores.exact_match)
            ] + [f"{scores.crossing:.2f}"]
        numbers += [f"{100 * row.uas:.2f}", f"{100 * row.tags:.2f}" if scores else ""]
        numbers += [f"{row.per_second:.1f}", f"{row.slowest:.2f} s"]
        proved = f"{100 * sum(p.exact for p in row.parses) / len(row.parses):.2f} %" if row.parses else ""
        print(f"{row.name:28}" + "".join(f"{x:>9}" for x in numbers) + f"   {proved}".rstrip())
    for name, brackets, uas, tags in papers:
        numbers = [*map(str, brackets), "", "", str(uas or ""), str(tags or "")]
        print(f"{'paper: ' + name:28}" + "".join(f"{x:>9}" for x in numbers).rstrip(), flush=True)


def figure_5(test: Measurement, weight: float, sentences: int) -> None:
    """Each forest is built once, and searched with every limit."""
    print(f"\nFigure 5: with at most K iterations, the first {sentences} sentences")
    print(f"{'K':>4}{'F1':>9}{'proved':>9}{'as K=50':>9}{'paper: F1':>12}{'proved':>9}")
    system = PhraseAndDependencies(test.models.grammar, test.models.parser, weight)
    limits = [replace(RUSH_2010, iterations=most) for most in LIMITS_OF_FIGURE_5]
    considered = (system.considered(sentence) for sentence in test.tagged[:sentences])
    rows = [[system.agree(forest, trees, at) for at in limits] for forest, trees in considered]
    for place, most in enumerate(LIMITS_OF_FIGURE_5):
        parses = [row[place] for row in rows]
        f1 = score_trees(test.gold[: len(rows)], [parse.tree for parse in parses]).f1
        proved = sum(parse.exact for parse in parses) / len(rows)
        same = sum(parse.tree == row[-1].tree for parse, row in zip(parses, rows, strict=True)) / len(rows)
        done = sum(
            share for (_, last), share in zip(COLUMNS, PAPERS_TABLE_1["Dep"], strict=False) if last <= most
        )
        done = min(done, 100 - PAPERS_TABLE_1["Dep"][-1])  # the columns are rounded
        papers_f1 = str(PAPERS_FIGURE_5.get(most, ""))
        papers_proved = f"{done:.1f}" if any(last == most for _, last in COLUMNS) else ""
        print(
            f"{most:4}{100 * f1:9.2f}{100 * proved:9.2f}{100 * same:9.2f}{papers_f1:>12}{papers_proved:>9}",
            flush=True,
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("treebank", help="gum, icepahc, or the path of files up to -train.ptb")
    options.add_argument("--part", default="test", help="dev, test, test2")
    options.add_argument(
        "--sentences", type=int, default=100_000, help="at most so many, from all over the part"
    )
    options.add_argument(
        "--tune", type=int, default=200, help="development sentences to tune weights on; 0: take --weights"
    )
    options.add_argument(
        "--weights", type=float, nargs=2, default=(3.0, 3.0), help="with dependencies, with tags"
    )
    options.add_argument("--grid", type=float, nargs="+", default=GRID)
    options.add_argument("--jackknife", type=int, default=4)
    options.add_argument(
        "--models", type=Path, help="a folder that keeps the tagger and the dependency parser"
    )
    options.add_argument("--figure", type=int, default=200, help="sentences for Figure 5; 0: none")
    given = options.parse_args()

    models = train(read(find(given.treebank, "train")), given.models, given.jackknife)
    weights = given.weights
    if given.tune:
        weights = tuned_weights(models, read(find(given.treebank, "dev")), given.tune, given.grid)
    print(f"weights: {weights[0]:g} with dependencies, {weights[1]:g} with the tagger", flush=True)
    gold = read(find(given.treebank, given.part))
    chosen = gold[:: math.ceil(len(gold) / given.sentences)]
    print(f"{len(chosen)} of {len(gold)} sentences of {given.treebank}-{given.part}", flush=True)
    test = Measurement(chosen, models)

    with_dependencies = test.with_dependencies(weights[0])
    print_scores("Table 2: phrase structure and dependencies", with_dependencies.values(), PAPERS_TABLE_2)
    with_tags = test.with_tagger(weights[1])
    print_scores("Table 3: phrase structure and tags", with_tags.values(), PAPERS_TABLE_3)
    print(f"the tagger alone: tags {100 * test.tags_alone():.2f}")
    names = ("joined, as in the paper", "joined")
    print_convergence(
        {f"Dep, {name}": with_dependencies[name].parses for name in names}
        | {f"POS, {name}": with_tags[name].parses for name in names}
    )
    if given.figure:
        figure_5(test, weights[0], given.figure)
    for name, rows in (("dependencies", with_dependencies), ("tags", with_tags)):
        joined, alone = rows["joined"].brackets, rows["Model 1, fixed tags"].brackets
        assert joined is not None
        assert alone is not None
        compared = compare_brackets(joined, alone)
        print(
            f"\nJoined with {name}, against Model 1: F1 {100 * compared.permutation.difference:+.2f}, "
            f"p = {compared.permutation.p_value:.4f} (permutations), {compared.sign.p_value:.2g} (signs)"
        )
    print(f"Peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
