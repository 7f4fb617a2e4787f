"""What a worker is handed to tell of itself: meters and a tracer, both silent by default."""

from msgspec import Struct

from streams.telemetry.metrics import Meters, NoMeters
from streams.telemetry.spans import NoTracer, Tracer


class Telemetry(Struct, frozen=True):
    """Where a worker's numbers and spans go."""

    meters: Meters = NoMeters()
    tracer: Tracer = NoTracer()

    @property
    def silent(self) -> bool:
        """Whether nobody is told anything: then nothing needs to be wrapped."""
        return isinstance(self.meters, NoMeters) and isinstance(self.tracer, NoTracer)


SILENT = Telemetry()
