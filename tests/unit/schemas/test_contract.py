"""Ids, errors, blobs, settings and topics: the small tables and functions that every stage relies on."""

import hashlib
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import codec
from schemas.blobs import BlobStore, recognized_name
from schemas.content import BlobReference
from schemas.errors import RULES, Code, PageloomError, Stage
from schemas.identity import Submission, document_id_of, path_name, revision_of
from streams.loading import environment_of, load_settings
from streams.settings import Settings, SettingsError
from streams.topics import TOPICS

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=1, appended_ms=1000)


def test_every_code_has_a_rule_and_survives_pickling() -> None:
    assert set(RULES) == set(Code)
    error = pickle.loads(pickle.dumps(PageloomError(Code.CORRUPT, "a.pdf: damaged")))
    assert (error.code, str(error)) == (Code.CORRUPT, "a.pdf: damaged")
    assert error.failure(Stage.OPEN).message == f"a.pdf: damaged; {RULES[Code.CORRUPT].next_step}"


def test_steps_say_what_a_person_can_do() -> None:
    """Of a locked file nothing said how a password is given; of a deadline three settings were named, whichever it was."""
    assert "--password-file" in RULES[Code.ENCRYPTED].next_step
    assert "_timeout_s" not in RULES[Code.TIMED_OUT].next_step


@pytest.mark.parametrize("key", [b"\xff", b"a\nb", b"x" * 513])
def test_bad_keys_are_refused(key: bytes) -> None:
    with pytest.raises(ValueError, match="document id"):
        document_id_of(key, "hash")


def test_id_is_the_key_or_the_content_hash() -> None:
    assert document_id_of("Ä-1".encode(), "hash") == "Ä-1"
    assert document_id_of(None, "hash") == document_id_of(b"", "hash") == "hash"


@given(st.integers(0, 2**42), st.one_of(st.none(), st.integers(0, 2**52)))
def test_revisions_only_grow(appended_ms: int, last: int | None) -> None:
    revision = revision_of(Submission(topic="t", partition=0, offset=0, appended_ms=appended_ms), last)
    assert last is None or revision > last
    assert revision < 2**53


def test_blobs_round_trip_and_are_checked(tmp_path: Path) -> None:
    store = BlobStore(tmp_path.as_uri())
    reference = store.put_shared(b"abc", ".pdf")
    assert reference == store.put_shared(b"abc", ".pdf")
    assert store.get(reference, 10) == b"abc"
    assert store.local_path(reference, tmp_path / "cache", 10).read_bytes() == b"abc"
    store.put_recognized("ab12", b"text")
    assert store.find(recognized_name("ab12"), 10) == b"text"
    assert store.find(recognized_name("ffff"), 10) is None
    run = store.put_run("my/../doc", SUBMISSION, "page-1.png", b"png")
    assert path_name("my/../doc") in run.name
    store.delete_run("my/../doc")
    store.delete_run("my/../doc")
    with pytest.raises(PageloomError) as missing:
        store.get(run, 10)
    assert missing.value.code is Code.BLOB_MISSING
    assert not list(tmp_path.rglob(".aside-*"))


