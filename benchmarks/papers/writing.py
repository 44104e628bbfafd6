"""From the results of papers to a page with tables, plots and a verdict on every claim."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from papers.page import Claim, Paper, PaperTable, Plot
from papers.plots import draw
from papers.tasks import Found, Kept, NotMeasuredError, Scale, Task
from report import machine

DEPENDS = (
    "native/trees native/scoring native/parsing native/learning src/headwise/components/scoring"
    " src/headwise/training src/headwise/components/parser"
)
HEAD = """\
# The papers, on open data

Made by `{command} -o report`: every table and figure of the papers below that open data can test, with the
papers' figures beside ours. {scale}

UAS leaves punctuation out, as in the papers. Where a paper's treebank is not open, the nearest open one
stands in, and figures compare in shape only. A claim *holds here* where our figures bear it out by more than
chance (p < 0.05, paired permutation test over the sentences of all treebanks of the table) and no treebank is
significantly against it; it *holds in part* where they only lean its way, or one treebank is against it; else
it *does not hold here*, which may mean no more than that too little was measured to see it.
Measured with {machine}.

"""
QUICK = """**These are quick runs**: at most {sentences:,} training sentences, {epochs} epochs, the first
{measured} test sentences; read them for their shape. Without `--quick` everything is used, which takes a
night."""
FULL = "All training sentences, {epochs} epochs."


def write_page(
    papers: list[Paper],
    tasks: Mapping[str, Mapping[str, Task]],
    kept: Kept,
    scale: Scale,
    folder: Path,
    names: str,
) -> Path:
    """The page in the folder, and its plots below."""
    command = f"python benchmarks/papers.py{names}{' --quick' if scale.name == 'quick' else ''}"
    parts = [_paper(paper, Found(tasks[paper.name], kept), folder, command, scale) for paper in papers]
    claims = [line for _, lines in parts for line in lines]
    told = (QUICK if scale.name == "quick" else FULL).format(**vars(scale))
    start = HEAD.format(command=command, scale=told, machine=machine())
    table = ["## Claims\n", "| Paper | Claim | |", "|---|---|---|", *claims, "\n"] if claims else []
    text = start + "\n".join([*table, *(part for part, _ in parts)])
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "papers.md"
    page.write_text(text, encoding="utf-8")
    return page


def _paper(paper: Paper, found: Found, folder: Path, command: str, scale: Scale) -> tuple[str, list[str]]:
    """Its part of the page, and a line for each of its claims."""
    parts = [f"## {paper.title}\n"]
    if paper.preamble:
        parts.append(paper.preamble + "\n")
    claims = []
    for block in paper.blocks:
        found.commits.clear()
        try:
            pieces = list(block(found))
        except NotMeasuredError:
            parts.append(f"*{(block.__doc__ or block.__name__).strip().splitlines()[0]} Not measured yet.*\n")
            continue
        for piece in pieces:
            if isinstance(piece, Claim):
                parts.append(f"**{piece.text}.** {piece.verdict.value.capitalize()}: {piece.evidence}.\n")
                name = paper.title.partition(":")[0]
                claims.append(f"| {name} | {piece.text} | {piece.verdict.value} |")
            elif isinstance(piece, Plot):
                name = f"papers-{paper.name}-{piece.name}.svg"
                draw(piece, folder / "figures" / name)
                parts.append(f"![{piece.title}](figures/{name})\n")
            else:
                parts.append(_table(piece, paper, found, command, scale))
    return "\n".join(parts), claims


def _table(table: PaperTable, paper: Paper, found: Found, command: str, scale: Scale) -> str:
    quick = ", quick" if scale.name == "quick" else ""
    commit = sorted(found.commits)[0] if found.commits else "unknown"
    facts = f"command: {command}\ncommit: {commit}\ndepends: {DEPENDS}"
    marker = f"<!-- figures papers-{paper.name}-{table.name}\n{facts}\n-->"
    note = f"\n{table.note}\n" if table.note else ""
    return f"### {table.title}{quick}\n\n{marker}\n{table.to_markdown()}<!-- /figures -->\n{note}"
