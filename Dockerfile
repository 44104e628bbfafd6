# A server: docker build -t headwise . && docker run --rm -p 127.0.0.1:8001:8001 headwise
# Models of one's own: docker run … -v "$PWD:/models:ro" headwise --model en --model sv=/models/swedish.hw
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN pip wheel --no-cache-dir --wheel-dir /wheels "/source[serve]"

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links=/wheels "headwise[serve]"
USER nobody
EXPOSE 8001
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD \
    ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8001/health', timeout=4)"]
ENTRYPOINT ["headwise", "serve", "--host", "0.0.0.0", "--allow-host", "localhost", "--port", "8001"]
