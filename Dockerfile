# One image for every worker kind; the command says which. Run as an ordinary user, data in /data.
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY schemas schemas
COPY streams streams
COPY inference inference
RUN python -m venv /opt/pageloom && /opt/pageloom/bin/pip install --no-cache-dir .

FROM python:3.11-slim-bookworm
COPY --from=build /opt/pageloom /opt/pageloom
RUN useradd --system --uid 10001 --home-dir /data --create-home pageloom
USER pageloom
ENV PATH=/opt/pageloom/bin:$PATH PAGELOOM_DATA_DIR=/data PAGELOOM_LOG_JSON=true
VOLUME /data
ENTRYPOINT ["pageloom"]
CMD ["doctor"]
