"""From the results of papers to a page with tables, plots and a verdict on every claim."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.engine import FULL, QUICK, Found, NotMeasuredError, Plot, Scale
from benchmarks.engine.code import REPOSITORY
from benchmarks.engine.pages import Figures
from benchmarks.engine.plots import draw
from benchmarks.engine.tasks import Kept
from benchmarks.papers.all_papers import PAPERS
from benchmarks.papers.page import Block, Claim, Paper, PaperTable, Piece
from benchmarks.papers.training import EPOCHS

PAGE = REPOSITORY / "docs" / "papers.md"
HEAD = f"""\
# The papers, on open data

Made by `python -m benchmarks write`: every table and figure of the papers below that open data can test, with the
papers' figures beside ours. [Where each is implemented](papers-to-the-letter.md), and what is not as published, has
a page of its own.

UAS leaves punctuation out, as in the papers. Where a paper's treebank is not open, the nearest open one
stands in, and figures compare in shape only. A claim *holds here* where our figures bear it out by more than
chance (p < 0.05, paired permutation test over the sentences of all treebanks of the table) and no treebank is
significantly against it; it *holds in part* where they only lean its way, or one treebank is against it; else
it *does not hold here*, which may mean no more than that too little was measured to see it.

What is called **quick** was measured with at most {QUICK.sentences:,} training sentences, {QUICK.epochs} epochs and the
first {QUICK.measured} test sentences: read it for its shape. The rest has all training sentences, {EPOCHS} epochs and
whole test sets; `python -m benchmarks run papers` measures what is missing of it, at any time and in pieces
(`--workers`, `--nice 19`), and `python -m benchmarks status papers` says what that is.

"""


def write_papers(kept: Kept, page: Path = PAGE) -> Iterator[Path]:
    """The page, and its plots in a folder beside it."""
    parts = [_paper(paper, kept, page.parent / "figures") for paper in PAPERS]
    claims = [line for _, lines in parts for line in lines]
    table = ["## Claims\n", "| Paper | Claim | | |", "|---|---|---|---|", *claims, "\n"] if claims else []
    text = HEAD + "\n".join([*table, *(part for part, _ in parts)])
    page.parent.mkdir(parents=True, exist_ok=True)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")
        yield page


def measured(paper: Paper, block: Block, kept: Kept) -> tuple[list[Piece], Found, Scale] | None:
    """What a block makes of full runs; of quick ones where a full one is missing; or nothing."""
    for scale in (FULL, QUICK):
        found = Found(paper.tasks(scale), kept)
        try:
            return list(block(found)), found, scale
        except NotMeasuredError:
            continue
    return None


def _paper(paper: Paper, kept: Kept, plots: Path) -> tuple[str, list[str]]:
    """Its part of the page, and a line for each of its claims."""
    parts = [f"## {paper.title}\n"]
    if paper.preamble:
        parts.append(paper.preamble + "\n")
    claims = []
    for block in paper.blocks:
        made = measured(paper, block, kept)
        if made is None:
            parts.append(f"*{block_title(block)} Not measured yet.*\n")
            continue
        pieces, found, scale = made
        quick = "" if scale.is_full else "quick"
        for piece in pieces:
            if isinstance(piece, Claim):
                said = f"{piece.verdict.value.capitalize()}{', quick' if quick else ''}: {piece.evidence}"
                parts.append(f"**{piece.text}.** {said}.\n")
                name = paper.title.partition(":")[0]
                claims.append(f"| {name} | {piece.text} | {piece.verdict.value} | {quick} |")
            elif isinstance(piece, Plot):
                name = f"papers-{paper.name}-{piece.name}.svg"
                draw(piece, plots / name)
                parts.append(f"![{piece.title}](figures/{name})\n")
            else:
                parts.append(_table(piece, paper, found, scale))
    return "\n".join(parts), claims


def block_title(block: Block) -> str:
    return (block.__doc__ or block.__name__).strip().splitlines()[0]


def _table(table: PaperTable, paper: Paper, found: Found, scale: Scale) -> str:
    quick = "" if scale.is_full else ", quick"
    depends = tuple(dict.fromkeys(path for task in found.used.values() for path in task.depends))
    figures = Figures(
        f"papers-{paper.name}-{table.name}",
        f"python -m benchmarks run papers/{paper.name}{'' if scale.is_full else ' --quick'}",
        (found.commits or ["unknown"])[0],
        depends,
        table.to_markdown(),
    )
    note = f"\n{table.note}\n" if table.note else ""
    return f"### {table.title}{quick}\n\n{figures.to_markdown()}\n{note}"
