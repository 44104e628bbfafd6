"""UDPipe's REST interface: ``/models`` and ``/process``, with its words for what is wrong.

Its clients work unchanged. What is not offered: the formats matxin and epe, and WebLicht's addresses.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from headwise.base.errors import HeadwiseError
from headwise.base.version import VERSION
from headwise.components.parser.constraints import Constraints, Task
from headwise.components.parser.parse import Parse
from headwise.components.parser.search import Search, Tags
from headwise.treebank import Sentence
from headwise.web.serve.bodies import body_of
from headwise.web.serve.engine import Engine
from headwise.web.serve.jobs import Steps
from headwise.web.serve.limits import Limits
from headwise.web.serve.models import Model, Models
from headwise.web.serve.parameters import ParameterError, parameters_of
from headwise.web.serve.udpipe_formats import Answer, UnknownFormatError, format_of, read_text, read_words

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

_TOO_LONG_TEXT = (
    "During tokenization, sentence longer than {} words was found, aborting.\n"
    "That should only happen with presegmented input.\n"
    "Please make sure you do not generate such long sentences.\n"
)
_TOO_LONG_INPUT = (
    "Sentence longer than {} words was found on input, aborting.\n"
    "Please make sure the input sentences have at most {} words.\n"
)


class UDPipe:
    """The two addresses."""

    def __init__(self, models: Models, engine: Engine, limits: Limits) -> None:
        self._models, self._engine, self._limits = models, engine, limits

    def routes(self) -> list[Route]:
        from starlette.routing import Route

        return [
            Route("/process", self.process, methods=["GET", "POST"]),
            Route("/models", self.models, methods=["GET", "POST"]),
        ]

    async def models(self, request: Request) -> Response:
        return _json(
            {
                "models": {model.name: model.tools for model in self._models.all},
                "default_model": self._models.default.name,
            }
        )

    async def process(self, request: Request) -> Response:
        from starlette.responses import Response

        if request.method == "POST" and "content-length" not in request.headers:
            raise ParameterError("The Content-Length of payload is required.")
        parameters = await parameters_of(request, await body_of(request, self._limits.seconds))
        if "data" not in parameters:
            raise ParameterError("The parameter 'data' is required.")
        name = parameters.get("model")
        model = self._models.find(name)
        if model is None:
            raise ParameterError(f"The requested model '{name}' does not exist.")
        output = parameters.get("output", "conllu")
        try:
            format = format_of(output)
        except UnknownFormatError as error:
            raise ParameterError(f"Unknown output format '{output}'.") from error

        answer, letters = Answer(format, _opening(model, format.name == "conllu")), 0

        def finish(parses: list[Parse], _: Constraints | None) -> None:
            nonlocal letters
            answer.add(parses[0], is_parsed=steps.parse)
            letters += sum(map(len, parses[0].sentence.forms))

        tags: Tags = "replace" if "tagger" in parameters else "given"
        steps = Steps(model, Search(tags=tags), parse="parser" in parameters)
        if tags == "replace" and not model.has_tagger:
            raise ParameterError(f"The model '{model.name}' has no tagger.")
        sentences = self._sentences(model, parameters)
        await self._engine.do(steps, sentences, finish, seconds=self._limits.seconds)
        headers = {"X-Billing-Input-NFC-Len": str(letters)}
        return Response(answer.end(b'"\n}\n'), headers=headers, media_type="application/json")

    def _sentences(self, model: Model, parameters: dict[str, str]) -> Iterator[Task]:
        """The sentences of the data, none of them too long."""
        most = self._limits.sentence_words
        # UDPipe's client sends lines as mail has them, with a carriage return.
        data = unicodedata.normalize("NFC", parameters["data"].replace("\r\n", "\n"))
        format = parameters.get("input", "conllu")
        is_text = "tokenizer" in parameters or format == "generic_tokenizer"
        if is_text and model.tokenizer is None:
            raise ParameterError(f"The model '{model.name}' has no tokenizer.")
        try:
            sentences: Iterator[Sentence]
            if is_text and model.tokenizer is not None:
                sentences = read_text(model.tokenizer, data, parameters.get("tokenizer", ""))
            else:
                sentences = read_words(data, format)
            for sentence in sentences:
                if len(sentence) > most:
                    raise ParameterError((_TOO_LONG_TEXT if is_text else _TOO_LONG_INPUT).format(most, most))
                yield sentence, None
        except ParameterError:
            raise
        except (HeadwiseError, UnknownFormatError) as error:
            if is_text:
                raise ParameterError("An error occured during tokenization of the input.") from error
            raise ParameterError(f"Cannot parse the input in '{format}' format.") from error


@lru_cache(maxsize=64)
def _opening(model: Model, is_conllu: bool) -> bytes:
    """What comes before the first sentence."""
    start = {"model": model.name, "acknowledgements": [*model.acknowledgements], "result": ""}
    comments = [f"# generator = Headwise {VERSION}", f"# udpipe_model = {model.name}"]
    if model.licence is not None:
        comments.append(f"# udpipe_model_licence = {model.licence}")
    written = "".join(line + "\n" for line in comments) if is_conllu else ""
    return (json.dumps(start, indent=1)[:-3] + json.dumps(written, ensure_ascii=False)[1:-1]).encode()


def _json(content: object) -> Response:
    from starlette.responses import Response

    return Response(json.dumps(content, indent=1), media_type="application/json")
