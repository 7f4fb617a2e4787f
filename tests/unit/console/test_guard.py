"""Who may ask, and who may not: hosts, origins, sites and tokens."""

import pytest

from streams.console.serving import access_of, bound, is_loopback
from streams.console.web.guard import COOKIE, Access, refusal
from streams.loading import load_settings
from streams.settings import SettingsError
from tests.unit.console.fakes import FakePipeline
from tests.unit.console.test_server import client_of

HOST = {"host": "127.0.0.1:8470"}


def status(headers: dict[str, str], method: str = "GET", path: str = "/api/search", access: Access | None = None) -> int:
    refused = refusal(access or Access(), method, path, headers)
    return refused[0] if refused else 200


@pytest.mark.parametrize("host", ["127.0.0.1:8470", "localhost:8470", "LOCALHOST", "[::1]:8470", "192.168.1.5:8470", "pages.example:8470"])
def test_own_names_and_addresses_may_be_asked(host: str) -> None:
    assert status({"host": host}, access=Access(hosts=frozenset({"pages.example"}))) == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8470", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::1", "127.0.0.1@evil.example"]
)
def test_a_name_that_somebody_pointed_here_is_refused(host: str) -> None:
    assert status({"host": host}) == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://127.0.0.1", "https://localhost:8470"])
def test_another_origin_is_refused_whatever_it_asks(origin: str) -> None:
    assert status({**HOST, "origin": origin}, "POST") == 403
    assert status({**HOST, "origin": origin}, "GET") == 403


def test_the_own_origin_and_programs_without_one_may_ask() -> None:
    assert status({**HOST, "origin": "http://127.0.0.1:8470"}, "POST") == 200
    assert status(HOST, "POST") == 200


def test_another_site_may_only_lead_to_the_page() -> None:
    foreign = {**HOST, "sec-fetch-site": "cross-site"}
    assert status(foreign) == 403
    assert status({**foreign, "sec-fetch-mode": "navigate"}, path="/api/documents/x/download/json") == 403
    assert status({**foreign, "sec-fetch-mode": "navigate"}, path="/") == 200
    assert status({**foreign, "sec-fetch-mode": "navigate"}, "POST", "/") == 403
    assert status({**HOST, "sec-fetch-site": "same-site"}) == 403  # another port of this machine
    assert status({**HOST, "sec-fetch-site": "same-origin"}) == 200


def test_without_the_token_nothing_is_told() -> None:
    access = Access(token="s3cret")
    with client_of(FakePipeline(), access) as client:
        for path in ("/", "/static/js/main.js", "/api/about", "/api/events", "/?token=wrong", "/api/about?token=s3cret"):
            assert client.get(path).status_code == 401, path
        assert client.get("/api/about", headers={"authorization": "Bearer s3cret"}).status_code == 200
        assert client.get("/api/about", headers={"authorization": "Bearer wrong"}).status_code == 401
        assert client.get("/api/about", headers={"cookie": f"{COOKIE}=s3cret"}).status_code == 401


def test_the_address_with_the_token_opens_the_page_for_good_and_leaves_the_address() -> None:
    with client_of(FakePipeline(), Access(token="s3cret")) as client:
        answer = client.get("/?token=s3cret", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        cookie = answer.headers["set-cookie"]
        assert "s3cret" not in cookie
        assert {"httponly", "samesite=strict"} <= {part.strip().lower() for part in cookie.split(";")}
        assert client.get("/api/about").status_code == 200


def test_refusals_carry_the_policy_too() -> None:
    with client_of(FakePipeline()) as client:
        answer = client.get("/", headers={"host": "evil.example"})
        assert (answer.status_code, "default-src 'none'" in answer.headers["content-security-policy"]) == (421, True)


def test_beyond_loopback_there_is_always_a_token() -> None:
    assert access_of(load_settings({}), "127.0.0.1", "made").token == ""
    assert access_of(load_settings({}), "0.0.0.0", "made").token == "made"
    assert access_of(load_settings({}, console_token="mine"), "0.0.0.0", "made").token == "mine"
    assert access_of(load_settings({}, console_token="mine"), "127.0.0.1", "made").token == "mine"
    assert {"a.example", "b.example"} <= access_of(load_settings({}, console_hosts="A.example, b.example,"), "::", "made").hosts


@pytest.mark.parametrize(
    ("address", "loopback"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("0.0.0.0", False), ("::", False), ("10.0.0.1", False), ("name", False)],
)
def test_loopback_is_told_by_the_address_that_was_bound(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback


def test_a_port_that_is_taken_is_an_error_or_another_port() -> None:
    with bound(load_settings({}, console_port=0)) as first:
        taken = load_settings({}, console_port=first.getsockname()[1])
        with pytest.raises(SettingsError, match="PAGELOOM_CONSOLE_PORT"):
            bound(taken)
        with bound(taken, any_port=True) as second:
            assert second.getsockname()[1] != first.getsockname()[1]


def test_the_token_is_never_shown() -> None:
    assert "hush" not in repr(load_settings({}, console_token="hush"))
