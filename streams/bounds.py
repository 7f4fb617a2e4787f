"""Which values a setting may have: the least of each number, and the words of those that are one of a few. Pure.

What is wrong is found before anything starts: what goes wrong later would not name the setting.
"""

import math
from collections.abc import Mapping

MIB = 2**20
SHORTEST_S = 0.001
LARGEST_PORT = 65_535.0
LEAST: dict[str, float] = {
    "max_message_bytes": MIB,  # a page's event and the room around a document fit, and brokers and clients accept it
    "child_memory_bytes": 64 * MIB,  # a parser with one page
    "child_recycle_bytes": 0,  # never
    "read_processes": 0,  # one a core
    "engine_processes": 0,
    "engine_max_tokens": 0,  # what the dialect needs
    "engine_capacity": 0,  # asked of the server
    "figure_dpi": 0,  # no figures
    "low_confidence": 0.0,
    "batch_wait_s": 0.0,
    "broker_port": 0,  # a free one
    "console_port": 0,
    "metrics_port": 0,  # none
    "trace_share": 0.0,
}
"""The smallest value of a setting, where it is not 1, or a millisecond."""
MOST: dict[str, float] = {"low_confidence": 1, "trace_share": 1} | dict.fromkeys(("broker_port", "console_port", "metrics_port"), LARGEST_PORT)
"""The largest value, where there is one."""
WORDS: dict[str, tuple[str, ...]] = {
    "parsed_encoding": ("avro", "json"),
    "log_level": ("debug", "info", "warning", "error", "critical"),
}
"""The words that a setting may be."""
CASELESS = frozenset({"log_level"})
"""In capitals or not."""


def out_of_bounds(values: Mapping[str, object]) -> str | None:
    """What is wrong with the first setting that nothing works with; None where all are in order."""
    for name, value in values.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            least = LEAST.get(name, 1 if isinstance(value, int) else SHORTEST_S)
            if not least <= value < math.inf:
                return f"{name} is {value}; allowed are numbers from {least:g} on"
            if value > MOST.get(name, math.inf):
                return f"{name} is {value}; allowed are numbers from {least:g} to {MOST[name]:g}"
        elif name in WORDS and (str(value).lower() if name in CASELESS else value) not in WORDS[name]:
            return f"{name} is {value!r}; allowed are {', '.join(WORDS[name])}"
    return None
