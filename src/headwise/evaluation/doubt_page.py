"""Doubts as a web page that needs nothing but itself: each with its sentence, as annotated and as parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from xml.sax.saxutils import escape

from headwise.base.writing_systems import printable
from headwise.display.comparison import compare
from headwise.display.drawing import Drawing, draw
from headwise.display.html import figure, page_around
from headwise.evaluation.doubt import Doubt, DoubtfulSentence, DoubtfulWord, LabelledArc

Items = Sequence[DoubtfulWord] | Sequence[DoubtfulSentence]


def doubt_page(ranked: Items, *, of: int, title: str) -> Iterator[str]:
    """The page, bit by bit.

    Doubts of one kind stand together (an annotated label where the parser has another, a head in doubt); the
    kind with the most doubtful one comes first.

    Args:
        ranked: what is on it, the most doubtful first.
        of: how many there would be.
    """
    return page_around(_body(ranked, of), title=f"Doubts about {title}", style=_style())


@cache
def _style() -> str:
    return (files("headwise.display") / "doubt.css").read_text(encoding="utf-8")


def _body(ranked: Items, of: int) -> Iterator[str]:
    groups: dict[str, list[DoubtfulWord | DoubtfulSentence]] = {}
    for item in ranked:
        groups.setdefault(_group(item), []).append(item)
    annotated = any(_is_annotated(item.doubt) for item in ranked)
    count = f"The {len(ranked):,} most doubtful of {of:,}."
    yield f'<p class="summary headwise">{count} {_legend(annotated)}</p>\n'
    yield '<ul class="groups">\n'
    for number, (name, items) in enumerate(groups.items(), 1):
        yield f'<li><a href="#group-{number}">{_text(name)}</a> ({len(items):,})</li>\n'
    yield "</ul>\n"
    for number, (name, items) in enumerate(groups.items(), 1):
        yield f'<section>\n<h2 id="group-{number}">{_text(name)} ({len(items):,})</h2>\n'
        for item in items:
            yield _item(item)
        yield "</section>\n"


def _legend(annotated: bool) -> str:
    if not annotated:
        return (
            "Arcs carry the probability of their heads; other heads are seen while the pointer is on a word."
        )
    return (
        'Above the words is the annotation, with <span class="wrong-head">heads</span> and '
        '<span class="wrong-label">labels</span> that the parser would not have; below them are '
        '<span class="gold">the parser\'s arcs</span> for the same words. Doubt is in nats: −log of the '
        "probability of what is annotated."
    )


def _is_annotated(doubt: Doubt) -> bool:
    return doubt.annotation is not None or doubt.surprises is not None


def _group(item: DoubtfulWord | DoubtfulSentence) -> str:
    if isinstance(item, DoubtfulSentence):
        return "Sentences"
    annotated, model = item.doubt.annotated_arc(item.word), item.doubt.model_arc(item.word)
    if annotated is None:
        return f"{model.label}, not annotated"
    if annotated.label != model.label:
        return f"{annotated.label}, perhaps {model.label}"
    return (
        f"{annotated.label}, perhaps another head"
        if annotated.head != model.head
        else f"{annotated.label}, unsure"
    )


def _item(item: DoubtfulWord | DoubtfulSentence) -> str:
    doubt = item.doubt
    word = item.word if isinstance(item, DoubtfulWord) else None
    name = doubt.sentence.sent_id or f"sentence {doubt.number}"
    if word is None:
        heading, where = f"Doubt {item.nats:.2f}", f"{name}, {doubt.sentence.source}"
    else:
        heading = f"{word} {doubt.sentence.forms[word - 1]}, doubt {item.nats:.2f}"
        where = f"{name}, {doubt.sentence.file}:{doubt.sentence.line_of(word)}"
    drawn = figure(_drawing(doubt))
    if word is not None:
        drawn = drawn.replace(f'" data-word="{word}">', f' is-suspect" data-word="{word}">', 1)
    verdicts = "" if word is None else _verdicts(doubt, word)
    return (
        f'<div class="item">\n<h3>{_text(heading)} <span class="where">{_text(where)}</span></h3>\n'
        f"{verdicts}{drawn}</div>\n"
    )


def _verdicts(doubt: Doubt, word: int) -> str:
    rows = [("annotated", doubt.annotated_arc(word)), ("parser", doubt.model_arc(word))]
    cells = [
        f"<dt>{name}</dt><dd>{_text(_in_words(doubt, arc))}</dd>"
        f'<dd class="p">{100 * arc.probability:.1f} %</dd>'
        for name, arc in rows
        if arc is not None
    ]
    return f'<dl class="verdicts">{"".join(cells)}</dl>\n'


def _in_words(doubt: Doubt, arc: LabelledArc) -> str:
    above = "the root" if arc.head == 0 else f"{arc.head} {doubt.sentence.forms[arc.head - 1]}"
    return f"{arc.label} of {above}"


def _drawing(doubt: Doubt) -> Drawing:
    model = doubt.parse.drawing(caption="")
    if not _is_annotated(doubt):
        return model
    return compare(draw(doubt.sentence, caption=""), model)


def _text(text: str) -> str:
    return escape(printable(text))
