"""The telemetry of one worker process as its settings want it; everything heavy is imported only where it is on."""

import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager

import structlog

from streams.kafka.admin import TopicAdmin
from streams.settings import Settings, SettingsError
from streams.telemetry.groups import GROUPS, GroupLag
from streams.telemetry.health import Health, Heartbeat
from streams.telemetry.metrics import Meters, NoMeters
from streams.telemetry.server import PORT_OFFSETS, Answers, serving
from streams.telemetry.spans import NoTracer, Tracer
from streams.telemetry.telemetry import Telemetry

ASK_TIMEOUT_S = 3.0
"""For what a scrape asks of Kafka; Prometheus waits 10 s."""

log = structlog.get_logger(__name__)


@contextmanager
def telemetry_of(settings: Settings, kinds: Collection[str], stop: threading.Event) -> Iterator[tuple[Telemetry, threading.Event]]:
    """The telemetry of a worker of these kinds, and the event that it is to stop by. Raises SettingsError.

    To be entered by the thread that the worker runs in.
    """
    with ExitStack() as stack:
        tracer = _tracer(settings, kinds, stack)
        if not settings.metrics_port:
            yield Telemetry(NoMeters(), tracer), stop
            return
        beat = Heartbeat(stop)
        meters = _served_meters(settings, kinds, beat, stack)
        yield Telemetry(meters, tracer), beat


def metrics_port(settings: Settings, kinds: Collection[str]) -> int:
    """Where a worker of these kinds listens."""
    return settings.metrics_port + min(PORT_OFFSETS[kind] for kind in kinds)


def _served_meters(settings: Settings, kinds: Collection[str], beat: Heartbeat, stack: ExitStack) -> Meters:
    from streams.telemetry.prometheus import CONTENT_TYPE, PrometheusMeters  # noqa: PLC0415 - only where it is on

    meters = PrometheusMeters()
    admin = TopicAdmin(settings.bootstrap_servers, settings.kafka_security, timeout_s=ASK_TIMEOUT_S)
    lag = GroupLag(admin, [group for group in GROUPS if group.name in kinds])
    meters.watch(lag.readings)
    health = Health(beat, lag.error)
    port = metrics_port(settings, kinds)
    stack.enter_context(serving(settings.metrics_host, port, Answers(meters.text, CONTENT_TYPE, health.not_alive, health.not_ready)))
    log.info("metrics.served", host=settings.metrics_host, port=port)
    return meters


def _tracer(settings: Settings, kinds: Collection[str], stack: ExitStack) -> Tracer:
    if not settings.otlp_endpoint:
        return NoTracer()
    try:
        from streams.telemetry.tracing import otlp_tracer  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise SettingsError("otlp_endpoint is set, but OpenTelemetry is not installed: `pip install '.[tracing]'` in its sources") from error
    tracer = otlp_tracer(f"pageloom-{'+'.join(sorted(kinds))}", settings.otlp_endpoint, settings.trace_share)
    stack.callback(tracer.close)
    return tracer
