"""Submissions by URI: what may be fetched, decided on its text and on addresses."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import Code, PageloomError
from streams.ingest.uris import allowed, check_address, filename_in, parse_roots, shown

ROOTS = parse_roots("https://files.example.org/reports/, http://files.example.org:8080, s3://bucket/inbox/, file:///srv/inbox")


@pytest.mark.parametrize(
    "uri",
    [
        "https://files.example.org/reports/2026/a.pdf",
        "https://FILES.example.org:443/reports/a%20b.pdf?signature=1#page=2",
        "https://files.example.org./reports/a.pdf",
        "http://files.example.org:8080/anything",
        "s3://bucket/inbox/a.pdf",
        "file:///srv/inbox/a.pdf",
        "file://localhost/srv/inbox/a.pdf",
        "file:///srv/inb%6Fx/a.pdf",
    ],
)
def test_what_is_below_a_root_is_allowed(uri: str) -> None:
    location, root = allowed(uri, ROOTS)
    assert location.uri == uri
    assert root in ROOTS


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("https://files.example.org/other/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://files.example.org/reports-of-others/a.pdf", Code.URI_NOT_ALLOWED),
        ("http://files.example.org/reports/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://files.example.org:444/reports/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://files.example.org.evil.example/reports/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://user:pw@files.example.org/reports/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://files.example.org@evil.example/reports/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://evil.example\\@files.example.org/reports/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://files.example.org/reports/../other/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://files.example.org/reports/%2e%2e/other/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://files.example.org/reports/..%2fother/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://files.example.org/reports/%252e%252e/other", Code.URI_NOT_ALLOWED),
        ("https://files.example.org//reports/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://files.example.org/reports/a\r\nHost: evil", Code.URI_NOT_ALLOWED),
        ("https://files.example.org:99999/reports/a.pdf", Code.URI_NOT_ALLOWED),
        ("https://[::1/reports/a.pdf", Code.URI_NOT_ALLOWED),
        ("s3://bucket/other/a.pdf", Code.URI_NOT_ALLOWED),
        ("s3://bucket/inbox/a.pdf::file:///etc/passwd", Code.URI_NOT_ALLOWED),
        ("s3://bucket:80/inbox/a.pdf", Code.URI_NOT_ALLOWED),
        ("file:///etc/passwd", Code.URI_NOT_ALLOWED),
        ("file:///srv/inbox/../../etc/passwd", Code.URI_NOT_ALLOWED),
        ("file:///srv/inbox/%00", Code.URI_NOT_ALLOWED),
        ("file://other/srv/inbox/a.pdf", Code.URI_NOT_ALLOWED),
        ("file:srv/inbox/a.pdf", Code.URI_NOT_ALLOWED),
        ("gopher://files.example.org/reports/a.pdf", Code.URI_NOT_SUPPORTED),
        ("simplecache::s3://bucket/inbox/a.pdf", Code.URI_NOT_SUPPORTED),
        ("javascript:alert(1)", Code.URI_NOT_SUPPORTED),
        ("/srv/inbox/a.pdf", Code.URI_NOT_SUPPORTED),
        ("", Code.URI_NOT_SUPPORTED),
        ("https://files.example.org/reports/" + "a" * 9000, Code.URI_NOT_ALLOWED),
        ("https://files.example.org/reports/\u2025/a.pdf", Code.URI_NOT_ALLOWED),
    ],
)
def test_everything_else_is_not(uri: str, code: Code) -> None:
    with pytest.raises(PageloomError) as caught:
        allowed(uri, ROOTS)
    assert caught.value.code is code


def test_nothing_is_allowed_by_default() -> None:
    with pytest.raises(PageloomError, match="uri_roots") as caught:
        allowed("https://files.example.org/a.pdf", parse_roots(""))
    assert caught.value.code is Code.URI_NOT_ALLOWED


@pytest.mark.parametrize("root", ["file:///", "ftp://host/", "https://host/a/../b", "https://user:pw@host/", "https://", "https://host/?q=1"])
def test_roots_that_nobody_can_mean(root: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_roots(root)


def test_no_secret_of_a_uri_is_shown() -> None:
    for uri in ("https://user:hidden@files.example.org/a?X-Amz-Signature=hidden#hidden", "user:hidden@host", "https://h/reports/a.pdf?sig=hidden"):
        assert "hidden" not in shown(uri)
        with pytest.raises(PageloomError) as caught:
            allowed(uri, ROOTS)
        assert "hidden" not in str(caught.value)
    location, _ = allowed("https://files.example.org/reports/a.pdf?sig=hidden", ROOTS)
    assert "hidden" not in repr(location) + str(location)


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "100.64.0.1", "0.0.0.0", "169.254.169.254", "224.0.0.1", "255.255.255.255", "240.0.0.1",
        "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "2002:7f00:1::", "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe", "fd00:ec2::254",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public(text: str) -> None:
    with pytest.raises(PageloomError) as caught:
        check_address(ipaddress.ip_address(text), private_allowed=False)
    assert caught.value.code is Code.URI_NOT_ALLOWED


@pytest.mark.parametrize("text", ["169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "fe80::1", "0.0.0.0", "255.255.255.255"])
def test_metadata_services_are_never_allowed(text: str) -> None:
    with pytest.raises(PageloomError):
        check_address(ipaddress.ip_address(text), private_allowed=True)


def test_public_addresses_and_named_private_ones() -> None:
    for text in ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"):
        check_address(ipaddress.ip_address(text), private_allowed=False)
    for text in ("10.0.0.1", "127.0.0.1", "fc00::1"):
        check_address(ipaddress.ip_address(text), private_allowed=True)


def test_the_last_segment_names_the_file() -> None:
    assert filename_in("https://h/a/b%20c.pdf?x=/y") == "b c.pdf"
    assert filename_in("https://h/a/") == ""
    assert filename_in("no uri") == ""


@given(st.one_of(st.text(max_size=60), st.text(max_size=40).map(lambda tail: "https://files.example.org/reports/" + tail)))
def test_any_text_is_allowed_or_refused(uri: str) -> None:
    filename_in(uri)
    try:
        segments = allowed(uri, ROOTS)[0].segments
    except PageloomError:
        return
    assert not {b".", b"..", b""} & set(segments)
