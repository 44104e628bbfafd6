"""The description of our interface (OpenAPI 3.1), as ``/api/openapi.json`` and the page ``/api`` have it."""

from __future__ import annotations

from typing import Any

from headwise.base.version import VERSION
from headwise.web.serve.limits import Limits

_MODEL = {"type": "string", "description": "The name of a model; by default the first one's."}


def _sources(others: str = "") -> dict[str, Any]:
    return {
        "text": {"type": "string", "description": f"Running text. Give this, or sentences{others}."},
        "sentences": {
            "type": "array",
            "items": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "description": "Sentences whose words are known.",
        },
        "input": {
            "enum": ["text", "lines", "tokens"],
            "default": "text",
            "description": "Of text: nothing is known; a sentence a line; also spaces between tokens.",
        },
        "model": _MODEL,
    }


def _constraints() -> dict[str, Any]:
    arcs = {
        "type": "array",
        "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    }
    return {
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {
            "heads": {
                "type": "array",
                "items": {"type": ["integer", "null"]},
                "description": "The head of each word, from 1; 0 is the root; null is to be found.",
            },
            "labels": {
                "type": "array",
                "items": {"type": ["string", "null"]},
                "description": "The label of each word; null is to be found.",
            },
            "required": {**arcs, "description": "Arcs that the tree must have: [head, modifier]."},
            "forbidden": {**arcs, "description": "Arcs that it must not have."},
        },
    }


def _word() -> dict[str, Any]:
    number = {"type": "number"}
    return {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            **{
                name: {"type": ["string", "null"]}
                for name in ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
            },
            "head": {"type": ["integer", "null"]},
            "confidence": {**number, "description": "The probability of the head."},
            "label_confidence": {**number, "description": "That of the label, if the head is right."},
            "head_entropy": {**number, "description": "How uncertain the head is, in nats."},
        },
    }


def _tree() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "A sentence as docs/json.md describes it.",
        "properties": {
            "words": {"type": "array", "items": _word()},
            "multiword_tokens": {"type": "array"},
            "empty_nodes": {"type": "array"},
            "comments": {"type": "array", "items": {"type": "string"}},
            "text": {"type": ["string", "null"]},
            "sent_id": {"type": ["string", "null"]},
            "rank": {"type": "integer", "description": "Which of the k best trees, from 1."},
            "log_prob": {"type": "number", "description": "The log-probability of the tree."},
            "svg": {"type": "string", "description": "A drawing."},
        },
    }


def _parse_request(limits: Limits) -> dict[str, Any]:
    flag = {"type": "boolean", "default": False}
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            **_sources(", or conllu"),
            "conllu": {"type": "string", "description": "Sentences in CoNLL-U."},
            "probabilities": {**flag, "description": "Of heads, labels and trees."},
            "k": {
                "type": "integer",
                "minimum": 1,
                "maximum": limits.trees,
                "default": 1,
                "description": "The k most probable trees; one of a sentence of over "
                f"{limits.judged_words} words, and a comment says so.",
            },
            "alternatives": {**flag, "description": "The heads that each word might have."},
            "constraints": {
                "type": "array",
                "items": _constraints(),
                "description": "For each sentence what its tree must have.",
            },
            "keep_annotation": {
                **flag,
                "description": "Of CoNLL-U: keep its heads and labels, find the others (_).",
            },
            "retag": {
                **flag,
                "description": "Of CoNLL-U: replace its tags, which stay otherwise where whole.",
            },
            "draw": {**flag, "description": "With each tree a drawing (SVG)."},
            "offsets": {**flag, "description": "Of text: TokenRange=FIRST:END in MISC."},
        },
        "examples": [{"text": "They saw the man with the telescope.", "probabilities": True}],
    }


def _answer(what: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": what, "content": {"application/json": {"schema": schema}}}


def _operation(
    name: str, summary: str, request: dict[str, Any] | None, answer: dict[str, Any]
) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": name, "summary": summary, "responses": {"200": answer}}
    if request is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": request}},
        }
        error = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
        operation["responses"] |= {
            "400": _answer("The request, or its text, is wrong; error says how.", error),
            "408": _answer("The request did not arrive in time.", error),
            "413": _answer("The request is too large.", error),
            "429": _answer("Too many requests are waiting; Retry-After says when to come again.", error),
            "503": _answer("It took too long, or the server is about to stop.", error),
        }
    return operation


def description(limits: Limits) -> dict[str, Any]:
    """The whole of it."""
    sentence = {
        "type": "object",
        "properties": {
            "trees": {"type": "array", "items": _tree(), "description": "The best one, or the k best."},
            "alternatives": {
                "type": "array",
                "description": "For each word the heads it might have, the most probable first.",
                "items": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"head": {"type": "integer"}, "probability": {"type": "number"}},
                    },
                },
            },
        },
    }
    model = {"type": "string", "description": "The name of the model."}
    parsed = {
        "type": "object",
        "properties": {"model": model, "sentences": {"type": "array", "items": sentence}},
    }
    chart_request = {
        "type": "object",
        "additionalProperties": False,
        "properties": _sources(),
        "examples": [{"text": "She reads old books."}],
    }
    chart = {
        "type": "object",
        "properties": {
            "words": {"type": "array", "items": {"type": "string"}},
            "scores": {"type": "array", "description": "scores[head][modifier], null for -inf."},
            "steps": {"type": "array", "description": "The spans in the order in which they are filled."},
            "roots": {
                "type": "array",
                "description": "Words that may be the root, and what the tree scores.",
            },
            "heads": {"type": "array", "items": {"type": "integer"}},
        },
    }
    health = _answer("It is.", {"type": "object", "properties": {"status": {"const": "ok"}}})
    text = {
        "description": "Prometheus' text format.",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Headwise",
            "version": VERSION,
            "description": "Dependency trees with probabilities, k best trees and constraints. UDPipe's "
            "interface is at /process and /models.",
        },
        "paths": {
            "/api/parse": {
                "post": _operation(
                    "parse", "Parse sentences.", _parse_request(limits), _answer("The trees.", parsed)
                )
            },
            "/api/chart": {
                "post": _operation(
                    "chart",
                    f"Eisner's chart of the first sentence (of {limits.chart_words} words at most).",
                    chart_request,
                    _answer("The chart.", chart),
                )
            },
            "/api/models": {
                "get": _operation("models", "The models.", None, _answer("The models.", {"type": "object"}))
            },
            "/health": {"get": _operation("health", "Is the server there?", None, health)},
            "/metrics": {"get": _operation("metrics", "What it has done.", None, text)},
        },
    }
