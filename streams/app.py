"""The Faust apps of `open` and `read`: which topics their agents read, how wide, and how a worker starts and ends.

Composes stages and holds no logic of its own. Each kind is an app with a consumer group of its own (`pageloom-open`, `pageloom-read`), also
where both share a process, so that kinds may be mixed freely over machines. No web server, no tables, no state.
"""

import asyncio
import contextlib
import logging
import os
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError

import faust
import structlog

from schemas.errors import PageloomError
from streams import topics
from streams.agents.driver import new_app
from streams.agents.lane import Lane, Outbox
from streams.agents.open_stage import OpenStage
from streams.agents.read_stage import ReadStage
from streams.agents.starting import start
from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.errors import KafkaClientError, TopicMismatchError
from streams.sandbox import Sandbox
from streams.settings import Settings
from streams.telemetry.answers import watched
from streams.telemetry.metrics import CAPACITY, Reading
from streams.telemetry.telemetry import SILENT, Telemetry

OPEN, READ = "open", "read"

REACH_TIMEOUT_S = 30.0
"""For a broker that answers and topics that exist: longer than a broker's restart, short enough to be seen."""
DRAIN_TIMEOUT_S = 5.0
"""At the end, for work in flight: most takes milliseconds. What is cut off is done again after the restart."""
STOP_TIMEOUT_S = 4.0
"""After that, for leaving the groups. Together less than the 10 s that containers are given between SIGTERM and SIGKILL."""
GRACE_S = 5.0
"""Beyond both, before the process ends itself: threads of the Kafka client are not to be waited for without end."""
OPEN_WIDTH_PER_PROCESS = 2
"""Documents being opened for each process: one works while the other is stored."""
READ_WIDTH_EXTRA = 2
"""Ranges handed out beyond one for each process, so that none waits for the next; more would let the express lane wait behind them."""
BUFFERED_DOCUMENTS = 4
"""Records of up to the message limit held for each topic beyond those in work."""
BUFFERED_RANGES = 64
"""The same for ranges, which are small."""
REBALANCE_PATIENCE_S = 120.0
"""A rebalance that takes longer has been forgotten by Faust, or its broker is away: either way a new start is the cure. Others take seconds."""
WATCH_S = 0.2
"""Between two looks whether to stop: at 50 ms, they were an eighth of what an idle worker takes."""

log = structlog.get_logger(__name__)


def run_open(settings: Settings, stop: threading.Event, telemetry: Telemetry = SILENT) -> None:
    """Runs the agent `open` until `stop` is set. Raises KafkaClientError where it cannot go on."""
    run(settings, (OPEN,), stop, telemetry)


def run_read(settings: Settings, stop: threading.Event, telemetry: Telemetry = SILENT) -> None:
    """Runs the agent `read` until `stop` is set. Raises KafkaClientError where it cannot go on."""
    run(settings, (READ,), stop, telemetry)


def run_open_and_read(settings: Settings, stop: threading.Event, telemetry: Telemetry = SILENT) -> None:
    """Runs both agents in one process until `stop` is set. Raises KafkaClientError where it cannot go on."""
    run(settings, (OPEN, READ), stop, telemetry)


def run(settings: Settings, kinds: Iterable[str], stop: threading.Event, telemetry: Telemetry = SILENT) -> None:
    """Runs the agents of these kinds in the foreground. Ends within a bounded time after `stop` is set."""
    kinds = tuple(kinds)
    if not check_topics(settings, kinds, stop):
        return
    logging.getLogger("faust").setLevel(logging.WARNING)
    sandbox = new_sandbox(settings, kinds)
    force = threading.Timer(DRAIN_TIMEOUT_S + STOP_TIMEOUT_S + GRACE_S, _leave_by_force)
    force.daemon = True
    try:
        threading.Thread(target=_warm_up, args=(sandbox,), daemon=True).start()
        asyncio.run(_run(settings, kinds, sandbox, stop, force, telemetry))
    finally:
        sandbox.close(0.0)
    force.cancel()
    log.info("worker.stopped", worker="+".join(kinds))


