"""One function a drawing."""

from __future__ import annotations

from drawings.canvas import Canvas

WORDS = ["●", "She", "reads", "old", "books"]


def complete_and_incomplete() -> Canvas:
    canvas = Canvas(640, 168, "The two kinds of spans of Eisner's algorithm")
    y = 110
    canvas.triangle(60, 200, y, 66, "blue")
    canvas.text(60, y + 22, "h")
    canvas.text(200, y + 22, "e")
    canvas.text(130, y + 46, "complete: h has all of its modifiers up to e", "note")
    canvas.trapezoid(400, 560, y, 66, "orange")
    canvas.arc(400, 560, y - 72, 18, "", "orange")
    canvas.text(400, y + 22, "h")
    canvas.text(560, y + 22, "m")
    canvas.text(480, y + 46, "incomplete: an arc from h to m; m may still grow", "note")
    return canvas


def eisner_rules() -> Canvas:
    canvas = Canvas(680, 330, "The two rules of Eisner's algorithm")
    y, height = 110, 60
    canvas.triangle(40, 120, y, height, "blue")
    canvas.triangle(230, 150, y, height, "blue")
    for x, name in ((40, "h"), (120, "r"), (150, "r+1"), (230, "m")):
        canvas.text(x, y + 20, name)
    canvas.arrow(290, y - 30, 350, y - 30)
    canvas.text(320, y - 40, "arc(h, m)", "note", "orange")
    canvas.trapezoid(420, 600, y, height, "orange")
    canvas.arc(420, 600, y - height - 6, 18, "", "orange")
    canvas.text(420, y + 20, "h")
    canvas.text(600, y + 20, "m")
    canvas.text(320, y + 48, "two neighbours that are complete, joined by an arc", "note")
    y = 270
    canvas.trapezoid(40, 150, y, height, "orange")
    canvas.triangle(150, 230, y, height * 0.55, "blue")
    for x, name in ((40, "h"), (150, "m"), (230, "e")):
        canvas.text(x, y + 20, name)
    canvas.arrow(290, y - 30, 350, y - 30)
    canvas.triangle(420, 600, y, height, "blue")
    canvas.text(420, y + 20, "h")
    canvas.text(600, y + 20, "e")
    canvas.text(320, y + 48, "an arc, and what hangs from its modifier on the far side", "note")
    return canvas


def eisner_derivation() -> Canvas:
    """She reads old books, bottom up."""
    canvas = Canvas(680, 420, "Eisner's algorithm on a sentence of four words, from the bottom up")
    at = {name: 24 + 98 * number for number, name in enumerate(WORDS)}
    steps = [
        ("old ◂ books", [("trapezoid", "books", "old")]),
        ("books, complete on its left", [("triangle", "books", "old")]),
        ("She ◂ reads, reads ▸ books", [("trapezoid", "reads", "She"), ("trapezoid", "reads", "books")]),
        ("reads, complete on both sides", [("triangle", "reads", "She"), ("triangle", "reads", "books")]),
        ("● ▸ reads: a tree", [("triangle", "●", "books")]),
    ]
    for number, (what, spans) in enumerate(steps):
        y = 52 + 82 * number
        for name, x in at.items():
            canvas.text(x, y + 15, name, "note")
        for kind, head, other in spans:
            if kind == "triangle":
                canvas.triangle(at[head], at[other], y, 44, "blue")
            else:
                canvas.trapezoid(at[head], at[other], y, 40, "orange")
        canvas.text(at["books"] + 34, y - 14, f"{number + 1}.  {what}", "note left")
    return canvas


def elimination() -> Canvas:
    canvas = Canvas(660, 210, "Taking a word out of the sum over all trees")
    for shift, after in ((0, False), (370, True)):
        h, m, c = (50 + shift, 60), (140 + shift, 150), (230 + shift, 60)
        colour = "faint" if after else "orange"
        canvas.node(*h, "h", "blue")
        canvas.node(*c, "c", "blue")
        canvas.node(*m, "m", colour)
        canvas.arrow(h[0] + 18, h[1], c[0] - 18, c[1], colour="green" if after else "")
        kind = "stroke dashed" if after else "stroke"
        canvas.arrow(h[0] + 12, h[1] + 13, m[0] - 13, m[1] - 12, kind, colour)
        canvas.arrow(m[0] + 13, m[1] - 12, c[0] - 12, c[1] + 13, kind, colour)
        if after:
            canvas.text((h[0] + c[0]) / 2, h[1] - 14, "w(h,c) + w(h,m)·w(m,c) / S", "math", "green")
        else:
            canvas.text((h[0] + c[0]) / 2, h[1] - 12, "w(h,c)", "math")
            canvas.text(h[0] + 18, m[1] - 30, "w(h,m)", "math", "orange")
            canvas.text(c[0] - 16, m[1] - 30, "w(m,c)", "math", "orange")
    canvas.arrow(290, 90, 350, 90)
    canvas.text(320, 78, "S = Σ w(·, m)", "math")
    canvas.text(140, 196, "every tree goes to m by exactly one arc …", "note")
    canvas.text(510, 196, "… so m can be summed out; Z is the product of all S", "note")
    return canvas