@pytest.mark.parametrize("name", ["../secret", "shared/../../x", "/etc/passwd", "shared//a", "shared/.git", "other/a", "shared/a\n", ""])
def test_a_reference_never_leaves_the_store(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_bytes(b"x")
    store = BlobStore((tmp_path / "store").as_uri())
    with pytest.raises(PageloomError):
        store.get(BlobReference(name=name, size_bytes=1, sha256=hashlib.sha256(b"x").hexdigest()), 10)


def test_a_blob_that_is_not_what_its_reference_says_is_refused(tmp_path: Path) -> None:
    store = BlobStore(tmp_path.as_uri())
    reference = store.put_shared(b"abc")
    (tmp_path / reference.name).write_bytes(b"abd")
    with pytest.raises(PageloomError, match="not what its reference says"):
        store.get(reference, 10)
    with pytest.raises(PageloomError) as large:
        store.get(reference, 2)
    assert large.value.code is Code.TOO_LARGE


def test_blobs_on_another_file_system_than_a_folder(tmp_path: Path) -> None:
    store = BlobStore("memory://blobs")
    reference = store.put_shared(b"abc")
    assert store.get(reference, 10) == b"abc"
    assert store.local_path(reference, tmp_path, 10).read_bytes() == b"abc"


def test_settings_from_file_environment_and_overrides(tmp_path: Path) -> None:
    file = tmp_path / "pageloom.toml"
    file.write_text('partitions = 8\nengine = "tesseract"\n')
    environment = {
        "PAGELOOM_SETTINGS": str(file),
        "PAGELOOM_PARTITIONS": "6",
        "PAGELOOM_KAFKA_SECURITY": '{"sasl.password": "geheim"}',
        "HOME": "/",
    }
    settings = load_settings(environment, data_dir=str(tmp_path))
    assert (settings.partitions, settings.engine, settings.data_path) == (6, "tesseract", tmp_path)
    assert "geheim" not in repr(settings)


def test_settings_travel_to_another_process() -> None:
    settings = Settings(partitions=3, log_json=True, kafka_security={"sasl.username": "a"}, batch_wait_s=0.5, bootstrap_servers="b:1")
    assert load_settings(environment_of(settings)) == settings


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"PAGELOOM_PARTITION": "1"}, "environment: PAGELOOM_PARTITION is no setting of Pageloom"),
        ({"PAGELOOM_PARTITIONS": "many"}, "environment: PAGELOOM_PARTITIONS is no whole number"),
        ({"PAGELOOM_LAYOUT": "perhaps"}, "environment: PAGELOOM_LAYOUT is neither true nor false"),
        ({"PAGELOOM_SETTINGS": "/nowhere"}, "settings file /nowhere cannot be read: No such file or directory"),
        ({"PAGELOOM_KAFKA_SECURITY": "geheim"}, "environment: PAGELOOM_KAFKA_SECURITY is no table of texts (in the environment: no JSON object)"),
    ],
)
def test_a_wrong_setting_is_named_in_the_words_of_a_person(environment: dict[str, str], says: str) -> None:
    """Types were told in the words of a library: "Expected `int`, got `str` - at `$.partitions`"."""
    with pytest.raises(SettingsError, match=re.escape(says)) as refused:
        load_settings(environment)
    assert "geheim" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"partitions = 'x'", ": partitions is no whole number"),
        (b"opensearch_password = 4711", ": opensearch_password is no text"),
        (b"kafka_security = {'sasl.password' = 4711}", ": kafka_security is no table of texts"),
        (b"log_level = '\xff'", "codec can't decode"),
        (b"log_level", "Expected '='"),
    ],
)
def test_a_wrong_settings_file_is_named_and_no_secret_of_it(tmp_path: Path, content: bytes, says: str) -> None:
    """One that is no UTF-8 ended in a traceback."""
    (tmp_path / "wrong.toml").write_bytes(content)
    with pytest.raises(SettingsError, match=f"settings file {re.escape(str(tmp_path))}/wrong.toml.*{re.escape(says)}") as refused:
        load_settings({}, tmp_path / "wrong.toml")
    assert "4711" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("partitions", "0"),
        ("max_message_bytes", "5"),
        ("read_processes", "-1"),
        ("page_timeout_s", "nan"),
        ("document_timeout_s", "inf"),
        ("low_confidence", "1.5"),
        ("log_level", "loud"),
    ],
)
def test_a_setting_that_nothing_works_with_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        load_settings({f"PAGELOOM_{name.upper()}": value})


def test_a_blob_store_that_cannot_be_opened_is_an_error_without_its_url() -> None:
    with pytest.raises(PageloomError) as refused:
        BlobStore("nope://user:geheim@host/x")
    assert refused.value.code is Code.STORE_UNAVAILABLE
    assert "geheim" not in str(refused.value)


def test_topics_and_schemas_name_the_same_events() -> None:
    named = {event for topic in TOPICS for event in topic.events}
    assert named | {"PageContent"} == set(codec.event_names())
    assert len({topic.name for topic in TOPICS}) == len(TOPICS)
    assert Settings().max_message_bytes >= Settings().inline_document_bytes
