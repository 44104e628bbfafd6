"""Names of models: their own, what begins them, and the codes of languages."""

import pytest

from headwise.base.errors import HeadwiseError
from headwise.model.bundled import names
from headwise.web.serve.model_names import names_of
from headwise.web.serve.models import Model, Models, load_model


def test_names():
    assert names_of("swedish-talbanken-ud-2.12") == [
        *("swedish-talbanken-ud-2.12", "swedish-talbanken-ud", "swedish-talbanken", "swedish", "sv", "swe")
    ]
    assert names_of("en") == ["en", "english", "eng"]
    assert names_of("gothic:mine") == ["gothic", "mine", "got"]
    assert names_of("klingon") == ["klingon"]


def test_the_first_model_has_a_name_that_two_claim(parser):
    first, second = Model(names_of("english-ewt"), parser), Model(names_of("english-gum"), parser)
    short = Model(names_of("eng"), parser)
    models = Models([first, second, short])
    assert models.default is first
    assert models.find(None) is first
    assert models.find("english") is models.find("en") is first
    assert models.find("english-gum") is second
    assert models.find("eng") is short  # its own name
    assert models.find("english-") is None
    assert models.find("") is None
    with pytest.raises(HeadwiseError, match="two models are called x"):
        Models([Model(["x"], parser), Model(["x", "y"], parser)])
    with pytest.raises(HeadwiseError, match="needs a model"):
        Models([])


def test_models_as_the_command_line_names_them(parser, tmp_path):
    file = tmp_path / "toy=1.hw"
    parser.save(file)
    assert load_model(str(file)).name == "toy=1"
    assert load_model(f"sv:mine={file}").names[:2] == ["sv", "mine"]
    assert load_model(f"sv={file}").tools == ["parser"]
    with pytest.raises(HeadwiseError, match="no such file"):
        load_model("sv=nothing")
    (tmp_path / "wrong.hw").write_text("no model")
    with pytest.raises(HeadwiseError):
        load_model(str(tmp_path / "wrong.hw"))


@pytest.mark.parametrize("name", names())
def test_bundled_models_say_their_licence_and_their_sources(name):
    model = load_model(name)
    assert model.licence == "CC BY-SA 4.0"
    assert len(model.acknowledgements) == 2
