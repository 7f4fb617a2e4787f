"""Spans in OpenTelemetry, sent by OTLP over HTTP. The only door to opentelemetry."""

from collections.abc import Mapping
from typing import Any

from opentelemetry.propagators.textmap import Getter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from streams.telemetry.spans import Headers

QUEUE_SPANS = 2_048
"""Held for the collector; more are dropped, never waited for."""
EXPORT_TIMEOUT_S = 5
SHUTDOWN_MS = 3_000

_PROPAGATOR = TraceContextTextMapPropagator()


class _HeaderGetter(Getter[Headers]):
    """Reads a context from the headers of a record."""

    def get(self, carrier: Headers, key: str) -> list[str] | None:
        """All values of a header."""
        found = [value.decode("latin-1") for name, value in carrier if name.lower() == key and value is not None]
        return found or None

    def keys(self, carrier: Headers) -> list[str]:
        """All names."""
        return [name for name, _ in carrier]


_GETTER = _HeaderGetter()


class OpenTelemetrySpan:
    """See `Span`."""

    def __init__(self, span: Any) -> None:
        self._span = span

    @property
    def headers(self) -> Headers:
        """See `Span.headers`."""
        context = self._span.get_span_context()
        carried = f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags):02x}"
        return (("traceparent", carried.encode()),)

    def end(self, problem: str = "") -> None:
        """See `Span.end`."""
        if problem:
            self._span.set_attribute("pageloom.code", problem)
            self._span.set_status(Status(StatusCode.ERROR, problem))
        self._span.end()


class OpenTelemetryTracer:
    """See `Tracer`. `close` sends what is left."""

    def __init__(self, service: str, share: float, processor: SpanProcessor) -> None:
        resource = Resource.create({"service.namespace": "pageloom", "service.name": service})
        self._provider = TracerProvider(resource=resource, sampler=ParentBasedTraceIdRatio(share), shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("pageloom")

    def begin(self, name: str, headers: Headers, attributes: Mapping[str, str], started_ns: int | None = None) -> OpenTelemetrySpan:
        """See `Tracer.begin`."""
        parent = _PROPAGATOR.extract(headers, getter=_GETTER)
        return OpenTelemetrySpan(
            self._tracer.start_span(name, context=parent, kind=SpanKind.CONSUMER, attributes=dict(attributes), start_time=started_ns)
        )

    def close(self) -> None:
        """Sends what is left, within a few seconds."""
        self._provider.force_flush(SHUTDOWN_MS)
        self._provider.shutdown()


def otlp_tracer(service: str, endpoint: str, share: float) -> OpenTelemetryTracer:
    """A tracer that sends to a collector. One that is away costs spans, never work."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - requests, protobuf

    return OpenTelemetryTracer(service, share, batched(OTLPSpanExporter(endpoint=endpoint, timeout=EXPORT_TIMEOUT_S)))


def batched(exporter: SpanExporter) -> SpanProcessor:
    """Sends in the background."""
    return BatchSpanProcessor(exporter, max_queue_size=QUEUE_SPANS)
