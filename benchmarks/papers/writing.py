"""From the results of papers to a page with tables, plots and a verdict on every claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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

Made by `python -m benchmarks write`: every table and figure of the papers below that open data can test,
with the papers' figures beside ours. Where each paper is implemented, and what is not as published, has [a
page of its own](papers-to-the-letter.md).

UAS leaves punctuation out, as in the papers. Where a paper's treebank is not open, the nearest open one
stands in, and figures compare in shape only. A claim *holds here* where our figures bear it out by more than
chance (p < 0.05, paired permutation test over the sentences of all treebanks of the table) and no treebank is
significantly against it; it *holds in part* where they only lean its way, or one treebank is against it; else
it *does not hold here*, which may mean no more than that too little was measured to see it.

What is called **quick** was measured with at most {QUICK.sentences:,} training sentences, {QUICK.epochs}
epochs and the first {QUICK.measured} test sentences: read it for its shape. The rest has all training
sentences, {EPOCHS} epochs and whole test sets; `python -m benchmarks run papers` measures what is missing
of it, at any time and in pieces (`--workers`, `--nice 19`), and `python -m benchmarks status papers` says
what that is.

"""
_BLOCK = re.compile(
    r"<!-- block (?P<name>[\w/-]+) -->\n(?P<text>.*?)(?=<!-- block |^## |\Z)", re.DOTALL | re.MULTILINE
)
_CLAIM = re.compile(
    r"^\*\*(?P<text>.+?)\.\*\* (?P<verdict>Holds here|Holds in part|Does not hold here)(?P<quick>, quick)?: ",
    re.MULTILINE,
)


def write_papers(kept: Kept, page: Path = PAGE) -> Iterator[Path]:
    """The page, and its plots in a folder beside it. Blocks of which nothing is kept stay as they are."""
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    old = {found["name"]: found["text"] for found in _BLOCK.finditer(before)}
    parts, claims = [], []
    for paper in PAPERS:
        part = "".join(_blocks(paper, kept, page.parent / "figures", old))
        preamble = f"{paper.preamble}\n\n" if paper.preamble else ""
        parts.append(f"## {paper.title}\n\n{preamble}{part}")
        claims += [_claim_row(paper, claim) for claim in _CLAIM.finditer(part)]
    table = (
        "\n".join(["## Claims\n", "| Paper | Claim | | |", "|---|---|---|---|", *claims, "\n\n"])
        if claims
        else ""
    )
    text = HEAD + table + "".join(parts).rstrip() + "\n"
    page.parent.mkdir(parents=True, exist_ok=True)
    if text != before:
        page.write_text(text, encoding="utf-8")
        yield page


def _claim_row(paper: Paper, claim: re.Match[str]) -> str:
    name, verdict = paper.title.partition(":")[0], claim["verdict"]
    return f"| {name} | {claim['text']} | {verdict[0].lower()}{verdict[1:]} | {(claim['quick'] or '')[2:]} |"


def measured(paper: Paper, block: Block, kept: Kept) -> tuple[list[Piece], Found, Scale] | None:
    """What a block makes of full runs; of quick ones where a full one is missing; or nothing."""
    for scale in (FULL, QUICK):
        found = Found(paper.tasks(scale), kept)
        try:
            return list(block(found)), found, scale
        except NotMeasuredError:
            continue
    return None


def _blocks(paper: Paper, kept: Kept, plots: Path, old: Mapping[str, str]) -> Iterator[str]:
    for block in paper.blocks:
        name = f"{paper.name}/{block.__name__}"
        made = measured(paper, block, kept)
        title = (block.__doc__ or name).strip().splitlines()[0]
        text = old.get(name, f"*{title} Not measured yet.*\n\n")
        if made is not None:
            text = "".join(f"{one}\n" for one in _pieces(paper, *made, plots))
        yield f"<!-- block {name} -->\n{text}"


def _pieces(paper: Paper, pieces: list[Piece], found: Found, scale: Scale, plots: Path) -> Iterator[str]:
    quick = "" if scale.is_full else ", quick"
    for piece in pieces:
        if isinstance(piece, Claim):
            yield f"**{piece.text}.** {piece.verdict.value.capitalize()}{quick}: {piece.evidence}.\n"
        elif isinstance(piece, Plot):
            name = f"papers-{paper.name}-{piece.name}.svg"
            draw(piece, plots / name)
            yield f"![{piece.title}](figures/{name})\n"
        else:
            yield _table(piece, paper, found, scale)


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
