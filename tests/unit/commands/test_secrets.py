"""Secrets of the settings: not in their representation, not in errors, not in what the commands and logs print."""

import logging

import msgspec
import pytest
import structlog

from streams import doctor
from streams.agents.driver import credentials_of
from streams.kafka.clients import common_config
from streams.kafka.errors import ClientSettingsError
from streams.loading import environment_of, load_settings
from streams.settings import SECRETS, Settings, SettingsError

SUSPICIOUS = ("key", "token", "password", "secret", "auth", "security", "credential")


def filled(**more: object) -> Settings:
    """Settings whose every text holds a secret, where people put them."""
    values: dict[str, object] = dict.fromkeys(SECRETS, "HIDDEN")
    values |= {"kafka_security": {"sasl.password": "HIDDEN", "ssl.key.password": "HIDDEN"}}
    urls = [f.name for f in msgspec.structs.fields(Settings) if f.name.endswith("_url")]
    values |= dict.fromkeys(urls, "https://user:HIDDEN@host.example/path?key=HIDDEN")
    values["uri_roots"] = "https://a/b, https://user:HIDDEN@c/d"
    return Settings(**values | more)  # type: ignore[arg-type]


def test_every_setting_that_sounds_like_a_secret_is_one() -> None:
    names = {field.name for field in msgspec.structs.fields(Settings)}
    assert {name for name in names if any(word in name.split("_") for word in SUSPICIOUS)} <= set(SECRETS)
    assert set(SECRETS) <= names


def test_a_representation_shows_none() -> None:
    shown = repr(filled())
    assert "HIDDEN" not in shown
    assert "host.example/path" in shown
    assert "sasl.password" in shown, "which properties are set is no secret"


def test_errors_show_none() -> None:
    for environment in (
        {"PAGELOOM_KAFKA_SECURITY": "HIDDEN"},
        {"PAGELOOM_KAFKA_SECURITY": '{"sasl.password": ["HIDDEN"]}'},
        {"PAGELOOM_PARTITIONS": "HIDDEN"},
        {"PAGELOOM_LOG_JSON": "HIDDEN"},
        {"PAGELOOM_ENGINE_API_KEYS": "HIDDEN"},
    ):
        with pytest.raises(SettingsError) as caught:
            load_settings(environment)
        assert "HIDDEN" not in str(caught.value)


def test_clients_refuse_without_quoting() -> None:
    with pytest.raises(ClientSettingsError) as caught:
        common_config("b:1", "c", {"acks": "HIDDEN"})
    assert "HIDDEN" not in str(caught.value)
    assert "HIDDEN" not in repr(credentials_of({"security.protocol": "SASL_PLAINTEXT", "sasl.username": "u", "sasl.password": "HIDDEN"}))


def test_logs_show_none(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.get_logger(__name__).info("worker.started", settings=filled())
    logging.getLogger(__name__).warning("started with %s", filled())
    captured = capsys.readouterr()
    assert "HIDDEN" not in captured.out + captured.err


def test_doctor_shows_none(tmp_path: object) -> None:
    # Nothing is reachable: what it says of that is what people paste into tickets.
    found = doctor.examine(
        filled(data_dir=str(tmp_path), blob_url="memory://user:HIDDEN@blobs", bootstrap_servers="127.0.0.1:1", kafka_security={}), {}
    )
    assert found
    assert "HIDDEN" not in "\n".join(f"{finding.subject} {finding.state} {finding.next_step}" for finding in found)


def test_secrets_reach_the_workers() -> None:
    made = filled()
    assert load_settings(environment_of(made)) == made
