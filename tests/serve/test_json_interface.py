"""Our own interface: probabilities, k best trees, other heads, constraints, and what is refused."""

import json
import math

import pytest

from headwise.components.parser.constraints import Constraints
from headwise.web.serve.api import Api
from headwise.web.serve.limits import Limits
from headwise.web.serve.openapi import description

AMBIGUOUS = "They saw the man with the telescope."


def parse(client, **request):
    answer = client.post("/api/parse", json=request)
    assert answer.status_code == 200, answer.text
    return answer.json()["sentences"]


def heads(tree):
    return [word["head"] for word in tree["words"]]


def test_text(client, english):
    one, two = parse(client, text="She reads. He sleeps.")
    assert [heads(sentence["trees"][0]) for sentence in (one, two)] == [[2, 0, 2]] * 2
    assert "confidence" not in one["trees"][0]["words"][0]
    expected = [parse.to_json() for parse in english.model("She reads. He sleeps.")]
    assert [one["trees"][0], two["trees"][0]] == expected


def test_words_and_conllu(client):
    words = [["She", "reads"], ["He", "sleeps", "."]]
    by_words = parse(client, sentences=words)
    conllu = "".join(
        "".join(f"{i}\t{w}\t_\t_\t_\t_\t_\t_\t_\t_\n" for i, w in enumerate(s, 1)) + "\n" for s in words
    )
    by_conllu = parse(client, conllu=conllu)
    assert [s["trees"][0]["words"] for s in by_words] == [s["trees"][0]["words"] for s in by_conllu]


def test_probabilities_and_k_best(client, english):
    [sentence] = parse(client, text=AMBIGUOUS, k=3)
    expected = english.model.k_best(AMBIGUOUS, 3)[0]
    assert [heads(tree) for tree in sentence["trees"]] == [tree.heads.tolist() for tree in expected]
    assert [tree["rank"] for tree in sentence["trees"]] == list(range(1, len(expected) + 1))
    assert sum(math.exp(tree["log_prob"]) for tree in sentence["trees"]) <= 1 + 1e-9
    [sure] = parse(client, text=AMBIGUOUS, probabilities=True)
    assert all(0 < word["confidence"] <= 1 for word in sure["trees"][0]["words"])


def test_other_heads_sum_to_one_with_what_is_left_out(client):
    [sentence] = parse(client, text=AMBIGUOUS, alternatives=True)
    assert len(sentence["alternatives"]) == len(sentence["trees"][0]["words"])
    for choices in sentence["alternatives"]:
        assert [c["probability"] for c in choices] == sorted(
            (c["probability"] for c in choices), reverse=True
        )
        assert 0.9 < sum(c["probability"] for c in choices) <= 1 + 1e-9


def test_constraints(client, english):
    words = AMBIGUOUS.replace(".", " .").split()
    free, held = parse(
        client,
        sentences=[words, words],
        constraints=[None, {"heads": [None, None, None, None, None, None, 2, None], "forbidden": [[2, 4]]}],
        alternatives=True,
    )
    assert heads(free["trees"][0]) != heads(held["trees"][0])
    assert heads(held["trees"][0])[6] == 2
    assert held["alternatives"][6] == [{"head": 2, "probability": pytest.approx(1.0)}]
    tagged = next(english.model.tag([_sentence(words)]))
    exact = english.parser.k_best(
        tagged, 1, Constraints(heads=[-1, -1, -1, -1, -1, -1, 2, -1], forbidden=[(2, 4)])
    )
    assert heads(held["trees"][0]) == exact[0].heads.tolist()
    [labelled] = parse(client, sentences=[["She", "reads"]], constraints=[{"labels": ["vocative", None]}])
    assert labelled["trees"][0]["words"][0]["deprel"] == "vocative"
    [required] = parse(client, sentences=[["She", "reads"]], constraints=[{"required": [[0, 1]]}])
    assert heads(required["trees"][0]) == [0, 1]


