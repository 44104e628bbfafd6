"""Our own interface: JSON in, JSON out, with probabilities, k best trees, other heads and constraints.

``openapi.py`` describes it; sentences are written as docs/json.md says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from headwise.components.confidence.other_heads import other_heads
from headwise.components.parser.constraints import Constraints, Task
from headwise.components.parser.parse import Parse
from headwise.components.parser.search import Search, Tags
from headwise.display import to_svg
from headwise.treebank import Sentence, read
from headwise.web.serve.bodies import body_of
from headwise.web.serve.chart import Chart
from headwise.web.serve.engine import Engine
from headwise.web.serve.fields import FieldError, Fields, read_object
from headwise.web.serve.jobs import Steps
from headwise.web.serve.limits import Limits
from headwise.web.serve.models import Model, Models

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

_SOURCES = ("text", "sentences", "conllu")
_OPTIONS = (
    "probabilities",
    "k",
    "alternatives",
    "constraints",
    "keep_annotation",
    "retag",
    "draw",
    "offsets",
)
_INPUTS = ("text", "lines", "tokens")


class Api:
    """The addresses under ``/api/``."""

    def __init__(self, models: Models, engine: Engine, limits: Limits) -> None:
        self._models, self._engine, self._limits = models, engine, limits

    def routes(self) -> list[Route]:
        from starlette.routing import Route

        return [
            Route("/api/parse", self.parse, methods=["POST"]),
            Route("/api/chart", self.chart, methods=["POST"]),
            Route("/api/models", self.models),
        ]

    async def models(self, request: Request) -> Response:
        return as_json(
            {
                "default": self._models.default.name,
                "models": [
                    {
                        "name": model.name,
                        "answers_to": [*model.names],
                        "tools": model.tools,
                        "licence": model.licence,
                        "labels": [*model.parser.config.labels],
                        "projective": model.parser.config.projective,
                        "single_root": model.parser.config.single_root,
                    }
                    for model in self._models.all
                ],
            }
        )

    async def parse(self, request: Request) -> Response:
        fields = await self._fields(request, (*_SOURCES, "model", "input", *_OPTIONS))
        model = self._model(fields)
        k = fields.number("k", 1, self._limits.trees, 1)
        alternatives, draw = fields.flag("alternatives"), fields.flag("draw")
        probabilities = fields.flag("probabilities") or alternatives or k > 1
        search = Search(
            confidence=probabilities,
            k=k if k > 1 else None,
            tags=self._tags(fields, model),
            longest=self._limits.judged_words if k > 1 or alternatives else self._limits.sentence_words,
        )

        def finish(parses: list[Parse], constraints: Constraints | None) -> str:
            trees = [parse.to_json() for parse in parses]
            answer: dict[str, Any] = {"trees": trees}
            is_judged = parses[0].confidence is not None
            heads = None
            if alternatives and is_judged:
                heads = other_heads(model.parser, parses[0].sentence, constraints)
            if heads is not None:
                answer["alternatives"] = [[{"head": h, "probability": p} for h, p in word] for word in heads]
            if draw:
                for tree, parse in zip(trees, parses, strict=True):
                    tree["svg"] = to_svg(parse.drawing(alternatives=heads), styled=False)
            return dumps(answer)

        tasks = self._tasks(fields, model, self._most_words(fields, draw=draw), trees=k)
        found = await self._engine.do(Steps(model, search), tasks, finish, seconds=self._limits.seconds)
        return _answer(f'{{"model": {dumps(model.name)}, "sentences": [{", ".join(found)}]}}')

    async def chart(self, request: Request) -> Response:
        """Eisner's chart of a sentence."""
        fields = await self._fields(request, ("text", "sentences", "model", "input"))
        model = self._model(fields)

        def finish(parses: list[Parse], _: Constraints | None) -> dict[str, Any]:
            sentence = parses[0].sentence
            probabilities = model.parser.arc_probabilities(sentence)
            chart = Chart(probabilities, single_root=model.parser.config.single_root)
            return {"words": sentence.forms, "parsed": parses[0].heads.tolist(), **chart.to_json()}

        first = islice(self._tasks(fields, model, self._limits.chart_words), 1)
        steps = Steps(model)
        charts = await self._engine.do(steps, first, finish, seconds=self._limits.seconds)
        if not charts:
            raise FieldError("The text has no words.")
        return as_json({"model": model.name, **charts[0]})

    async def _fields(self, request: Request, known: tuple[str, ...]) -> Fields:
        content = read_object(await body_of(request, self._limits.seconds))
        fields = Fields(content, known)
        given = [name for name in _SOURCES if name in known and name in fields]
        if len(given) != 1:
            names = [name for name in _SOURCES if name in known]
            raise FieldError(f"Give one of the fields {', '.join(names)}.")
        return fields

    def _model(self, fields: Fields) -> Model:
        name = fields.text("model")
        model = self._models.find(name)
        if model is None:
            raise FieldError(
                f"There is no model '{name}'. There are: {', '.join(m.name for m in self._models.all)}."
            )
        return model

    def _tags(self, fields: Fields, model: Model) -> Tags:
        if not fields.flag("retag"):
            return "keep"
        if not model.has_tagger:
            raise FieldError(f"The model '{model.name}' has no tagger to replace tags.")
        return "replace"

    def _most_words(self, fields: Fields, *, draw: bool) -> int:
        """How many words a sentence may have, with what is asked for it."""
        most = self._limits.sentence_words
        if fields.flag("keep_annotation") or "constraints" in fields:
            most = min(most, self._limits.judged_words)
        return min(most, self._limits.drawn_words) if draw else most

    def _tasks(self, fields: Fields, model: Model, most: int, *, trees: int = 1) -> Iterator[Task]:
        """The sentences with their constraints, none of more than so many words, and not too many in all."""
        from starlette.exceptions import HTTPException

        constraints = fields.constraints("constraints")
        if constraints is not None and fields.flag("keep_annotation"):
            raise FieldError("Give either constraints or keep_annotation.")
        count, words = 0, 0
        for sentence in self._sentences(fields, model):
            if len(sentence) > most:
                raise FieldError(
                    f"Sentence {count + 1} has {len(sentence)} words; with these options {most} are allowed."
                )
            words += trees * len(sentence)
            if words > self._limits.answer_words:
                raise HTTPException(
                    413,
                    f"The trees of the answer would have over {self._limits.answer_words} words together."
                    " Send less at a time, or use /process.",
                )
            constraint = None
            if fields.flag("keep_annotation"):
                constraint = Constraints.of_annotation(sentence)
            elif constraints is not None and count < len(constraints):
                constraint = constraints[count]
            count += 1
            yield sentence, constraint
        if constraints is not None and count != len(constraints):
            raise FieldError(f"There are {len(constraints)} constraints for {count} sentences.")

    def _sentences(self, fields: Fields, model: Model) -> Iterator[Sentence]:
        if (text := fields.text("text")) is not None:
            if model.tokenizer is None:
                raise FieldError(f"The model '{model.name}' has no tokenizer; give sentences of words.")
            input: Any = fields.choice("input", _INPUTS, "text")
            lines = text.splitlines(keepends=True)
            return model.tokenizer.pipe(lines, input=input, offsets=fields.flag("offsets"))
        if (sentences := fields.sentences("sentences")) is not None:
            return map(Sentence.from_words, sentences)
        try:
            conllu = (fields.text("conllu") or "").encode()
        except UnicodeEncodeError:
            raise FieldError(
                "The field 'conllu' has half of a surrogate pair, which is no character."
            ) from None
        return iter(read(conllu, format="conllu", validate="columns"))


def dumps(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


def as_json(content: Any) -> Response:
    return _answer(dumps(content))


def _answer(content: str) -> Response:
    from starlette.responses import Response

    return Response(content, media_type="application/json")
