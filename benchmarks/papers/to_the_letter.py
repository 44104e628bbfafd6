"""How near we are to each paper: what is where, what is as published, what is not and why. A page of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine import FULL
from benchmarks.engine.code import REPOSITORY
from benchmarks.papers.all_papers import PAPERS
from benchmarks.papers.page import Paper

PAGE = REPOSITORY / "docs" / "papers-to-the-letter.md"
TREEBANKS = "Treebanks: most of the paper's are not open; the nearest open ones stand in."
FEATURES = "Features are ours (`headwise templates`), about twice as many as those of McDonald et al. (2005)."
MIRA = "Trained by MIRA, not by the averaged perceptron: the margin learner is what users get."
HEAD = """\
# The papers, to the letter

For readers who doubt: of each paper on [the papers' page](papers.md) what is implemented where, what is exactly as published,
what is not and why, and the command for each row. Made by `python -m benchmarks write`.

Everywhere: UAS without punctuation, gold tags unless a table says otherwise, 10 epochs, seed 1. Every search is held to brute
force over all trees (`src/headwise/reference`), every gradient to finite differences. A task's result is kept, with its commit, in
`benchmarks/results`; `python -m benchmarks show 'papers/NAME/TASK'` prints it.

"""


@dataclass(frozen=True)
class Letter:
    """Of a paper: files by what they implement; what is as published; what is not, and why."""

    where: Mapping[str, str]
    published: tuple[str, ...]
    differs: tuple[str, ...]


LETTERS = {
    "thesis-3": Letter(
        {
            "Brown's clusters": "native/clusters/brown.hpp",
            "features of clusters, by prefixes": "src/headwise/components/scoring/tables/arc.txt",
            "tags of held-out taggers": "src/headwise/components/tagging/jackknifing.py",
            "tables": "benchmarks/papers/raw_words.py",
        },
        (
            "Prefixes of 4 and 6 bits beside whole clusters; tags of the training data by taggers that have not seen the sentence.",
            "Sizes of treebanks (Table 3.3), full and reduced taggers, thresholds of words (Table 3.7), no tags (Table 3.8).",
        ),
        (
            TREEBANKS,
            MIRA,
            FEATURES + " Of the thesis' cluster features the shapes are the same, not the list.",
            "Clusters are of other and smaller texts; words that occur once are left out.",
        ),
    ),
    "thesis-4": Letter(
        {
            "exponentiated gradient": "native/learning/exponentiated_gradient.hpp",
            "its dual": "native/learning/eg_dual.hpp",
            "the matrix-tree theorem, without subtraction": "native/trees/spanning/word_elimination.hpp",
            "sums over projective trees": "native/trees/factorizations/eisner_sums.hpp",
            "sign tests": "src/headwise/evaluation/significance.py",
        },
        (
            "Max-margin models by exponentiated gradient on the dual, projective and non-projective; C chosen on development sets.",
            "Non-projective models are decoded with or without crossing arcs, as development sets prefer (4.6.2); the sign test.",
        ),
        (
            TREEBANKS + " The Dutch set is the thesis'.",
            FEATURES,
            "Log-linear models are learned by stochastic gradient, which has no C; the thesis has exponentiated gradient there too.",
            "Quick runs take C = 100 and choose nothing.",
        ),
    ),
    "thesis-5": Letter(
        {
            "model 0": "native/trees/factorizations/model0.hpp",
            "model 1": "native/trees/factorizations/model1.hpp",
            "model 2": "native/trees/factorizations/model2.hpp",
            "pruning by first-order marginals": "src/headwise/training/pruning.py",
        },
        (
            "The dynamic programs, held to brute force; averaged perceptron; a beam over marginals alone, without a limit of heads.",
            "Tables 5.1 and 5.3 on development sets, 5.2 on test sets.",
        ),
        (
            TREEBANKS,
            FEATURES,
            "Heads that survive the beam are counted on development sets, the thesis counts training data.",
        ),
    ),
    "lecture-2007": Letter(
        {
            "first order": "native/trees/factorizations/eisner.hpp",
            "siblings": "native/trees/factorizations/sibling.hpp",
        },
        ("First order and siblings by averaged perceptron; Model 1 of Collins (1997) alone.",),
        ("The three rows are of two treebanks here, and of one in the lecture.", FEATURES),
    ),
    "carreras-2007": Letter(
        {
            "the factorization": "native/trees/factorizations/carreras.hpp",
            "labels inside its search": "native/trees/factorizations/labelled_carreras.hpp",
            "parts": "src/headwise/reference/parts.py",
        },
        (
            "Siblings ch, inner and outer grandchildren cmi and cmo; averaged perceptron, and the last weights without averaging.",
            "The first 10,000 words of the training set are held out (a tenth of small treebanks).",
        ),
        (
            TREEBANKS,
            FEATURES,
            "Labels are found over the finished tree in these tables. Inside the search, as in the paper, they are in the study "
            "`variants`.",
        ),
    ),
    "smith-smith-2007": Letter(
        {
            "log-linear models of all trees": "native/trees/spanning/spanning_partition.hpp",
            "minimum-risk trees": "native/trees/decoders/minimum_risk.cpp",
            "hidden clusters": "native/trees/factorizations/labelled_arcs.hpp",
        },
        (
            "Conditional estimation without a cost; MIRA; the best tree, the minimum-risk tree, the best tree with its best clusters.",
            "Squeezed features: no pairs of words and no four tags (5.2).",
        ),
        (
            TREEBANKS,
            FEATURES,
            "Up to 16 clusters; the paper goes to a thousand with squeezed features, whose cost is quadratic in nothing but patience.",
            "Ours alone: minimum-risk trees of MIRA at a temperature that development sets choose.",
        ),
    ),
    "koo-2010": Letter(
        {
            "head automata": "native/trees/dual/head_automaton.hpp",
            "the iterations and their steps": "native/trees/dual/step_size.hpp",
            "the limits as published, KOO_2010": "src/headwise/dual/limits.py",
            "linear and integer programs": "src/headwise/trees/automata_program.py",
            "training against relaxed choices": "native/learning/relaxed_learner.hpp",
        },
        (
            "Figures 1 and 2, A.1 and A.2: decreasing steps, lazy automata, 5,000 iterations; LP(S), LP(M), ILP; random scores.",
            "Section 7.6: a perceptron trained against what automata choose alone.",
        ),
        (
            TREEBANKS + " Danish, Dutch, Portuguese and Swedish are the paper's.",
            FEATURES,
            MIRA + " Section 7.6 has the perceptron.",
            "Programs are solved by HiGHS. Columns *proved* are our own search, with elimination and branching.",
        ),
    ),
    "rush-2010": Letter(
        {
            "Model 1 of Collins (1997)": "src/headwise/constituency/model1.py",
            "its charts": "native/constituency/lexicalized.hpp",
            "agreement with a parser or a tagger": "src/headwise/constituency/joined.py",
            "the limits as published, RUSH_2010": "src/headwise/dual/limits.py",
        },
        (
            "50 iterations, steps that are halved when the bound rises; weights tuned on development sets (full runs).",
            "Baselines: fixed tags, the parser's arcs fixed.",
        ),
        (
            "GUM's phrase structure, which is silver, not the Penn Treebank's.",
            "The dependency parser is our second order by MIRA, the tagger our perceptron.",
            "Quick runs do not tune weights.",
        ),
    ),
    "zhang-2014-sampling": Letter(
        {
            "the chain": "native/trees/local_search/chain.hpp",
            "blocks of words": "native/trees/local_search/block_proposal.hpp",
            "SampleRank": "native/learning/sample_rank.hpp",
            "features of whole trees": "src/headwise/components/scoring/whole_tree.py",
            "a reranker of the k best": "src/headwise/training/reranking.py",
            "tags corrected while parsing": "src/headwise/components/tagging/joint/climbing.py",
        },
        (
            "Constraints between successive samples, with the gold tree, and both; Gibbs steps and blocks; annealing.",
            "1- to 5-grams of tags and words for corrected tags; jackknifed tags to learn from.",
        ),
        (
            TREEBANKS,
            FEATURES,
            "Blocks are drawn exactly over what is contracted, not by Wilson's walk: the same distribution.",
            "Corrected tags: at most four detours a sentence within a margin, where the paper considers every tag by its confusions; a "
            "step changes tags, and the tree becomes the best one for them.",
            "Turbo's row is our MIRA with dual decomposition on the same parts.",
        ),
    ),
    "zhang-2014-greedy": Letter(
        {
            "climbing": "native/trees/local_search/climber.hpp",
            "starts": "native/trees/local_search/starts.hpp",
            "counting local optima": "native/trees/local_search/count_optima.hpp",
            "features of whole trees": "src/headwise/components/scoring/whole_tree.py",
        },
        (
            "Climbs from uniform and from first-order trees, 300 in a row without gain (`escapes=False`); local optima of first order.",
            "Table 3, both halves: models trained by dual decomposition, and by climbing.",
        ),
        (
            TREEBANKS,
            FEATURES,
            "Features of whole trees are learned over parsers that have not seen the sentence, not jointly.",
            "Figure 5 and Table 6 have 1,000 restarts for reference, the paper 3,000.",
        ),
    ),
    "lei-2014": Letter(
        {
            "the tensor": "native/scoring/tensor/scorer.hpp",
            "its start and its learning": "src/headwise/training/tensor.py",
            "neighbours": "src/headwise/components/scoring/tensor_neighbours.py",
            "the paper's features": "src/headwise/components/scoring/tables/mcdonald.txt",
        },
        (
            "Rank 50; passive-aggressive steps of (θ, U), (θ, V), (θ, W) in turn, averaged; the start by singular vectors of a first pass.",
            "McDonald's features as the baseline, with tags and without; γ = 0, 0.3 and 0.6.",
        ),
        (
            TREEBANKS + " The four CoNLL-X sets are the paper's.",
            "Vectors of words are made from other texts, with 50 numbers.",
            "Parts above first order have our features.",
        ),
    ),
}


def write_letters(page: Path = PAGE) -> Iterator[Path]:
    text = HEAD + "\n".join("\n".join(_letter(paper, LETTERS[paper.name])) for paper in PAPERS)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")
        yield page


def _letter(paper: Paper, letter: Letter) -> Iterator[str]:
    yield f"## {paper.title}\n"
    yield "| what | where |\n|---|---|"
    yield from (f"| {what} | `{path}` |" for what, path in letter.where.items())
    yield from ("", "As published:", "", *(f"- {line}" for line in letter.published))
    yield from ("", "Not as published:", "", *(f"- {line}" for line in letter.differs), "")
    tasks = paper.tasks(FULL)
    yield f"Rows: `python -m benchmarks run 'papers/{paper.name}/TASK'`, each of these {len(tasks)} tasks for itself:"
    yield "\n```text"
    yield from tasks
    yield "```\n"
