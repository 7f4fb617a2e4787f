"""The faults that are drawn, each by its name: how it begins, how long it lasts, how it is healed.

A fault is harmless as long as the pipeline keeps its promises: none of them may cost a document, so each is shorter than what the pipeline says it
waits for (a blob store that is away, for `STORE_PATIENCE_S` of its readers).
"""

import contextlib
import random
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import psutil

from streams import topics
from tests.chaos.fleet import KINDS, Instance, Standing
from tests.chaos.world import SERVED, SESSION_TIMEOUT_S, World

ZOMBIE_S = SESSION_TIMEOUT_S + 3.0
"""Longer than a session: its partitions have new owners when it goes on."""
STORE_AWAY_S = 15.0
"""At most: readers wait for a store for two minutes before a page fails as retryable, finished documents for as long as it takes."""
SLOW_S = 8.0
"""Of a slow answer. A long run has one that is slower than `max.poll.interval.ms` (300 s) besides."""
STATE_FULL_S = 5.0
"""Of a state folder without room: for any time nothing may be lost, this is for the run not to take long."""
BROKER_FULL_S = 5.0
"""A broker that cannot write its log ends by itself, as soon as there is something to write; one that had nothing is killed then."""
ENGINE_STOPPED_S = 4.0
ENGINE_PROCESS = "inference.engines.child_main"
MOST = 5
"""Instances of a kind at most."""
SLOW_REQUESTS = 3
POISONED = (topics.CONTROL, topics.RANGES, topics.RANGES_EXPRESS, topics.WINDOWS, topics.WINDOWS_EXPRESS, topics.EVENTS)
"""Topics that a stage reads and on which anything but an event costs one dead letter."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A fault that began. It lasts `lasts_s` seconds until `heal`; `poisoned` is the topic that got a record that is none."""

    name: str
    detail: str
    lasts_s: float = 0.0
    heal: Callable[[], None] | None = None
    poisoned: str = ""


Begin = Callable[[World, random.Random], Begun | None]
"""Begins a fault; None where it cannot be now."""


def _victim(world: World, dice: random.Random, kind: str | None = None) -> Instance | None:
    """One of the running instances of a kind that has enough of them."""
    kinds = [k for k in KINDS if kind in (None, k) and len(world.fleet.running(k)) > world.fleet.left]
    return dice.choice(world.fleet.running(dice.choice(kinds))) if kinds else None


def kill(world: World, dice: random.Random) -> Begun | None:
    """SIGKILL."""
    victim = _victim(world, dice)
    if victim is None:
        return None
    victim.send(signal.SIGKILL, Standing.ENDING)
    return Begun("kill", victim.name)


def terminate(world: World, dice: random.Random) -> Begun | None:
    """SIGTERM."""
    victim = _victim(world, dice)
    if victim is None:
        return None
    victim.send(signal.SIGTERM, Standing.ENDING)
    return Begun("terminate", victim.name)


def zombie(world: World, dice: random.Random) -> Begun | None:
    """SIGSTOP for longer than a session, then SIGCONT."""
    victim = _victim(world, dice)
    if victim is None:
        return None
    victim.send(signal.SIGSTOP, Standing.STOPPED)
    return Begun("zombie", victim.name, ZOMBIE_S, lambda: victim.send(signal.SIGCONT, Standing.RUNNING))


def add(world: World, dice: random.Random) -> Begun | None:
    """One more instance."""
    kinds = [kind for kind in KINDS if len(world.fleet.running(kind)) < MOST]
    return Begun("add", world.fleet.add(dice.choice(kinds)).name) if kinds else None


def remove(world: World, dice: random.Random) -> Begun | None:
    """One instance less, for good."""
    kinds = [kind for kind in KINDS if len(world.fleet.running(kind)) > world.fleet.left + 1]
    victim = _victim(world, dice, dice.choice(kinds)) if kinds else None
    if victim is None:
        return None
    victim.send(signal.SIGTERM, Standing.REMOVED)
    return Begun("remove", victim.name)


def broker_killed(world: World, dice: random.Random) -> Begun | None:
    """The broker's process is killed and started again."""
    world.broker.kill()
    world.restart_broker()
    return Begun("broker-killed", "")


def broker_restarted(world: World, dice: random.Random) -> Begun | None:
    """The broker stops in order and is started again."""
    world.broker.stop()
    world.restart_broker()
    return Begun("broker-restarted", "")


def model_killed(world: World, dice: random.Random) -> Begun | None:
    """The model server is killed and comes back after a while."""
    world.model.kill()
    return Begun("model-killed", "", dice.uniform(0.0, 3.0), world.model.start)


def model_hangs(world: World, dice: random.Random) -> Begun | None:
    """The model server answers nothing for a while."""
    seconds = dice.uniform(3.0, 12.0)
    if world.model.in_flight() is None:
        return None
    world.model.order(hang_s=seconds)
    return Begun("model-hangs", f"{seconds:.1f} s", seconds, lambda: None)