def test_a_long_sentence_gets_one_tree_and_says_so(client):
    [sentence] = parse(client, sentences=[["the"] * 300], k=2, alternatives=True)
    [tree] = sentence["trees"]
    assert "confidence" not in tree["words"][0]
    assert "alternatives" not in sentence
    assert tree["comments"] == ["# headwise_limit = long sentence: no probabilities"]


def test_tags_are_kept_or_replaced(client):
    conllu = "1\tShe\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\treads\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
    for retag, expected in ((False, ["NOUN", "NOUN"]), (True, ["PRON", "VERB"])):
        [sentence] = parse(client, conllu=conllu, retag=retag)
        assert [word["upos"] for word in sentence["trees"][0]["words"]] == expected


def _sentence(words):
    from headwise.treebank import Sentence

    return Sentence.from_words(words)


def test_what_is_annotated_is_kept(client):
    conllu = "1\tShe\t_\t_\t_\t_\t0\tdep\t_\t_\n2\treads\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    [sentence] = parse(client, conllu=conllu, keep_annotation=True)
    assert heads(sentence["trees"][0]) == [0, 1]
    assert sentence["trees"][0]["words"][0]["deprel"] == "dep"


def test_drawings(client):
    [sentence] = parse(client, text=AMBIGUOUS, k=2, draw=True)
    for tree in sentence["trees"]:
        assert tree["svg"].startswith("<svg")
        assert 'data-word="7"' in tree["svg"]


@pytest.mark.filterwarnings("ignore:.*parts of speech")
def test_a_parser_alone_takes_words(client):
    [sentence] = parse(client, sentences=[["a", "b"]], model="toy")
    assert len(sentence["trees"][0]["words"]) == 2
    answer = client.post("/api/parse", json={"text": "a b", "model": "toy"})
    assert (answer.status_code, answer.json()["error"]) == (
        400,
        "The model 'toy' has no tokenizer; give sentences of words.",
    )


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({}, "Give one of the fields text, sentences, conllu."),
        ({"text": "a", "conllu": ""}, "Give one of the fields"),
        ({"text": 1}, "The field 'text' must be a string."),
        ({"text": "a", "surprise": 1}, "There is no field 'surprise'. There are: text,"),
        ({"text": "a", "k": 0}, "'k' must be a whole number from 1 to 100."),
        ({"text": "a", "k": True}, "'k' must be a whole number"),
        ({"text": "a", "k": 2.0}, "'k' must be a whole number"),
        ({"text": "a", "draw": "yes"}, "'draw' must be true or false"),
        ({"text": "a", "model": "klingon"}, "There is no model 'klingon'. There are: english-ewt, toy."),
        ({"text": "a", "input": "pdf"}, "'input' must be one of: text, lines, tokens."),
        ({"text": "a", "input": ["x"]}, "'input' must be one of"),
        ({"text": "a\0"}, "NUL"),
        ({"text": "a\ud800"}, "not Unicode"),
        ({"sentences": [["a\ud800"]]}, "half of a surrogate pair"),
        ({"conllu": "\ud800"}, "half of a surrogate pair"),
        ({"conllu": "1\n"}, "1"),
        ({"sentences": "a"}, "'sentences' must be a list of sentences"),
        ({"sentences": [[]]}, "'sentences' must be a list of sentences"),
        ({"sentences": [["a\tb"]]}, "is no word"),
        ({"sentences": [[""]]}, "is no word"),
        ({"text": "a b.", "constraints": {}}, "'constraints' must be a list"),
        ({"text": "a b.", "constraints": [1]}, "must be null or an object"),
        ({"text": "a b.", "constraints": []}, "There are 0 constraints for 1 sentences."),
        ({"sentences": [["a"]], "constraints": [{"head": [1]}]}, "There is no field 'head'"),
        ({"sentences": [["a"]], "constraints": [{"heads": [1, 2]}]}, "2 heads were given for 1 words"),
        ({"sentences": [["a"]], "constraints": [{"heads": [1]}]}, "cannot hang from itself"),
        ({"sentences": [["a"]], "constraints": [{"heads": [-1]}]}, "'heads' must be a list"),
        ({"sentences": [["a"]], "constraints": [{"heads": [2**40]}]}, "'heads' must be a list"),
        ({"sentences": [["a"]], "constraints": [{"labels": ["a b"]}]}, "'labels' must be a list"),
        ({"sentences": [["a"]], "constraints": [{"required": [[1]]}]}, "'required' must be a list of arcs"),
        ({"sentences": [["a"]], "constraints": [{"forbidden": [[7, 1]]}]}, "no arc from 7 to 1"),
        ({"sentences": [["a", "b"]], "constraints": [{"heads": [2, 1]}]}, "there is none in which"),
        (
            {"sentences": [["a"] * 300], "constraints": [{"required": [[0, 1]]}]},
            "Sentence 1 has 300 words; with these options 250 are allowed.",
        ),
        (
            {"conllu": "1\tShe\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "model": "toy", "retag": True},
            "The model 'toy' has no tagger to replace tags.",
        ),
    ],
)
def test_refusals(client, request_, message):
    body = json.dumps(request_)
    answer = client.post("/api/parse", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert message in answer.json()["error"]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"nonsense", b"\xff", b"[" * 100_000, b'{"k": NaN}', b"1" * 5000]
)
def test_what_is_no_json_object(client, body):
    answer = client.post("/api/parse", content=body)
    assert answer.status_code == 400
    assert "JSON" in answer.json()["error"]