def new_sandbox(settings: Settings, kinds: Iterable[str]) -> Sandbox:
    """The child processes that the agents of one worker share."""
    modules = {OPEN: ("streams.ingest.opening", "streams.read.structure.documents"), READ: ("streams.read.range_reader",)}
    return Sandbox(
        settings.read_processes or os.cpu_count() or 1,
        max_tasks=settings.child_tasks,
        memory_bytes=settings.child_memory_bytes,
        network=settings.store_is_remote,
        recycle_bytes=settings.child_recycle_bytes,
        preload=[module for kind in kinds for module in modules[kind]],
    )


def create_app(settings: Settings, kind: str, sandbox: Sandbox, telemetry: Telemetry = SILENT) -> tuple[faust.App, list[Lane]]:
    """The app of one kind with its agents. Reaches for nothing until it is started, in a running event loop."""
    if kind == OPEN:
        app = new_app("pageloom-open", settings, buffered=BUFFERED_DOCUMENTS)
        outbox, stage = Outbox(app), OpenStage(settings, sandbox)
        width = OPEN_WIDTH_PER_PROCESS * sandbox.processes
        return app, [
            Lane(app, topics.INGEST.name, watched(stage.answer, OPEN, telemetry), outbox, width=width),
            Lane(app, topics.CONTROL.name, watched(stage.answer_control, OPEN, telemetry), outbox, width=width),
        ]
    app = new_app("pageloom-read", settings, buffered=BUFFERED_RANGES)
    outbox, reader = Outbox(app), ReadStage(settings, sandbox)
    width = sandbox.processes + READ_WIDTH_EXTRA
    answer = watched(reader.answer, READ, telemetry)
    telemetry.meters.watch(lambda: [Reading(CAPACITY, (READ,), sandbox.processes)])
    return app, [
        Lane(app, topics.RANGES_EXPRESS.name, answer, outbox, width=width),
        Lane(app, topics.RANGES.name, answer, outbox, width=width),
    ]


def check_topics(settings: Settings, kinds: Iterable[str], stop: threading.Event) -> bool:
    """Waits for the broker and for the topics, and checks that the broker sets the time of submissions. False where `stop` is set before.

    Raises KafkaClientError after `REACH_TIMEOUT_S`.
    """
    admin = TopicAdmin(settings.bootstrap_servers, settings.kafka_security)
    deadline = time.monotonic() + REACH_TIMEOUT_S
    if not admin.await_broker(REACH_TIMEOUT_S, stop.is_set):
        return False
    read = (topics.INGEST, topics.CONTROL) if OPEN in kinds else ()
    needed = [*read, topics.EVENTS, topics.DEAD_LETTERS, topics.RANGES, topics.RANGES_EXPRESS]
    needed += [topics.WINDOWS, topics.WINDOWS_EXPRESS] if READ in kinds else []
    while not stop.is_set():
        if _topics_are_there(admin, needed, time.monotonic() < deadline):
            return True
        stop.wait(0.2)
    return False


def _topics_are_there(admin: TopicAdmin, needed: Sequence[topics.Topic], may_wait: bool) -> bool:
    """Whether all topics exist. Raises TopicMismatchError for one that is not as it must be, KafkaClientError for anything else unless `may_wait`."""
    # As many partitions as there are; what matters here is who sets the time.
    append_time = {"message.timestamp.type": "LogAppendTime"}
    try:
        partitions = {listed.name: listed.partitions for listed in admin.list_topics(topic.name for topic in needed)}
        if missing := sorted(topic.name for topic in needed if topic.name not in partitions):
            if may_wait:
                return False
            raise TopicMismatchError(f"topics are missing: {', '.join(missing)}; create them with `pageloom topics`")
        admin.verify_topics([TopicSpec(topic.name, partitions[topic.name], append_time) for topic in needed if topic.log_append_time])
    except TopicMismatchError:
        raise
    except KafkaClientError:  # a broker that has just started answers before it leads its partitions, and one with too much to do late
        if may_wait:
            return False
        raise
    return True


