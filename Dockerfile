# One image for every worker kind; the command says which. Run as an ordinary user, data in /data.
# `--build-arg EXTRAS=opensearch,tracing,gpu` makes the one for recognition on a GPU.
FROM python:3.11-slim-bookworm AS build
ARG EXTRAS=opensearch,tracing
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY locks locks
COPY schemas schemas
COPY streams streams
COPY inference inference
# The default extras by their hashes; what else is asked for comes on top, within the bounds of pyproject.toml.
RUN python -m venv /opt/pageloom \
    && /opt/pageloom/bin/pip install --no-cache-dir --require-hashes --no-deps --requirement locks/image.txt \
    && /opt/pageloom/bin/pip install --no-cache-dir ".[$EXTRAS]"

FROM python:3.11-slim-bookworm
# Data of Tesseract, the second engine: English comes with its wheel, these are the scripts that the first engine does not read, and common languages.
RUN apt-get update && apt-get install --yes --no-install-recommends \
      tesseract-ocr-ara tesseract-ocr-ben tesseract-ocr-bul tesseract-ocr-ces tesseract-ocr-chi-sim tesseract-ocr-chi-tra tesseract-ocr-deu \
      tesseract-ocr-ell tesseract-ocr-fas tesseract-ocr-fra tesseract-ocr-heb tesseract-ocr-hin tesseract-ocr-hye tesseract-ocr-ita \
      tesseract-ocr-jpn tesseract-ocr-kat tesseract-ocr-kor tesseract-ocr-nld tesseract-ocr-osd tesseract-ocr-pol tesseract-ocr-por \
      tesseract-ocr-ron tesseract-ocr-rus tesseract-ocr-spa tesseract-ocr-srp tesseract-ocr-swe tesseract-ocr-tam tesseract-ocr-tel \
      tesseract-ocr-tha tesseract-ocr-tur tesseract-ocr-ukr tesseract-ocr-urd tesseract-ocr-vie \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/pageloom /opt/pageloom
RUN useradd --system --uid 10001 --home-dir /data --create-home pageloom
USER pageloom
ENV PATH=/opt/pageloom/bin:$PATH PAGELOOM_DATA_DIR=/data PAGELOOM_LOG_JSON=true
VOLUME /data
ENTRYPOINT ["pageloom"]
CMD ["doctor"]
