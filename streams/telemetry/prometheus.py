"""Keeps the metrics and says them in Prometheus' text format. The only door to prometheus-client."""

import threading
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from streams.telemetry.metrics import METRICS, Kind, Metric, Reading, Readings

CONTENT_TYPE: str = CONTENT_TYPE_LATEST


class PrometheusMeters:
    """See `Meters`. A registry of its own, so that two in one process share nothing. Thread-safe."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._counters = {m.name: Counter(m.name, m.help, m.labels, registry=None) for m in METRICS if m.kind is Kind.COUNTER}
        self._histograms = {
            m.name: Histogram(m.name, m.help, m.labels, buckets=m.buckets, registry=None) for m in METRICS if m.kind is Kind.HISTOGRAM
        }
        self._watched = _Watched()
        self._shown: set[str] = set()
        self._lock = threading.Lock()
        self._registry.register(self._watched)

    def count(self, metric: Metric, *labels: str, amount: float = 1.0) -> None:
        """See `Meters.count`."""
        counter = self._counters[metric.name]
        self._known(metric, counter)
        (counter.labels(*labels) if metric.labels else counter).inc(amount)

    def observe(self, metric: Metric, value: float, *labels: str) -> None:
        """See `Meters.observe`."""
        histogram = self._histograms[metric.name]
        self._known(metric, histogram)
        (histogram.labels(*labels) if metric.labels else histogram).observe(value)

    def watch(self, readings: Readings) -> None:
        """See `Meters.watch`."""
        self._watched.sources.append(readings)

    def text(self) -> bytes:
        """Everything, as of now."""
        return generate_latest(self._registry)

    def _known(self, metric: Metric, collector: Collector) -> None:
        """A metric shows from its first value on: a worker says nothing of other kinds' metrics."""
        if metric.name in self._shown:
            return
        with self._lock:
            if metric.name not in self._shown:
                self._registry.register(collector)
                self._shown.add(metric.name)


class _Watched(Collector):
    """Values that are looked at when somebody asks."""

    def __init__(self) -> None:
        self.sources: list[Readings] = []

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """All of them, by metric."""
        found: dict[str, list[Reading]] = {}
        for source in list(self.sources):
            for reading in source():
                found.setdefault(reading.metric.name, []).append(reading)
        for readings in found.values():
            metric = readings[0].metric
            family = (CounterMetricFamily if metric.kind is Kind.COUNTER else GaugeMetricFamily)(metric.name, metric.help, labels=metric.labels)
            for reading in readings:
                family.add_metric(reading.labels, reading.value)
            yield family

    def describe(self) -> list[CounterMetricFamily]:
        """Nothing: the names are in the table, and asking would read them."""
        return []