def test_bad_requests_do_not_harm_their_neighbours(client):
    """Two requests are worked on together; one of them has no tree."""
    import threading

    answers = {}

    def ask(name, request):
        answers[name] = client.post("/api/parse", json=request).status_code

    requests = {f"good{i}": {"sentences": [["She", "reads"]], "constraints": [None]} for i in range(8)}
    requests |= {f"bad{i}": {"sentences": [["a", "b"]], "constraints": [{"heads": [2, 1]}]} for i in range(8)}
    threads = [threading.Thread(target=ask, args=item) for item in requests.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {name: 200 if name.startswith("good") else 400 for name in requests}


def test_the_description_says_what_is_there(client):
    described = client.get("/api/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    assert json.loads(json.dumps(description(Limits()))) == described
    for path, operations in described["paths"].items():
        for method in operations:
            assert client.request(method.upper(), path, json={}).status_code in (200, 400), path
    fields = described["paths"]["/api/parse"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    error = client.post("/api/parse", json={"surprise": 1}).json()["error"]
    said = set(error.partition("There are: ")[2].rstrip(".").split(", "))
    assert set(fields["properties"]) == said
    assert {route.path for route in Api(None, None, None).routes()} <= set(described["paths"])


def test_models(client):
    answer = client.get("/api/models").json()
    assert answer["default"] == "english-ewt"
    assert [model["name"] for model in answer["models"]] == ["english-ewt", "toy"]
    assert "nsubj" in answer["models"][0]["labels"]


def test_health_and_metrics(client):
    assert client.get("/health").json() == {"status": "ok"}
    before = _words(client)
    parse(client, sentences=[["She", "reads"]])
    assert _words(client) == before + 2
    text = client.get("/metrics").text
    assert 'headwise_requests_total{path="/api/parse",status="200"}' in text
    client.get("/some/address/of/an/enemy")
    assert "enemy" not in client.get("/metrics").text
    buckets = [int(line.split()[-1]) for line in text.splitlines() if "_seconds_bucket" in line]
    assert buckets == sorted(buckets)


def _words(client):
    lines = client.get("/metrics").text.splitlines()
    return int(next(line for line in lines if line.startswith("headwise_words_total")).split()[-1])
