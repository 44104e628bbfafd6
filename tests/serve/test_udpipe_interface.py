"""UDPipe's REST interface: the same requests, the same answers, the same words for what is wrong."""

import email.mime.multipart
import email.mime.nonmultipart
import email.policy
import json
import urllib.error
import urllib.parse
import urllib.request

import pytest

pytest.importorskip("httpx2", reason="the extra serve, or Starlette's test client, is not installed")

from starlette.testclient import TestClient

from headwise.treebank import read
from headwise.web.serve.app import serving_app
from headwise.web.serve.limits import Limits
from web_server import serving

ALL = {"tokenizer": "", "tagger": "", "parser": ""}
TEXT = "She reads old books. He doesn't."


def conllu_of(text):
    return list(read(text.encode(), format="conllu"))


def test_models(client):
    expected = {
        "models": {"english-ewt": ["tokenizer", "tagger", "parser"], "toy": ["parser"]},
        "default_model": "english-ewt",
    }
    for answer in (client.get("/models"), client.post("/models")):
        assert answer.json() == expected
        assert answer.headers["content-type"] == "application/json"


def test_one_request_in_all_its_ways(client):
    form = client.post("/process", data={"data": TEXT, **ALL})
    answer = form.json()
    assert list(answer) == ["model", "acknowledgements", "result"]
    assert answer["model"] == "english-ewt"
    assert all(url.startswith("https://") for url in answer["acknowledgements"])
    lines = answer["result"].splitlines()
    assert lines[0].startswith("# generator = Headwise")
    assert lines[1:3] == ["# udpipe_model = english-ewt", "# udpipe_model_licence = CC BY-SA 4.0"]
    first, second = conllu_of(answer["result"])
    assert first.forms == ["She", "reads", "old", "books", "."]
    assert first.heads.tolist() == [2, 0, 4, 2, 2]
    assert first.upos[1] == "VERB"
    assert [token.form for token in second.tokens if token.is_multiword] == ["doesn't"]
    assert form.headers["x-billing-input-nfc-len"] == str(
        sum(len(f) for s in (first, second) for f in s.forms)
    )
    others = [
        client.get("/process", params={"data": TEXT, **ALL}),
        client.post("/process", files={name: (None, value) for name, value in {"data": TEXT, **ALL}.items()}),
        client.post("/process", files={"data": ("text.txt", TEXT)}, params=ALL),  # parameters from both
        client.post("/process?tokenizer&tagger&parser", data={"data": TEXT}),
    ]
    assert [other.content for other in others] == [form.content] * len(others)


def test_the_answer_is_what_the_pipeline_says(client, english):
    answer = client.post("/process", data={"data": TEXT, **ALL}).json()["result"]
    expected = "".join(parse.to_conllu() for parse in english.model.pipe_lines(TEXT.splitlines()))
    assert answer.endswith(expected)


def test_the_steps_are_switched_on_one_by_one(client):
    def result(**parameters):
        """Without the lines that the server puts in front, each time anew."""
        lines = client.post("/process", data=parameters).json()["result"].splitlines(keepends=True)
        return conllu_of("".join(x for x in lines if not x.startswith(("# generator", "# udpipe"))))

    tokens = result(data=TEXT, tokenizer="")
    assert set(tokens[0].upos) == {"_"}
    assert set(tokens[0].heads) == {-1}
    tagged = result(data="".join(map(str, tokens)), tagger="")
    assert tagged[0].lemmas[1] == "read"
    assert set(tagged[0].heads) == {-1}
    parsed = result(data="".join(map(str, tagged)), parser="")
    assert parsed == result(data=TEXT, **ALL)
    assert result(data="".join(map(str, parsed))) == parsed  # nothing to do


def test_options_of_the_tokenizer(client):
    def result(text, tokenizer):
        return conllu_of(
            client.post("/process", data={"data": text, "tokenizer": tokenizer}).json()["result"]
        )

    assert [len(s) for s in result("One. Two.\nThree", "presegmented")] == [4, 1]
    assert result("She reads.", "ranges;normalized_spaces")[0].misc[1] == "SpaceAfter=No|TokenRange=4:9"


def test_formats(client):
    def result(**parameters):
        return client.post("/process", data=parameters).json()["result"]

    assert result(data="She reads .\nHe too .", input="horizontal", output="vertical") == (
        "She\nreads\n.\n\nHe\ntoo\n.\n\n"
    )
    assert result(data="She\nreads\n\nHe\n", input="vertical", output="horizontal") == "She reads\nHe\n"
    assert result(data=TEXT, tokenizer="", output="plaintext") == "She reads old books.\nHe doesn't.\n"
    assert result(data="One.\n\nTwo.", tokenizer="", output="plaintext") == "One.\n\nTwo.\n"
    assert result(data="New York", input="horizontal", output="horizontal=x") == "New York\n"
    assert conllu_of(result(data=TEXT, input="generic_tokenizer"))[0].forms[0] == "She"


def test_text_is_composed(client):
    answer = client.post("/process", data={"data": "cafe\u0301", "tokenizer": ""}).json()["result"]
    assert "caf\u00e9" in answer


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "The parameter 'data' is required."),
        ({"data": "x", "model": "klingon"}, "The requested model 'klingon' does not exist."),
        ({"data": "no columns"}, "Cannot parse the input in 'conllu' format."),
        ({"data": "x", "input": "pdf"}, "Cannot parse the input in 'pdf' format."),
        ({"data": "a\0b", "tokenizer": ""}, "An error occured during tokenization of the input."),
        ({"data": "x", "tokenizer": "", "output": "matxin"}, "Unknown output format 'matxin'."),
        ({"data": "x", "model": "toy", "tokenizer": ""}, "The model 'toy' has no tokenizer."),
        (
            {"data": "x", "model": "toy", "input": "horizontal", "tagger": ""},
            "The model 'toy' has no tagger.",
        ),
    ],
)
def test_errors(client, parameters, message):
    for answer in (client.get("/process", params=parameters), client.post("/process", data=parameters)):
        if parameters:
            assert (answer.status_code, answer.text) == (400, message)
            assert answer.headers["content-type"].startswith("text/plain")
        else:
            assert answer.status_code == 400


