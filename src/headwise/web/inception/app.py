"""The two addresses that INCEpTION asks: ``/predict`` and ``/train``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.web.access import Access
from headwise.web.app import web_app
from headwise.web.inception.protocol import PredictRequest, TrainRequest, predict_request, train_request
from headwise.web.inception.training import Recommenders

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

MOST_BYTES = 64 * 1024 * 1024
"""Of a request: training sends all documents of a project at once."""


def recommender_app(recommenders: Recommenders, *, access: Access | None = None) -> Starlette:
    """The web application. What takes time is done in threads, so that it always answers."""
    from starlette.concurrency import run_in_threadpool
    from starlette.exceptions import HTTPException
    from starlette.responses import JSONResponse, PlainTextResponse, Response
    from starlette.routing import Route

    def suggest(body: bytes) -> str:
        request: PredictRequest = predict_request(body)
        recommenders.of(request.wanted).suggest(request.cas, request.wanted)
        return str(request.cas.to_xmi())

    def learn(body: bytes) -> bool:
        request: TrainRequest = train_request(body)
        return recommenders.learn_in_background(request)

    async def predict(request: Request) -> Response:
        return JSONResponse({"document": await run_in_threadpool(suggest, await request.body())})

    async def train(request: Request) -> Response:
        if not await run_in_threadpool(learn, await request.body()):
            raise HTTPException(429, "Training is under way. Ask again later.")
        return Response(status_code=204)

    async def about(request: Request) -> Response:
        return PlainTextResponse(
            "An external recommender for INCEpTION: in the settings of a project, add a recommender with the "
            f'tool "Remote classifier" and the URL {str(request.base_url).rstrip("/")}.\n'
        )

    routes = [
        Route("/", about),
        Route("/predict", predict, methods=["POST"]),
        Route("/train", train, methods=["POST"]),
    ]
    return web_app(routes, access=access, most_bytes=MOST_BYTES)