async def _run(
    settings: Settings, kinds: tuple[str, ...], sandbox: Sandbox, stop: threading.Event, force: threading.Timer, telemetry: Telemetry
) -> None:
    apps, lanes = [], []
    for kind in kinds:
        app, its_lanes = create_app(settings, kind, sandbox, telemetry)
        apps.append(app)
        lanes += its_lanes
    rebalances = RebalanceWatch()
    try:
        if await _has_started(apps, stop):
            log.info("worker.started", worker="+".join(kinds), bootstrap_servers=settings.bootstrap_servers, processes=sandbox.processes)
        while not stop.is_set() and _failure(apps, lanes) is None and not rebalances.is_stuck([app.rebalancing for app in apps], time.monotonic()):
            await asyncio.sleep(WATCH_S)
        failure = _failure(apps, lanes) or rebalances.failure
    finally:
        force.start()
        await _stop(apps, lanes)
    if failure is not None:
        raise KafkaClientError(f"the worker cannot go on: {type(failure).__name__}: {failure}; what it had in work comes again") from failure


async def _has_started(apps: list[faust.App], stop: threading.Event) -> bool:
    """Starts the apps; False where `stop` is set before they have. Raises as `start` does."""
    starting = asyncio.ensure_future(asyncio.gather(*(start(app) for app in apps)))
    while not starting.done():
        if stop.is_set():
            starting.cancel()
            await asyncio.wait({starting}, timeout=WATCH_S)  # a client that is just being started ends before it is stopped, where it ends soon
            starting.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            return False
        await asyncio.wait({starting}, timeout=WATCH_S)
    await starting
    return True


class RebalanceWatch:
    """Since when each app of a worker has been rebalancing. Pure."""

    def __init__(self) -> None:
        self._since_s: dict[int, float] = {}
        self.failure: KafkaClientError | None = None

    def is_stuck(self, rebalancing: Sequence[bool], now_s: float) -> bool:
        """Whether one has been for longer than `REBALANCE_PATIENCE_S`; `failure` says so then."""
        self._since_s = {app: self._since_s.get(app, now_s) for app, is_on in enumerate(rebalancing) if is_on}
        if any(now_s - since_s > REBALANCE_PATIENCE_S for since_s in self._since_s.values()):
            self.failure = KafkaClientError(f"a rebalance of its group did not end within {REBALANCE_PATIENCE_S:g} s")
        return self.failure is not None


def _failure(apps: list[faust.App], lanes: list[Lane]) -> BaseException | None:
    for lane in lanes:
        if lane.failed is not None:
            return lane.failed
    for app in apps:
        if app.crashed:
            return app.crash_reason or RuntimeError("Faust ended by itself")
    return None


async def _stop(apps: list[faust.App], lanes: list[Lane]) -> None:
    """Finishes what is in work and leaves the groups, both within their time. Raises KafkaClientError where Faust does not end."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*(lane.drain() for lane in lanes)), DRAIN_TIMEOUT_S)
    for lane in lanes:
        lane.cancel()
    log.info("lanes.answered", records=sum(lane.answered for lane in lanes))
    try:
        await asyncio.wait_for(asyncio.gather(*(app.stop() for app in apps), return_exceptions=True), STOP_TIMEOUT_S)
    except TimeoutError:
        raise KafkaClientError(f"the Kafka client did not leave its group within {STOP_TIMEOUT_S:g} s; nothing is lost") from None


def _leave_by_force() -> None:
    """Ends the process: threads of a Kafka client that hangs would keep it for ever."""
    log.error("worker.stuck", reason="threads of the Kafka client did not end; leaving without them, nothing is lost")
    os._exit(1)


def _warm_up(sandbox: Sandbox) -> None:
    # What is wrong shows with the first document, in its answer; a worker that stops meanwhile has closed the sandbox.
    with contextlib.suppress(PageloomError, TimeoutError, CancelledError, RuntimeError):
        sandbox.warm_up()
