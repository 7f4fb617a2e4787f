"""What the embedded broker is told: server properties, logging, and the JVM's command line. Pure: values in, text out.

One node that is broker and controller, on 127.0.0.1 alone. Sized for one machine and one user, not for a cluster.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

MIB = 2**20
NODE_ID = 1

LOGGING = """\
status = error
appender.f.type = RollingFile
appender.f.name = F
appender.f.fileName = ${sys:kafka.logfile}
appender.f.filePattern = ${sys:kafka.logfile}.%i
appender.f.layout.type = PatternLayout
appender.f.layout.pattern = [%d] %p %m (%c)%n
appender.f.policies.type = SizeBasedTriggeringPolicy
appender.f.policies.size = 10MB
appender.f.strategy.type = DefaultRolloverStrategy
appender.f.strategy.max = 2
rootLogger.level = WARN
rootLogger.appenderRef.f.ref = F
logger.s.name = kafka.server.KafkaRaftServer
logger.s.level = INFO
"""


def server_properties(data_dir: Path, port: int, controller_port: int, max_message_bytes: int, overrides: Mapping[str, str]) -> str:
    """Text of `server.properties` for a node whose log lies in `data_dir`/data; `overrides` win."""
    listeners = f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}"
    properties: dict[str, str | int] = {
        "process.roles": "broker,controller",
        "node.id": NODE_ID,
        "listeners": listeners,
        "advertised.listeners": listeners,
        "controller.listener.names": "CONTROLLER",
        "inter.broker.listener.name": "PLAINTEXT",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        # A static quorum of one voter: its address may change at every start, a dynamic one remembers ports.
        "controller.quorum.voters": f"{NODE_ID}@127.0.0.1:{controller_port}",
        "log.dirs": str(data_dir / "data"),
        # Topics made by accident would have CreateTime and one partition.
        "auto.create.topics.enable": "false",
        "default.replication.factor": 1,
        "min.insync.replicas": 1,
        "offsets.topic.replication.factor": 1,
        "offsets.topic.num.partitions": 4,
        "transaction.state.log.replication.factor": 1,
        "transaction.state.log.min.isr": 1,
        "transaction.state.log.num.partitions": 4,
        "share.coordinator.state.topic.replication.factor": 1,
        "share.coordinator.state.topic.min.isr": 1,
        "share.coordinator.state.topic.num.partitions": 1,
        # Nobody to wait for: all members of a group are on this machine.
        "group.initial.rebalance.delay.ms": 0,
        "group.min.session.timeout.ms": 1000,
        # A dead writer's transaction hides what follows it: look for expired ones every second, not every ten.
        "transaction.abort.timed.out.transaction.cleanup.interval.ms": 1000,
        "message.max.bytes": max_message_bytes,
        "replica.fetch.max.bytes": max_message_bytes,
        "num.network.threads": 2,
        "num.io.threads": 4,
        "background.threads": 2,
        "num.recovery.threads.per.data.dir": 2,
        # The default of 128 MB would take a quarter of the heap.
        "log.cleaner.dedupe.buffer.size": 8 * MIB,
        # A broker that was killed is still registered until its session ends: restart in 4 s instead of 12.
        "broker.session.timeout.ms": 2000,
        "broker.heartbeat.interval.ms": 300,
        # An idle controller writes a record that says nothing, by default twice a second, for followers that this one has not: 1 % of a core.
        "metadata.max.idle.interval.ms": 10_000,
    }
    return "".join(f"{name}={value}\n" for name, value in {**properties, **overrides}.items())


def java_command(java: Path, jars: Sequence[Path], data_dir: Path, heap_mib: int, main_class: str, options: Sequence[str] = ()) -> list[str]:
    """The command line up to and including the main class; `options` are further ones for the JVM.

    C1 alone (TieredStopAtLevel=1) halves the CPU of start (8 s to 4.5 s) and of work (2.6 s to 1.5 s for 20,000 records, 200 transactions and
    30 MB of large messages, third round in one process): the optimizing compiler never pays back on a broker this idle. Nor does waiting for a
    method's 200th call before it is compiled: at a fifth of all thresholds, 100 documents of three transactions each take 15 to 20 % less CPU, start
    included, and from the second dozen on 30 to 40 % less; at a tenth, what the compiler takes at the start eats the rest. Costs 5 MB.
    """
    return [
        str(java),
        *options,
        "-Xms64m",
        f"-Xmx{heap_mib}m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:CompileThresholdScaling=0.2",
        "-XX:-UsePerfData",
        "-XX:+ExitOnOutOfMemoryError",
        "-Djava.awt.headless=true",
        f"-Djava.io.tmpdir={data_dir / 'tmp'}",
        f"-Dkafka.logfile={data_dir / 'kafka.log'}",
        f"-Dlog4j2.configurationFile={(data_dir / 'log4j2.properties').as_uri()}",
        "-cp",
        os.pathsep.join(str(jar) for jar in jars),
        main_class,
    ]
