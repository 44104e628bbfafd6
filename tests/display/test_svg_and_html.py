"""SVG and HTML: well-formed, escaped, complete, and free of anything from elsewhere."""

import re
from functools import partial
from xml.etree import ElementTree

import pytest
from display_examples import (
    arabic,
    chinese,
    english,
    hearing,
    nasty,
    one_word,
    random_sentence,
    several_roots,
)

from headwise.display import DisplayError, compare, draw, to_displacy, to_html, to_notebook, to_svg

SVG = "{http://www.w3.org/2000/svg}"
ALL = [english, hearing, chinese, arabic, nasty, one_word, several_roots, partial(random_sentence, 70, 5)]


def elements(root, kind):
    return [g for g in root.iter(SVG + "g") if kind in g.get("class", "").split()]


def texts(root):
    return ["".join(text.itertext()) for text in root.iter(SVG + "text")]


@pytest.mark.parametrize("example", ALL)
def test_svg_is_well_formed_and_complete(example):
    sentence = example()
    root = ElementTree.fromstring(to_svg(draw(sentence)))
    assert root.get("role") == "img"
    assert root[0].tag == SVG + "title"
    assert len(elements(root, "arc")) == len(sentence)
    assert len(elements(root, "word")) == len(sentence)
    if example is not nasty:
        assert [text for text in texts(root) if text in sentence.forms] == sentence.forms


def test_markup_in_words_and_labels_is_text():
    root = ElementTree.fromstring(to_svg(draw(nasty())))
    shown = texts(root)
    assert {"<b>", '"&amp;', "␛[31m", "\ufffdevil", "]]>", "<r>", "x␇"} <= set(shown)
    page = ElementTree.fromstring(to_html([[draw(nasty(), caption="<i> & co")]], title="a < b"))
    assert page.find(".//{*}h1").text == "a < b"
    assert "<i> & co" in "".join(page.find(".//{*}figcaption").itertext())


def test_everything_stays_inside_the_picture():
    for example in ALL:
        root = ElementTree.fromstring(to_svg(draw(example())))
        width, height = float(root.get("width")), float(root.get("height"))
        for text in root.iter(SVG + "text"):
            assert 0 <= float(text.get("x")) <= width
            assert 0 <= float(text.get("y")) <= height


def test_nothing_comes_from_elsewhere():
    page = to_html([[draw(example())] for example in ALL])
    for needle in ("<script", "<link", "@import", "url(", "src=", "href="):
        assert needle not in page
    assert set(re.findall(r"https?://[^\"]*", page)) == {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xhtml",
    }


def test_confidence_is_weight_and_colour():
    root = ElementTree.fromstring(to_svg(draw(chinese(), confidence=[1, 0.96, 0.75, 0.3, 0.99])))
    widths = [float(path.get("stroke-width")) for path in root.iter(SVG + "path") if path.get("stroke-width")]
    assert widths[0] > widths[2] > widths[3]
    assert len(elements(root, "unsure")) == 1
    assert {"ccomp 75%", "obj 30%", "nsubj"} <= set(texts(root))


def test_alternatives_wait_under_their_word():
    other_heads = [[], [], [(2, 0.7), (4, 0.2), (0, 0.1)], [], []]
    root = ElementTree.fromstring(to_svg(draw(chinese(), alternatives=other_heads)))
    (word,) = elements(root, "has-alternatives")
    arcs = elements(word, "alternative")
    assert [arc.find(SVG + "title").text for arc in arcs] == [
        "研究: under 句法, 20 %",
        "研究: under the root, 10 %",
    ]
    assert len(elements(root, "alternative")) == 2
    assert len(elements(root, "arc")) == 5 + 2


def test_differences_from_gold_are_marked():
    system = draw(chinese(), [2, 0, 4, 2, 2], ["obj", "root", "ccomp", "obj", "punct"])
    root = ElementTree.fromstring(to_svg(compare(system, draw(chinese()))))
    assert [g.find(SVG + "title").text for g in elements(root, "wrong-head")] == [
        "研究: ccomp of 句法 (wrong head)",
        "句法: obj of 喜欢 (wrong head)",
    ]
    assert [g.find(SVG + "title").text for g in elements(root, "wrong-label")] == [
        "我: obj of 喜欢 (wrong label)"
    ]
    assert [g.find(SVG + "title").text for g in elements(root, "gold")] == [
        "我: nsubj of 喜欢",
        "研究: ccomp of 喜欢",
        "句法: obj of 研究",
    ]


def test_no_differences_no_marks():
    assert compare(draw(english()), draw(english())) == draw(english())


def test_words_without_heads_in_gold_are_not_judged():
    gold = draw(chinese(), [-1, 0, 2, 3, 2])
    assert compare(draw(chinese(), [3, 0, 2, 3, 2]), gold).arcs[0].verdict is None
    headless = compare(gold, draw(chinese()))
    assert [arc.modifier for arc in headless.corrections] == [1]


def test_different_words_cannot_be_compared():
    with pytest.raises(DisplayError, match="word 1 is '我', but 'One' in gold"):
        compare(draw(chinese()), draw(one_word()))
    longer = draw(random_sentence(5, 1))
    shorter = type(longer)(longer.words[:3], longer.arcs[:3])
    with pytest.raises(DisplayError, match="5 words, but 3 in gold"):
        compare(longer, shorter)


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="word 1 cannot have head 9"):
        draw(chinese(), [9, 0, 2, 3, 2])
    with pytest.raises(ValueError, match="word 1 cannot have head 1"):
        draw(chinese(), [1, 0, 2, 3, 2])
    with pytest.raises(ValueError, match="confidence must have one entry for each of the 5 words, not 2"):
        draw(chinese(), confidence=[1, 1])


def test_a_page_holds_rows_of_drawings():
    root = ElementTree.fromstring(to_html([[draw(english())] * 3, [draw(chinese())]], title="k best"))
    rows = [div for div in root.iter("{http://www.w3.org/1999/xhtml}div") if div.get("class") == "sentence"]
    assert [len(row.findall("{*}figure")) for row in rows] == [3, 1]
    assert len(list(root.iter(SVG + "style"))) == 0  # the page has it once


def test_notebooks_get_a_drawing_with_its_style():
    root = ElementTree.fromstring(to_notebook(draw(english())))
    assert root.find(f".//{SVG}style").text.strip().startswith(".headwise")


def test_displacy():
    data = to_displacy(draw(hearing()))
    assert data["words"][1] == {"text": "hearing", "tag": ""}
    assert data["arcs"][0] == {"start": 0, "end": 1, "label": "det", "dir": "left"}
    assert {"start": 1, "end": 4, "label": "nmod", "dir": "right"} in data["arcs"]
    assert len(data["arcs"]) == 8