def model_slow(world: World, dice: random.Random) -> Begun | None:
    """Some requests take long, the others do not."""
    if world.model.in_flight() is None:
        return None
    world.model.order(slow=[SLOW_S] * SLOW_REQUESTS)
    return Begun("model-slow", f"{SLOW_REQUESTS} answers in {SLOW_S:g} s", SLOW_S, lambda: None)


def store_away(world: World, dice: random.Random) -> Begun | None:
    """Every access to the blob store is an error."""
    world.store.go_away()
    return Begun("store-away", "", dice.uniform(0.5, STORE_AWAY_S), world.store.come_back)


def store_full(world: World, dice: random.Random) -> Begun | None:
    """No blob can be written."""
    if not world.store.disk.can_be_full:
        return None
    world.store.disk.fill()
    return Begun("store-full", "", dice.uniform(0.5, STORE_AWAY_S), world.store.disk.empty)


def state_full(world: World, dice: random.Random) -> Begun | None:
    """No worker can write what it keeps on its own disk: the index, the attempts of recognition."""
    if not world.state.can_be_full:
        return None
    world.state.fill()
    return Begun("state-full", "", dice.uniform(0.5, STATE_FULL_S), world.state.empty)


def broker_full(world: World, dice: random.Random) -> Begun | None:
    """The broker's disk is full; it ends, is given room, and started again."""
    if not world.log.can_be_full:
        return None
    world.log.fill()
    had_ended = world.broker.await_end(BROKER_FULL_S)
    world.broker.kill()
    world.log.empty()
    world.restart_broker()
    return Begun("broker-full", "it ended" if had_ended else "it was killed")


def _engine_process(world: World, dice: random.Random) -> tuple[Instance, psutil.Process] | None:
    """One of the engine processes of the running infer workers."""
    found = []
    for instance in world.fleet.running("infer"):
        try:
            found += [(instance, child) for child in psutil.Process(instance.process.pid).children() if ENGINE_PROCESS in child.cmdline()]
        except psutil.Error:
            continue  # ended meanwhile
    return dice.choice(found) if found else None


def engine_killed(world: World, dice: random.Random) -> Begun | None:
    """SIGKILL to an engine's process, in the middle of a page or not."""
    found = _engine_process(world, dice)
    if found is None:
        return None
    found[1].kill()
    return Begun("engine-killed", f"of {found[0].name}")


def engine_hangs(world: World, dice: random.Random) -> Begun | None:
    """An engine's process stands still for a while."""
    found = _engine_process(world, dice)
    if found is None:
        return None

    def go_on() -> None:
        with contextlib.suppress(psutil.NoSuchProcess):  # its worker ended meanwhile, and it with it
            found[1].resume()

    found[1].suspend()
    return Begun("engine-hangs", f"of {found[0].name}", dice.uniform(1.0, ENGINE_STOPPED_S), go_on)


def poison(world: World, dice: random.Random) -> Begun | None:
    """A record of noise on a topic of events."""
    topic = dice.choice(POISONED).name
    return Begun("poison", topic, poisoned=topic)


FAULTS: dict[str, tuple[float, Begin]] = {
    "kill": (5.0, kill),
    "terminate": (2.5, terminate),
    "zombie": (2.0, zombie),
    "add": (1.0, add),
    "remove": (1.0, remove),
    "broker-killed": (0.35, broker_killed),
    "broker-restarted": (0.25, broker_restarted),
    "model-killed": (1.0, model_killed),
    "model-hangs": (0.8, model_hangs),
    "model-slow": (0.8, model_slow),
    "store-away": (1.0, store_away),
    "store-full": (1.0, store_full),
    "poison": (1.0, poison),
    "state-full": (1.0, state_full),
    "broker-full": (0.2, broker_full),
    "engine-killed": (2.0, engine_killed),
    "engine-hangs": (1.0, engine_hangs),
}
"""Name → (how often, how it begins)."""
OF_SERVED = frozenset({"model-killed", "model-hangs", "model-slow"})
OF_EMBEDDED = frozenset({"engine-killed", "engine-hangs"})
STORE_HURT = frozenset({"store-away", "store-full"})
EXCLUSIVE = (STORE_HURT | {"broker-killed", "broker-restarted", "broker-full"}, OF_SERVED)
"""Of each of these, one at a time. A broker is waited for: a store that is away meanwhile would be away for longer than readers wait."""


def names_for(engine: str) -> tuple[str, ...]:
    """The faults that a run with an engine can have."""
    others = OF_EMBEDDED if engine == SERVED else OF_SERVED
    return tuple(name for name in FAULTS if name not in others)


def draw(dice: random.Random, names: Sequence[str]) -> str:
    """The name of the next fault, one of `names`."""
    return dice.choices(names, tuple(FAULTS[name][0] for name in names))[0]