def parts() -> Canvas:
    """Every kind of part, over its own few words."""
    canvas = Canvas(680, 330, "The parts of a tree: what a score may look at at once")
    rows: list[tuple[str, str, list[str], list[tuple[str, str]]]] = [
        ("arc", "(h, m)", ["h", "m"], [("h", "m")]),
        ("sibling", "(h, m, s)", ["h", "s", "m"], [("h", "s"), ("h", "m")]),
        ("grandchild", "(g, h, m)", ["g", "h", "m"], [("g", "h"), ("h", "m")]),
        ("grand-sibling", "(g, h, m, s)", ["g", "h", "s", "m"], [("g", "h"), ("h", "s"), ("h", "m")]),
        ("tri-sibling", "(h, m, s, t)", ["h", "t", "s", "m"], [("h", "t"), ("h", "s"), ("h", "m")]),
    ]
    places = [(20, 110), (220, 110), (450, 110), (80, 270), (400, 270)]
    colours = {
        "arc": "",
        "sibling": "blue",
        "grandchild": "orange",
        "grand-sibling": "purple",
        "tri-sibling": "green",
    }
    for (name, letters, nodes, arcs), (left, y) in zip(rows, places, strict=True):
        at = {node: left + 24 + 52 * number for number, node in enumerate(nodes)}
        for node, x in at.items():
            canvas.text(x, y + 18, node)
        for head, modifier in arcs:
            inner = abs(nodes.index(head) - nodes.index(modifier))
            shift = 3 * inner
            canvas.arc(at[head] + shift, at[modifier], y, 16 + 20 * inner, "", colours[name])
        middle = (at[nodes[0]] + at[nodes[-1]]) / 2
        canvas.text(middle, y + 40, f"{name} {letters}", "note")
    return canvas


def agreement() -> Canvas:
    canvas = Canvas(680, 240, "Dual decomposition: two searches that are made to agree on the arcs")
    canvas.box(20, 40, 220, 76, ["a spanning tree", "a tree, but arcs alone are scored"], "blue")
    canvas.box(440, 40, 220, 76, ["a head automaton a word", "larger parts, but no tree"], "orange")
    canvas.arrow(246, 64, 434, 64)
    canvas.text(340, 54, "arcs of the best tree", "note")
    canvas.arrow(434, 94, 246, 94)
    canvas.text(340, 112, "arcs that heads choose", "note")
    canvas.box(240, 164, 200, 56, ["the same arcs?", "then it is the best tree, proved"], "green")
    canvas.arrow(130, 122, 236, 180)
    canvas.arrow(550, 122, 444, 180)
    canvas.text(116, 160, "not: cheaper or dearer", "note")
    canvas.text(116, 176, "for the one …", "note")
    canvas.text(566, 160, "… the opposite", "note")
    canvas.text(566, 176, "for the other, and again", "note")
    return canvas


def clusters() -> Canvas:
    """A hierarchy of clusters, with bit strings."""
    canvas = Canvas(660, 292, "Brown clusters: words in a binary tree")
    leaves = {
        "000": ["Monday", "Friday"],
        "001": ["June", "March"],
        "010": ["the", "a"],
        "011": ["of", "in"],
        "10": ["said", "told"],
        "11": ["dog", "cat"],
    }
    xs = {bits: 60 + 108 * number for number, bits in enumerate(leaves)}
    depth = {0: 34.0, 1: 82.0, 2: 130.0, 3: 178.0}

    def place(bits: str) -> float:
        below = [x for leaf, x in xs.items() if leaf.startswith(bits)]
        return sum(below) / len(below)

    inner = sorted({leaf[:size] for leaf in leaves for size in range(len(leaf))})
    for bits in inner:
        for bit in "01":
            child = bits + bit
            x1, y1, x2 = place(bits), depth[len(bits)], place(child)
            y2 = 200.0 if child in leaves else depth[len(child)]
            canvas.path(f"M{x1:.1f} {y1:g}L{x2:.1f} {y2:g}", "stroke", "blue")
            middle = y1 + 24  # of the next level
            x = x1 + (x2 - x1) * 24 / (y2 - y1)
            canvas.text(x + (-12 if x2 < x1 else 12), middle - 2, bit, "note")
    for bits, words in leaves.items():
        for line, word in enumerate(words):
            canvas.text(xs[bits], 222 + 19 * line, word)
        canvas.text(xs[bits], 270, bits, "math", "orange")
    return canvas


def the_way() -> Canvas:
    canvas = Canvas(716, 112, "From text to a tree")
    steps = [
        ("text", "She reads."),
        ("sentence", "words, tags"),
        ("candidates", "possible arcs"),
        ("scores", "of parts"),
        ("search", "over all trees"),
        ("labels", "of its arcs"),
    ]
    width, gap = 96, 20
    for number, (name, what) in enumerate(steps):
        x = 12 + number * (width + gap)
        canvas.box(x, 26, width, 60, [name, what], ["", "", "", "orange", "blue", ""][number])
        if number:
            canvas.arrow(x - gap + 3, 56, x - 3, 56)
    return canvas


DRAWINGS = {
    "way": the_way,
    "eisner-spans": complete_and_incomplete,
    "eisner-rules": eisner_rules,
    "eisner-derivation": eisner_derivation,
    "elimination": elimination,
    "parts": parts,
    "agreement": agreement,
    "clusters": clusters,
}
