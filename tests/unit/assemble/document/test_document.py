"""The whole of assembly: order of pages, accounting, warnings, contract, cost."""

import json
import sys
from importlib import resources

import jsonschema
import msgspec
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.content import BlobReference, BlockType, FormField, Link
from schemas.document import Document, DocumentStatus, OutlineEntry
from schemas.events import Format
from streams.assemble.document.build import build_document
from streams.assemble.render import render
from tests.unit.assemble.made_documents import blank, block, build, failed, heading, opened, page, paragraph, table, texts, whole_page

WORDS = st.sampled_from(["alpha", "Beta", "gam-", "delta.", "12", "(1)", "表格", "und", "Total", "", "continued"])
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)
KINDS = st.sampled_from([kind for kind in BlockType if kind is not BlockType.TABLE])
ROWS = st.integers(1, 3).flatmap(lambda n: st.lists(st.lists(TEXTS, min_size=n, max_size=n), min_size=1, max_size=4))
BLOCKS = st.one_of(
    st.builds(block, TEXTS, st.floats(0, 800), KINDS, line_count=st.integers(1, 4), ends_short=st.booleans(), indented=st.booleans()),
    st.builds(heading, TEXTS, st.floats(0, 800), st.sampled_from([12.0, 14.0, 18.0])),
    st.builds(table, ROWS, st.floats(0, 400), header_rows=st.integers(0, 1)),
)


@st.composite
def documents(draw):
    """Some pages with anything on them, blank and failed ones among them."""
    count = draw(st.integers(1, 7))
    return [
        draw(st.one_of(st.just(blank(n)), st.just(failed(n)), st.lists(BLOCKS, max_size=6).map(lambda blocks, n=n: page(n, *blocks))))
        for n in range(1, count + 1)
    ]


@given(documents(), st.randoms(use_true_random=False))
@settings(max_examples=120, deadline=None)
def test_any_order_of_pages_gives_the_same_bytes(pages, random):
    asked = opened(p.page for p in pages)
    whole = build_document(asked, pages, 5)
    shuffled = list(pages)
    random.shuffle(shuffled)
    again = build_document(asked, shuffled, 5)
    for kind in Format:
        assert render(whole, kind).encode() == render(again, kind).encode()
    assert msgspec.json.encode(whole) == msgspec.json.encode(again)


@given(documents())
@settings(max_examples=120, deadline=None)
def test_every_document_keeps_the_contract(pages):
    document = build_document(opened(p.page for p in pages), pages, 5)
    value = json.loads(render(document, Format.JSON))
    SCHEMA_CHECK.validate(value)
    assert [p["number"] for p in value["pages"]] == [p.page for p in pages]
    ids = [b["id"] for b in value["blocks"]]
    assert len(set(ids)) == len(ids)
    for made in value["blocks"]:
        if "table" in made:
            grid = made["table"]
            assert all(len(row) == grid["columns"] for row in grid["rows"])
            covered = [
                (r, c)
                for cell in grid["cells"]
                for r in range(cell["row"], cell["row"] + cell["row_span"])
                for c in range(cell["column"], cell["column"] + cell["column_span"])
            ]
            assert len(set(covered)) == len(covered)
            assert all(r < len(grid["rows"]) and c < grid["columns"] for r, c in covered)


@given(documents())
@settings(max_examples=80, deadline=None)
def test_no_letter_of_any_block_gets_lost(pages):
    document = build_document(opened((p.page for p in pages), join_tables=False), pages, 5)
    read = [b.text for p in pages if p.content for b in p.content.blocks if b.table is None]
    read += [c.text for p in pages if p.content for b in p.content.blocks if b.table is not None for c in b.table.cells]
    written = [b.text for b in document.blocks]

    def letters(parts):
        return sorted("".join("".join(parts).replace("-", "").split()))

    assert letters(read) == letters(written)


SCHEMA = json.loads((resources.files("schemas") / "document.schema.json").read_text(encoding="utf-8"))
SCHEMA_CHECK = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_sound_and_names_every_field():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    structs = {"": Document, "block": "FinishedBlock", "page": "FinishedPage", "table": "FinishedTable", "cell": "FinishedCell", "join": "Join"}
    structs |= {"outline_entry": "OutlineEntry", "page_error": "PageError", "region": "Region"}
    module = sys.modules[Document.__module__]
    for name, of in structs.items():
        struct = getattr(module, of) if isinstance(of, str) else of
        definition = SCHEMA["$defs"][name] if name else SCHEMA
        assert list(definition["properties"]) == list(struct.__struct_fields__), name
        written = msgspec.structs.fields(struct)
        always = {f.name for f in written if not struct.__struct_config__.omit_defaults or (f.required or f.default is msgspec.NODEFAULT)}
        assert set(definition["required"]) == always, name
    kinds = SCHEMA["$defs"]["block"]["properties"]["type"]["enum"]
    assert kinds == [kind.value for kind in BlockType]


def test_json_leaves_out_what_does_not_apply_and_keeps_what_does():
    field = block("Name", 200, BlockType.FORM_FIELD, field=FormField(name="n", value="v"))
    figure = block("", 300, BlockType.FIGURE, figure=BlobReference(name="runs/a/b/f.png", size_bytes=1, sha256="00"))
    link = block("see here", 400, links=(Link(text="here", target="https://example.org/"),))
    value = orjson.loads(render(build(page(1, field, figure, link)), Format.JSON))
    first, second, third = value["blocks"]
    assert first["field"] == {"name": "n", "value": "v"}
    assert second["figure"]["name"] == "runs/a/b/f.png"
    assert third["links"] == [{"text": "here", "target": "https://example.org/"}]
    assert third.keys() == {"id", "type", "level", "text", "html", "heading_path", "confidence", "regions", "links"}
    assert third["regions"] == [{"page": 1, "bbox": [50.0, 400.0, 545.0, 412.0]}]


