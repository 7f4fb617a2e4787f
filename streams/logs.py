"""Set-up of structured logs, called once by a worker's entry point and never at import."""

import logging
import sys

import structlog


def configure_logging(level: str, *, json: bool) -> None:
    """Logs of this process to standard error: lines for people, or JSON objects for machines. Library loggers join in from warnings on."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    colors = sys.stderr.isatty()
    renderer: structlog.typing.Processor = structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=colors)
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer]
        )
    )
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler], force=True)
    # librdkafka warns of every passing state of a broker that starts ("coordinator load in progress"); what lasts comes as an error.
    logging.getLogger("streams.kafka.client").setLevel(max(number, logging.ERROR))
