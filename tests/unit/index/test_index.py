"""Chunks hold all text once; the index replaces by revision and forgets deletions; hits show where they are."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.content import BlockType
from schemas.document import Document, DocumentStatus, FinishedBlock, FinishedCell, FinishedTable, Region
from streams.index.chunks import CHUNK_CHARS, chunks_of
from streams.index.highlight import excerpt
from streams.index.sink import IndexedDocument
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
    return [(hit.document_id, hit.revision) for hit in TantivyReader(folder).search(query, 10)]


def write(sink: TantivySink, text: str, document_id: str = "d", revision: int = 1) -> bool:
    meta = IndexedDocument(document_id=document_id, revision=revision, filename="report.pdf", metadata={})
    return sink.replace(meta, chunks_of(document(block(text, page=4), document_id=document_id, revision=revision)))


def test_a_newer_revision_replaces_and_an_older_one_never_wins(tmp_path: Path) -> None:
    sink = TantivySink(tmp_path)
    assert write(sink, "the heron waits", revision=5)
    sink.commit()
    assert found(tmp_path, "heron") == [("d", 5)]
    assert write(sink, "the kingfisher dives", revision=9)
    assert not write(sink, "the heron waits", revision=5)
    sink.commit()
    assert not write(sink, "the heron waits", revision=5)
    sink.commit()
    assert found(tmp_path, "heron") == []
    assert found(tmp_path, "kingfisher") == [("d", 9)]


def test_writing_twice_is_writing_once_and_a_deletion_stays(tmp_path: Path) -> None:
    sink = TantivySink(tmp_path)
    for _ in range(2):
        assert write(sink, "an otter", revision=1)
        sink.commit()
    assert found(tmp_path, "otter") == [("d", 1)]
    assert sink.delete("d", 3)
    sink.commit()
    assert not write(sink, "an otter", revision=2)
    sink.commit()
    assert found(tmp_path, "otter") == []
    assert write(sink, "an otter", revision=4)
    sink.commit()
    assert found(tmp_path, "otter") == [("d", 4)]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    first = TantivySink(tmp_path)
    with pytest.raises(RuntimeError, match="another process"):
        TantivySink(tmp_path)
    first.close()


@pytest.mark.parametrize(
    ("text", "query", "hits"),
    [
        ("负债和所有者权益总计", "权益总计", 1),
        ("负债和所有者权益总计", "计总", 0),
        ("Total receipts 2,303", '"total receipts"', 1),
        ("Total receipts 2,303", "receipts total", 1),
        ("Überlieferung", "überlieferung", 1),
        ("a plain text", 'broken ( query "', 0),
        ("안녕하세요 저희는", "저희는", 1),
    ],
)
def test_queries(tmp_path: Path, text: str, query: str, hits: int) -> None:
    sink = TantivySink(tmp_path)
    write(sink, text)
    sink.commit()
    results = TantivyReader(tmp_path).search(query, 5)
    assert len(results) == hits
    assert all((hit.page, hit.text) == (4, text) for hit in results)


@given(st.text(max_size=300), st.text(max_size=20))
def test_an_excerpt_is_text_of_the_chunk(text: str, query: str) -> None:
    shown = excerpt(text, query, "", "", 50)
    assert shown.strip("…") in " ".join(text.split())


def test_an_excerpt_marks_the_words() -> None:
    text = "nothing here " * 40 + "the Grey HERON stands in 浅水 " + "and more " * 40
    shown = excerpt(text, 'grey heron "浅水"', "[", "]", 80)
    assert "the [Grey] [HERON] stands in [浅水]" in shown
    assert len(shown) < 100