def test_pages_are_accounted_for():
    document = build(page(1, block("Text.")), blank(2), failed(3))
    assert document.status is DocumentStatus.PARTIAL
    assert [p.status.value for p in document.pages] == ["extracted", "blank", "failed"]
    assert document.pages[2].error is not None
    assert build(page(1, block("Text.")), blank(2)).status is DocumentStatus.COMPLETE


@pytest.mark.parametrize("numbers", [(1,), (1, 2, 3), (1, 1)])
def test_pages_that_were_not_asked_for_are_a_bug_of_the_caller(numbers):
    with pytest.raises(ValueError, match="asked for"):
        build_document(opened([1, 2]), [blank(n) for n in numbers], 1)


def test_equal_warnings_become_one_with_its_pages():
    document = build(*(page(n, block("Text."), warnings=("hard to read",)) for n in (1, 2, 3, 5)))
    assert document.warnings == ("pages 1-3, 5: hard to read",)


def test_characters_that_are_no_text_are_dropped_and_boxes_are_finite():
    hostile = block("a\x00b\u00adc\ufffe\ud800d", bbox=(float("nan"), 0.0, float("inf"), 1.0))
    document = build(page(1, hostile))
    assert document.blocks[0].text == "abcd"
    assert document.blocks[0].regions[0].bbox == (0.0, 0.0, 0.0, 0.0)
    assert "NaN" not in render(document, Format.JSON)


def test_ids_do_not_move_when_something_before_them_changes():
    first = build(page(1, block("One.")), page(2, block("Two."), block("Three.", 200)))
    second = build(page(1, block("One."), block("New.", 200)), page(2, block("Two."), block("Three.", 200)))
    assert {b.id: b.text for b in first.blocks}.items() <= {b.id: b.text for b in second.blocks}.items()


def test_a_document_of_nothing_is_a_document():
    document = build(blank(1), page(2))
    assert document.blocks == ()
    assert render(document, Format.MARKDOWN) == ""
    assert "<main>" in render(document, Format.HTML)


def made_book(pages: int) -> list:
    """A book with heads, page numbers, a heading now and then, paragraphs that run over every page, and a table through all of it."""
    made = []
    for n in range(1, pages + 1):
        rows = [[f"{n}.{r}", f"name {r}", str(n * r)] for r in range(6)]
        made.append(
            page(
                n,
                block(f"A book, chapter {n // 20}", 30),
                *([heading(f"{n}. Part", 60)] if n % 5 == 0 else []),
                paragraph("and so it went on and on with well-known words over the end of the co-" if n % 2 else "operation goes on to the", 90),
                *([table(rows, 300, bottom=780, header_rows=0)] if n % 5 else []),
                block(str(n), 810),
            )
        )
    return made


def counted_lines(pages: int) -> int:
    """Lines of our code that building and writing such a book runs: a measure of cost that no busy machine disturbs."""
    book = made_book(pages)
    asked = opened(p.page for p in book)
    lines = 0

    def trace(frame, event, arg):
        nonlocal lines
        if event == "call" and "assemble" not in frame.f_code.co_filename:
            return None
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        document = build_document(asked, book, 1)
        for kind in Format:
            render(document, kind)
    finally:
        sys.settrace(before)
    return lines


def test_the_cost_of_a_page_does_not_grow_with_the_document():
    small, large = counted_lines(20) / 20, counted_lines(200) / 200
    assert large < small * 1.2


def test_deterministic_title_and_metadata():
    document = build(page(1, heading("The Title", 60, 24), paragraph("Text.", 100)), metadata={"author": "A"})
    assert document.metadata == {"author": "A", "title": "The Title"}
    kept = build(page(1, heading("The Title", 60, 24)), metadata={"title": "Given"})
    assert kept.metadata["title"] == "Given"
    entry = OutlineEntry(level=1, title="x", page=None)
    assert build(page(1, block("Text.")), outline=[entry]).outline == (entry,)
    assert texts(kept, BlockType.HEADING) == ["The Title"]


def test_whole_pages_of_tables_stay_within_memory_bounds():
    rows = [["1", "2"]] * 3
    absurd = whole_page(rows)
    grid = msgspec.structs.replace(absurd.table, rows=10**9, columns=10**6)
    document = build(page(1, msgspec.structs.replace(absurd, table=grid)))
    assert document.blocks[0].type is BlockType.PARAGRAPH
    assert "table" in document.warnings[0]


HOSTILE = ["1" * 200_000 + "x", *(c * 100_000 for c in "$_*[<-#=. \u00a0(|"), "note" + " " * 100_000, "- " * 50_000 + "x"]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:6].strip() or "space")
def test_no_text_is_slow(text):
    """Quadratic patterns would take hours here."""
    rows = [[text[:20_000], "b", "c"]] * 3
    kinds = [BlockType.PARAGRAPH, BlockType.HEADING, BlockType.LIST_ITEM, BlockType.CAPTION, BlockType.PAGE_FOOTER]
    links = tuple(Link(text=f"{n}", target="https://example.org") for n in range(500))
    blocks = [block(text, 40 + 20 * n, kind, links=links) for n, kind in enumerate(kinds)]
    document = build(page(1, *blocks, whole_page(rows)), page(2, whole_page(rows), *blocks), outline=[OutlineEntry(level=1, title=text, page=1)])
    for kind in Format:
        render(document, kind)
