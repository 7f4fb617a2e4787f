"""Headers to options: case, bounds, and errors that name header, value and what is allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import Code, PageloomError
from schemas.events import DocumentOptions, Format, Mode, Priority
from streams.ingest.options import clean_filename, read_headers


def test_no_headers_mean_defaults() -> None:
    asked = read_headers([])
    assert asked.options == DocumentOptions()
    assert (asked.filename, asked.content_type, asked.password, asked.metadata) == ("", None, None, {})


def test_all_headers() -> None:
    asked = read_headers(
        [
            ("Filename", b"Bericht 2025.pdf"),
            ("CONTENT-TYPE", b"Application/PDF"),
            ("mode", b"Balanced"),
            ("formats", b"html, json,html"),
            ("pages", b"1-20,25"),
            ("engine", b"rapidocr"),
            ("dpi", b"300"),
            ("join_tables", b"No"),
            ("priority", b"interactive"),
            ("tenant", b"acme/north"),
            ("password", b"s3cret"),
            ("metadata-Source", "Köln".encode()),
            ("x-trace-id", b"\xff\xfe ignored".replace(b"\xff\xfe", b"a")),
        ]
    )
    assert asked.options == DocumentOptions(
        mode=Mode.BALANCED,
        formats=(Format.HTML, Format.JSON),
        pages="1-20,25",
        engine="rapidocr",
        dpi=300,
        join_tables=False,
        priority=Priority.INTERACTIVE,
        tenant="acme/north",
    )
    assert (asked.filename, asked.content_type, asked.password) == ("Bericht 2025.pdf", "application/pdf", "s3cret")
    assert asked.metadata == {"source": "Köln"}
    assert "s3cret" not in repr(asked)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("mode", b"quick", "balanced"),
        ("formats", b"markdown,docx", "html"),
        ("formats", b",", "markdown"),
        ("pages", b"x", "1-20,25"),
        ("dpi", b"12", "1200"),
        ("dpi", b"3e2", "36"),
        ("dpi", b"99999999999", "1200"),
        ("join-tables", b"maybe", "true"),
        ("priority", b"now", "bulk"),
        ("engine", b"../../x", "letters"),
        ("tenant", b"a b", "letters"),
        ("mode", b"\xff", "UTF-8"),
        ("metadata-a", b"x" * 5000, "4096"),
    ],
)
def test_what_is_not_allowed_says_what_is(name: str, value: bytes, allowed: str) -> None:
    with pytest.raises(PageloomError) as caught:
        read_headers([(name, value)])
    assert caught.value.code is Code.INVALID_OPTIONS
    assert name in str(caught.value)
    assert allowed in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("name", ["mode", "formats", "pages", "dpi", "join-tables", "priority", "engine", "tenant"])
@pytest.mark.parametrize("password", [b"correct horse battery", b"hunter2!", b"31415926535"])
def test_a_password_under_a_wrong_name_is_not_quoted(name: str, password: bytes) -> None:
    try:
        read_headers([(name, password)])
    except PageloomError as error:
        said = str(error)
    else:
        return  # a number of pages, or a name of an engine: it is what it was taken for
    assert password.decode() not in said


def test_a_word_that_is_nearly_right_is_named() -> None:
    with pytest.raises(PageloomError, match="balanced may be meant"):
        read_headers([("mode", b"balancd")])


def test_bounds() -> None:
    with pytest.raises(PageloomError):
        read_headers([(f"metadata-{n}", b"x") for n in range(65)])
    with pytest.raises(PageloomError) as caught:
        read_headers([("password", b"hunter2" * 1000)])
    assert "hunter2" not in str(caught.value)


def test_the_last_of_several_headers_holds() -> None:
    assert read_headers([("mode", b"balanced"), ("Mode", b"disable_ocr")]).options.mode is Mode.DISABLE_OCR


def test_null_and_blank_values_are_no_values() -> None:
    assert read_headers([("mode", None), ("pages", b""), ("dpi", b" "), ("password", b"")]).options == DocumentOptions()


@pytest.mark.parametrize(
    ("name", "clean"),
    [("../../etc/passwd", "passwd"), ("C:\\x\\y.pdf", "y.pdf"), ("a\x00\nb.pdf", "ab.pdf"), ("ü" * 300 + ".pdf", "ü" * 251 + ".pdf")],
)
def test_filenames_are_base_names(name: str, clean: str) -> None:
    assert clean_filename(name) == clean


@given(st.lists(st.tuples(st.sampled_from(["mode", "pages", "dpi", "filename", "metadata-x", "formats", "tenant", "other"]), st.binary(max_size=40))))
def test_any_headers_give_options_or_invalid_options(headers: list[tuple[str, bytes]]) -> None:
    code = None
    try:
        assert len(read_headers(headers).filename) <= 255
    except PageloomError as error:
        code = error.code
    assert code in (None, Code.INVALID_OPTIONS)