def test_requests_that_cannot_be_read(client):
    def post(content, kind):
        answer = client.post("/process", content=content, headers={"Content-Type": kind} if kind else {})
        return answer.status_code, answer.text

    form, parts = "application/x-www-form-urlencoded", "multipart/form-data"
    assert post(b"data=%ff", form) == (400, f"Cannot parse the {form} payload.")
    assert post(b"data=\xff", form) == (400, f"Cannot parse the {form} payload.")
    assert post(b"x", parts) == (400, f"Cannot parse the {parts} payload.")
    assert post(b"x", parts + "; boundary=y") == (400, f"Cannot parse the {parts} payload.")
    assert post(b"{}", "application/json") == (400, "Unsupported payload Content-Type 'application/json'.")
    assert post(b"x", "") == (400, "Unsupported payload Content-Type '<none>'.")
    assert client.get("/process?data=%ff").text == "Cannot parse request URL."
    without = client.post("/process", content=iter([b"data=x"]), headers={"Content-Type": form})
    assert without.text == "The Content-Length of payload is required."
    assert client.get("/nothing").status_code == 404
    assert client.get("/nothing").text == "No handler for the given URL '/nothing'"


def test_long_sentences(models):
    with TestClient(
        serving_app(models, limits=Limits(sentence_words=3)), base_url="http://localhost"
    ) as client:
        ours = client.post("/process", data={"data": "a b c d", "input": "horizontal", "parser": ""})
        assert ours.status_code == 400
        assert ours.text.startswith("Sentence longer than 3 words was found on input, aborting.\n")
        ours = client.post("/process", data={"data": "a b c d", "tokenizer": "presegmented"})
        assert ours.text.startswith(
            "During tokenization, sentence longer than 3 words was found, aborting.\n"
        )
        assert client.post("/process", data={"data": "a b c", "input": "horizontal"}).status_code == 200


def perform_request(server, method, params):
    """A request as UDPipe's own client (udpipe2_client) makes it: parts of a MIME message, sent by urllib."""
    message = email.mime.multipart.MIMEMultipart("form-data", policy=email.policy.HTTP)
    for name, value in params.items():
        payload = email.mime.nonmultipart.MIMENonMultipart("text", "plain")
        payload.add_header("Content-Disposition", f'form-data; name="{name}"')
        payload.add_header("Content-Transfer-Encoding", "8bit")
        payload.set_payload(value, charset="utf-8")
        message.attach(payload)
    data = message.as_bytes().split(b"\r\n\r\n", maxsplit=1)[1] if params else None
    headers = {"Content-Type": message["Content-Type"]} if params else {}
    with urllib.request.urlopen(
        urllib.request.Request(f"{server}/{method}", headers=headers, data=data), timeout=60
    ) as answer:
        return json.loads(answer.read())


def test_the_protocol_of_the_client(models):
    with serving(serving_app(models)) as server:
        assert perform_request(server, "models", {})["default_model"] == "english-ewt"
        text = "Zoë reads “books”.\nHe\tdoes not.\n"
        asked = {"input": "conllu", "output": "conllu", "data": text, "model": "en", **ALL}
        answer = perform_request(server, "process", asked)
        assert answer["model"] == "english-ewt"
        assert [s.forms[0] for s in conllu_of(answer["result"])] == ["Zoë", "He"]
        with pytest.raises(urllib.error.HTTPError) as refused:
            perform_request(server, "process", {"data": "x", "model": "klingon"})
        assert refused.value.code == 400
        assert refused.value.read().decode() == "The requested model 'klingon' does not exist."


def test_a_treebank_as_the_client_sends_it(models):
    """Its MIME messages have a carriage return at the end of every line."""
    conllu = "# sent_id = a\n1\tShe\t_\t_\t_\t_\t_\t_\t_\t_\n2\treads\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    with serving(serving_app(models)) as server:
        asked = {"input": "conllu", "output": "conllu", "data": conllu, "tagger": "", "parser": ""}
        answer = perform_request(server, "process", asked)["result"]
    assert "\r" not in answer
    assert conllu_of(answer)[0].heads.tolist() == [2, 0]


def test_the_client_of_udapi(models):
    """A client that others wrote, unchanged."""
    online = pytest.importorskip("udapi.tool.udpipeonline", reason="Udapi is not installed")
    from udapi.core.document import Document

    with serving(serving_app(models)) as server:
        client = online.UDPipeOnline("en", server)
        assert client.list_models() == ["english-ewt", "toy"]
        document = Document()
        document.from_conllu_string("1\tShe\t_\t_\t_\t_\t0\t_\t_\t_\n2\treads\t_\t_\t_\t_\t1\t_\t_\t_\n\n")
        root = next(iter(document.trees))
        client.tag_parse_tree(root)
        assert [(node.form, node.upos, node.parent.ord, node.deprel) for node in root.descendants] == [
            ("She", "PRON", 2, "nsubj"),
            ("reads", "VERB", 0, "root"),
        ]
        text = client.perform_request({"data": "She reads.\nHe sleeps.", "model": "en", **ALL})
        assert [sentence.forms[0] for sentence in conllu_of(text)] == ["She", "He"]
