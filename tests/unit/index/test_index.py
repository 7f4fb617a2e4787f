"""Chunks hold all text once; the index replaces by revision and forgets deletions; hits show where they are."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import tantivy
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.content import BlockType
from schemas.document import Document, DocumentStatus, FinishedBlock, FinishedCell, FinishedTable, Region
from streams.index.chunks import CHUNK_CHARS, chunks_of
from streams.index.sink import IndexedDocument, Result, SinkRefuses
from streams.index.tantivy_index import TantivyReader, TantivySink


def block(
    text: str, kind: BlockType = BlockType.PARAGRAPH, path: tuple[str, ...] = (), page: int = 1, table: FinishedTable | None = None
) -> FinishedBlock:
    region = Region(page=page, bbox=(0.0, 0.0, 100.0, 10.0))
    return FinishedBlock(
        id="b",
        type=kind,
        level=1 if kind is BlockType.HEADING else None,
        text=text,
        html="",
        heading_path=path,
        confidence=0.9,
        regions=(region,),
        table=table,
    )


def document(*blocks: FinishedBlock, document_id: str = "d", revision: int = 1) -> Document:
    return Document(
        document_id=document_id, submission="s", revision=revision, content_sha256="", filename="report.pdf",
        media_type="application/pdf", mode="fast",
        status=DocumentStatus.COMPLETE, page_count=1, metadata={}, outline=(), warnings=(), pages=(), blocks=blocks,
    )  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(alphabet="ab \n", max_size=400), max_size=12), st.integers(20, 200))
def test_every_word_is_in_one_chunk_and_budgets_hold(texts: list[str], budget: int) -> None:
    chunks = chunks_of(document(*(block(t) for t in texts)), budget)
    assert "".join("".join(c.text for c in chunks).split()) == "".join("".join(texts).split())
    assert all(len(c.text) <= budget for c in chunks)
    assert [c.number for c in chunks] == list(range(len(chunks)))


def test_chunks_follow_headings_and_leave_furniture_out() -> None:
    chunks = chunks_of(
        document(
            block("running head", BlockType.PAGE_HEADER),
            block("One", BlockType.HEADING, ("One",)),
            block("a", path=("One",)),
            block("Two", BlockType.HEADING, ("Two",)),
            block("b", path=("Two",)),
            block("7", BlockType.PAGE_FOOTER),
        )
    )
    assert [(c.text, c.heading_path) for c in chunks] == [("One\na", ("One",)), ("Two\nb", ("Two",))]


def test_a_long_table_repeats_its_header_and_names_the_page_of_its_rows() -> None:
    rows = [("Item", "Price"), *((f"thing number {n} with a name", f"{n}.00") for n in range(200))]
    cells = tuple(
        FinishedCell(row=r, column=c, row_span=1, column_span=1, text=t, page=1 if r < 100 else 2)
        for r, row in enumerate(rows)
        for c, t in enumerate(row)
    )
    table = FinishedTable(header_rows=1, columns=2, confidence=1.0, rows=tuple(rows), cells=cells)
    regions = tuple(Region(page=p, bbox=(0.0, 0.0, 1.0, 1.0)) for p in (1, 2))
    source = FinishedBlock(id="t", type=BlockType.TABLE, level=None, text="", html="", heading_path=(), confidence=1.0, regions=regions, table=table)
    chunks = chunks_of(document(source))
    assert len(chunks) > 3
    assert all(c.text.startswith("Item | Price\n") and len(c.text) <= CHUNK_CHARS for c in chunks)
    assert [r.page for r in chunks[0].regions] == [1]
    assert [r.page for r in chunks[-1].regions] == [2]
    assert sum(c.text.count("thing number") for c in chunks) == 200


def test_a_chunk_ends_with_its_page() -> None:
    chunks = chunks_of(document(block("one"), block("two"), block("three", page=2)))
    assert [(c.text, c.regions[0].page) for c in chunks] == [("one\ntwo", 1), ("three", 2)]


def test_searching_before_anything_was_indexed_says_what_to_do(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(FileNotFoundError, match="parse a document first"):
            TantivyReader(folder)


def found(folder: Path, query: str) -> list[tuple[str, int]]:
    return [(hit.document_id, hit.revision) for hit in TantivyReader(folder).search(query, 10).hits]


def write(sink: TantivySink, text: str, document_id: str = "d", revision: int = 1) -> None:
    meta = IndexedDocument(document_id=document_id, revision=revision, filename="annual_report.pdf", metadata={"Author": "Edmund Härrow"})
    sink.replace(meta, chunks_of(document(block(text, page=4), document_id=document_id, revision=revision)))


def results(sink: TantivySink) -> list[tuple[str, int, Result]]:
    return [(o.document_id, o.revision, o.result) for o in sink.commit()]


def test_a_newer_revision_replaces_and_an_older_one_never_wins(tmp_path: Path) -> None:
    sink = TantivySink(tmp_path)
    write(sink, "the heron waits", revision=5)
    assert results(sink) == [("d", 5, Result.WRITTEN)]
    assert found(tmp_path, "heron") == [("d", 5)]
    write(sink, "the kingfisher dives", revision=9)
    write(sink, "the heron waits", revision=5)
    assert results(sink) == [("d", 9, Result.WRITTEN), ("d", 5, Result.OLDER)]
    write(sink, "the heron waits", revision=5)
    assert results(sink) == [("d", 5, Result.OLDER)]
    assert found(tmp_path, "heron") == []
    assert found(tmp_path, "kingfisher") == [("d", 9)]


def test_writing_twice_is_writing_once_and_a_deletion_stays(tmp_path: Path) -> None:
    sink = TantivySink(tmp_path)
    for _ in range(2):
        write(sink, "an otter", revision=1)
        sink.commit()
    assert found(tmp_path, "otter") == [("d", 1)]
    sink.delete("d", 3)
    sink.commit()
    write(sink, "an otter", revision=2)
    assert results(sink) == [("d", 2, Result.OLDER)]
    assert found(tmp_path, "otter") == []
    write(sink, "an otter", revision=4)
    sink.commit()
    assert found(tmp_path, "otter") == [("d", 4)]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    first = TantivySink(tmp_path)
    with pytest.raises(SinkRefuses, match="another process"):
        TantivySink(tmp_path)
    first.close()


def test_an_index_is_new_once(tmp_path: Path) -> None:
    first = TantivySink(tmp_path / "index")
    assert first.is_new
    first.close()
    assert not TantivySink(tmp_path / "index").is_new


def test_an_index_of_another_version_says_what_to_do(tmp_path: Path) -> None:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body")
    tantivy.Index(builder.build(), path=str(tmp_path))
    for opening in (TantivySink, TantivyReader):
        with pytest.raises(SinkRefuses, match="remove the folder"):
            opening(tmp_path)


QUERIES = [
    ("负债和所有者权益总计", "权益总计", 1),
    ("负债和所有者权益总计", "计总", 0),
    ("Total receipts 2,303", '"total receipts"', 1),
    ("Total receipts 2,303", "receipts total", 1),
    ("Überlieferung", "überlieferung", 1),
    ("Überlieferung", "UBERLIEFERUNG", 1),
    ("Ueberlieferung smørrebrød", "smorrebrod", 1),
    ("Ελληνική γλώσσα", "γλωσσα", 1),
    ("ภาษาไทย", "ไทย", 1),
    ("well-known terms", "well-known", 1),
    ("known well", "well-known", 0),
    ("heron and otter", "heron OR swan", 1),
    ("heron and otter", "swan OR crane", 0),
    ("heron and otter", "heron -otter", 0),
    ("heron and otter", "-otter", 0),
    ("heron", "filename:report heron", 1),
    ("heron", "filename:letter heron", 0),
    ("heron", "metadata.author:harrow", 1),
    ("heron", 'metadata.author:"edmund harrow"', 1),
    ("heron", 'metadata.author:"harrow edmund"', 0),
    ("heron", "heron page:4", 1),
    ("heron", "heron page:2..4", 1),
    ("heron", "heron page:5..", 0),
    ("heron", "heron confidence:0.9..", 1),
    ("heron", "heron confidence:..0.5", 0),
    ("heron", "type:paragraph", 1),
    ("heron", "type:table", 0),
    ("heron", "document:d heron", 1),
    ("heron", "document:e heron", 0),
    ("heron", "heron page:99999999999999999999999", 0),
    ("a plain text", 'broken ( query "', 0),
    ("안녕하세요 저희는", "저희는", 1),
]
"""Text of a document, query, and how many hits; every index answers them alike."""


@pytest.mark.parametrize(("text", "query", "hits"), QUERIES)
def test_queries(tmp_path: Path, text: str, query: str, hits: int) -> None:
    sink = TantivySink(tmp_path)
    write(sink, text)
    sink.commit()
    answer = TantivyReader(tmp_path).search(query, 5)
    assert len(answer.hits) == hits
    assert all((hit.page, hit.text, hit.types, hit.filename) == (4, text, ("paragraph",), "annual_report.pdf") for hit in answer.hits)


@settings(max_examples=15)
@given(st.text(max_size=60))
def test_any_text_is_a_legal_query(typed: str) -> None:
    with TemporaryDirectory() as folder:
        sink = TantivySink(Path(folder))
        write(sink, "a heron")
        sink.commit()
        TantivyReader(Path(folder)).search(typed, 5)
