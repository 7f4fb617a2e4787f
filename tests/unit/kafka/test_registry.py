"""The registry's client: what it says is checked, and trouble that passes is waited for."""

from collections.abc import Iterator

import pytest

from streams.kafka import registry as registry_module
from streams.kafka.errors import RegistryError
from streams.kafka.registry import MAX_ANSWER_BYTES, SchemaRegistry
from tests.unit.kafka.scripted_registry import ScriptedRegistry, running_registry

SCHEMA = '{"type": "record", "name": "A", "fields": []}'


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedRegistry]:
    monkeypatch.setattr(registry_module, "RETRY_PAUSE_S", 0.01)
    with running_registry() as running:
        yield running


def test_a_schema_is_registered_and_given_back(scripted: ScriptedRegistry) -> None:
    client = SchemaRegistry(scripted.url + "/", "user:pass word")
    assert client.register("a/b-value", SCHEMA) == client.register("a/b-value", SCHEMA) == 1
    assert client.schema_of(1) == SCHEMA
    assert client.schema_of(2) is None
    assert scripted.asked[0] == ("POST", "/subjects/a%2Fb-value/versions", "Basic dXNlcjpwYXNzIHdvcmQ=")
    client.close()


@pytest.mark.parametrize("fault", [500, 503, 429, 408, None, b"no JSON", b"[1]", b"x" * (MAX_ANSWER_BYTES + 1)])
def test_trouble_that_passes_is_waited_for(scripted: ScriptedRegistry, fault: int | bytes | None) -> None:
    scripted.faults = [fault, fault]
    assert SchemaRegistry(scripted.url).register("s", SCHEMA) == 1


def test_trouble_that_stays_is_an_error(scripted: ScriptedRegistry) -> None:
    scripted.faults = [500] * 1000
    with pytest.raises(RegistryError, match=r"did not answer within 0\.05 s"):
        SchemaRegistry(scripted.url, "user:hidden", patience_s=0.05).schema_of(1)
    with pytest.raises(RegistryError, match="check that it runs"):
        SchemaRegistry("http://127.0.0.1:1", "user:hidden", patience_s=0.05).schema_of(1)


@pytest.mark.parametrize("fault", [409, 422, 401, 403, b'{"id": "7"}', b'{"id": true}', b'{"id": -1}', b'{"id": 4294967296}', b"{}"])
def test_a_refusal_is_not_tried_again(scripted: ScriptedRegistry, fault: int | bytes) -> None:
    scripted.faults = [fault]
    with pytest.raises(RegistryError, match="does not take the schema of s"):
        SchemaRegistry(scripted.url).register("s", SCHEMA)
    assert len(scripted.asked) == 1


@pytest.mark.parametrize("fault", [b'{"schema": 7}', b"{}", 401])
def test_an_answer_without_a_schema_is_an_error(scripted: ScriptedRegistry, fault: int | bytes) -> None:
    scripted.faults = [fault]
    with pytest.raises(RegistryError):
        SchemaRegistry(scripted.url).schema_of(1)


@pytest.mark.parametrize("fault", [b'{"schema": "{}", "schemaType": "JSON"}', b'{"schema": "{}", "references": [{"name": "x"}]}'])
def test_schemas_of_other_kinds_are_none_of_ours(scripted: ScriptedRegistry, fault: bytes) -> None:
    scripted.faults = [fault]
    assert SchemaRegistry(scripted.url).schema_of(1) is None


@pytest.mark.parametrize("url", ["", "registry:8081", "ftp://registry", "http://user:hidden@registry:8081"])
def test_urls_that_are_none_or_hold_a_secret(url: str) -> None:
    with pytest.raises(RegistryError) as caught:
        SchemaRegistry(url)
    assert "hidden" not in str(caught.value)


def test_certificates_that_cannot_be_read(scripted: ScriptedRegistry) -> None:
    with pytest.raises(RegistryError, match="schema_registry_ca"):
        SchemaRegistry(scripted.url.replace("http:", "https:"), ca_file="/nowhere.pem").schema_of(1)
