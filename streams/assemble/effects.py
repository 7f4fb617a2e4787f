"""What assembly decides, as the runtime writes it: steps of documents and refused records become `Effects`. Logs how documents and records end."""

from collections.abc import Iterable

import structlog

from schemas.codec import encode
from schemas.errors import PageloomError, Stage
from schemas.events import DocumentFailed
from streams import topics
from streams.assemble.state.steps import Output
from streams.kafka.logic import NOTHING, Effects, StateChange
from streams.kafka.records import OutputRecord, Record
from streams.letters import dead_letter

log = structlog.get_logger(__name__)


def refused(record: Record, error: PageloomError) -> Effects:
    """A record that assembly cannot use, as a dead letter."""
    log.warning("assemble.dead_letter", topic=record.topic, partition=record.partition, offset=record.offset, code=error.code.value, error=str(error))
    return Effects((), [dead_letter(record, Stage.ASSEMBLE, error, keep_value=True)])


def effects_of(document_id: str, state: Iterable[StateChange], outputs: Iterable[Output]) -> Effects:
    """What one step did to a document: its entries on the changelog and its records for other topics."""
    records, urgent = [], False
    for output in outputs:
        # Pages and progress may share a transaction with what follows; how a document ended is waited for.
        urgent |= output.topic is not topics.PROGRESS
        if isinstance(output.value, DocumentFailed):
            log.info("assemble.document_failed", document_id=document_id, submission=output.value.submission.id, code=output.value.failure.code.value)
        records.append(output_record(document_id, output))
    return Effects(list(state), records, urgent)


def output_record(document_id: str, output: Output) -> OutputRecord:
    """A record under its document's key, so that all of a document keep their order."""
    value = output.value
    data = value if value is None or isinstance(value, bytes) else encode(value)
    return OutputRecord(output.topic.name, document_id.encode(), data, output.headers)


def together(effects: list[Effects]) -> Effects:
    """Effects in their order as one, so that they are committed together."""
    some = [one for one in effects if one]
    if len(some) <= 1:
        return some[0] if some else NOTHING
    changes = [change for one in some for change in one.state]
    return Effects(changes, [record for one in some for record in one.outputs], any(one.urgent for one in some))
