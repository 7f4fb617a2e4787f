"""Paragraphs of a text document: what the reader sees, once, in order."""

import io
import zipfile
from pathlib import Path

import docx
import pytest

from schemas.content import BlockType, FormField, Link, Span
from tests.unit.read.structure.office.making import SPACES, blocks, inline_picture, opened, p, png, r, shown, word

HEADINGS = (
    '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="My own"/><w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Ru"><w:name w:val="Заголовок 2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="V1"><w:name w:val="toc 2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Circle"><w:name w:val="a"/><w:basedOn w:val="Circle2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Circle2"><w:name w:val="b"/><w:basedOn w:val="Circle"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/></w:style>'
)


def styled(text: str, style: str, more: str = "") -> str:
    return p(text, f'<w:pStyle w:val="{style}"/>{more}')


def test_headings_by_style_whatever_its_language_or_ancestors(tmp_path: Path) -> None:
    body = styled("One", "berschrift1") + styled("Own", "Mine") + styled("Two", "Ru") + p("Direct", '<w:outlineLvl w:val="2"/>')
    body += styled("No heading", "Mine", '<w:outlineLvl w:val="9"/>') + styled("Round", "Circle") + styled("Unknown", "Nowhere")
    found = blocks(tmp_path, word(body, styles=HEADINGS))
    assert [(b.type, b.level) for b in found] == [
        (BlockType.HEADING, 1), (BlockType.HEADING, 1), (BlockType.HEADING, 2), (BlockType.HEADING, 3), (BlockType.PARAGRAPH, None),
        (BlockType.PARAGRAPH, None), (BlockType.PARAGRAPH, None),
    ]  # fmt: skip


def test_a_title_stands_above_all_headings(tmp_path: Path) -> None:
    found = blocks(tmp_path, word(styled("The title", "T") + styled("One", "berschrift1"), styles=HEADINGS))
    assert [(b.text, b.level) for b in found] == [("The title", 1), ("One", 2)]


def test_a_page_of_text_in_a_headings_style_is_no_heading(tmp_path: Path) -> None:
    (found,) = blocks(tmp_path, word(styled("word " * 200, "berschrift1"), styles=HEADINGS))
    assert found.type is BlockType.PARAGRAPH


def test_entries_of_a_contents_page_are_nested_items_and_lead_to_their_pages(tmp_path: Path) -> None:
    entry = f'<w:p><w:pPr><w:pStyle w:val="V1"/></w:pPr><w:hyperlink w:anchor="_Toc1">{r("Scope")}<w:r><w:tab/></w:r>{r("3")}</w:hyperlink></w:p>'
    target = f'<w:p><w:pPr><w:pageBreakBefore/></w:pPr><w:bookmarkStart w:id="1" w:name="_Toc1"/>{r("Scope")}</w:p>'
    found = blocks(tmp_path, word(entry + target, styles=HEADINGS))
    assert (found[0].type, found[0].text, found[0].list_depth) == (BlockType.LIST_ITEM, "Scope 3", 1)
    assert found[0].links == (Link(text="Scope 3", target="#page=2"),)


def test_insertions_are_in_and_deletions_out(tmp_path: Path) -> None:
    body = f"<w:p>{r('a ')}<w:ins>{r('new ')}</w:ins><w:del><w:r><w:delText>old </w:delText></w:r></w:del>{r('end')}</w:p>"
    body += f"<w:p><w:moveFrom>{r('moved')}</w:moveFrom></w:p><w:p><w:moveTo>{r('moved')}</w:moveTo></w:p>"
    assert shown(blocks(tmp_path, word(body))) == [("paragraph", "a new end"), ("paragraph", "moved")]


def test_hidden_text_is_out(tmp_path: Path) -> None:
    style = '<w:style w:type="character" w:styleId="H"><w:name w:val="h"/><w:rPr><w:vanish/></w:rPr></w:style>'
    runs = r("seen"), r("one", "<w:vanish/>"), r("two", '<w:rStyle w:val="H"/>'), r(" too", '<w:vanish w:val="0"/>')
    body = f"<w:p>{''.join(runs)}</w:p>"
    assert shown(blocks(tmp_path, word(body, styles=style))) == [("paragraph", "seen too")]


def field(instruction: str, result: str) -> str:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    return f"{mark('begin')}<w:r><w:instrText>{instruction}</w:instrText></w:r>{mark('separate')}{result}{mark('end')}"


def test_fields_give_results_and_never_instructions(tmp_path: Path) -> None:
    nested = field("IF " + field("PAGE", r("7")) + " = 7", r("seven"))
    body = f"<w:p>{r('on ')}{nested}</w:p><w:p>{field('HYPERLINK &quot;https://example.org/a&quot;', r('here'))}</w:p>"
    found = blocks(tmp_path, word(body))
    assert shown(found) == [("paragraph", "on seven"), ("paragraph", "here")]
    assert found[1].links == (Link(text="here", target="https://example.org/a"),)


def test_a_field_over_paragraphs_and_one_that_never_ends(tmp_path: Path) -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>TOC</w:instrText><w:fldChar w:fldCharType="separate"/></w:r>'
    body = f"<w:p>{begin}{r('one')}</w:p>{p('two')}<w:p>{r('three')}<w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>" + p("four")
    assert [text for _, text in shown(blocks(tmp_path, word(body)))] == ["one", "two", "three", "four"]


def test_links_are_kept_only_where_they_are_harmless(tmp_path: Path) -> None:
    body = f'<w:p><w:hyperlink r:id="link1">{r("good")}</w:hyperlink>{r(" and ")}<w:hyperlink r:id="link2">{r("bad")}</w:hyperlink></w:p>'
    (found,) = blocks(tmp_path, word(body, link1="https://example.org/", link2="javascript:alert(1)"))
    assert found.text == "good and bad"
    assert found.links == (Link(text="good", target="https://example.org/"),)


def test_breaks_tabs_symbols_and_hyphens(tmp_path: Path) -> None:
    body = f"<w:p>{r('a')}<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t></w:r>"
    body += '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r></w:p>'
    (found,) = blocks(tmp_path, word(body))
    assert found.text == "a b\u2028c-de✓"


def test_a_text_box_comes_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{p('in the box')}</w:txbxContent>"
    drawing = f"<w:drawing><wp:inline><wps:txbx>{box}</wps:txbx></wp:inline></w:drawing>"
    old = f"<w:pict><v:shape><v:textbox>{box}</v:textbox></v:shape></w:pict>"
    both = f'<mc:AlternateContent><mc:Choice Requires="wps">{drawing}</mc:Choice><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>'
    body = f"<w:p>{r('before')}<w:r>{both}</w:r></w:p><w:p><w:r>{old}</w:r></w:p>"
    assert [text for _, text in shown(blocks(tmp_path, word(body)))] == ["before", "in the box", "in the box"]


def test_of_an_unknown_extension_the_file_shows_what_else_to_read(tmp_path: Path) -> None:
    both = f'<mc:AlternateContent><mc:Choice Requires="cx1"><w:t>no</w:t></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>{p("yes")}'
    both += "</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent>"
    assert [text for _, text in shown(blocks(tmp_path, word(f"<w:p><w:r>{both}</w:r></w:p>")))] == ["yes"]


def test_notes_stand_below_their_page_with_their_marks(tmp_path: Path) -> None:
    notes = '<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>' + "".join(
        f'<w:footnote w:id="{n}">{p(f"note {n}")}</w:footnote>' for n in (1, 2)
    )
    ends = f'<w:endnote w:id="1">{p("end note")}</w:endnote>'
    first = f'<w:p>{r("one")}<w:r><w:footnoteReference w:id="1"/></w:r><w:r><w:endnoteReference w:id="1"/></w:r></w:p>'
    body = first + p("Next", "<w:pageBreakBefore/>") + f'<w:p>{r("two")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    document = opened(tmp_path, word(body, footnotes=notes, endnotes=ends))
    assert [shown(list(page.blocks)) for page in document.pages] == [
        [("paragraph", "one[1][i]"), ("footnote", "[1] note 1")],
        [("paragraph", "Next"), ("paragraph", "two[2]"), ("footnote", "[2] note 2"), ("footnote", "[i] end note")],
    ]


def test_comments_are_annotations(tmp_path: Path) -> None:
    body = f'<w:p>{r("text")}<w:r><w:commentReference w:id="4"/></w:r></w:p>'
    found = blocks(tmp_path, word(body, comments=f'<w:comment w:id="4" w:author="Ann">{p("why?")}</w:comment>'))
    assert shown(found) == [("paragraph", "text"), ("annotation", "Ann: why?")]


def control(properties: str, content: str) -> str:
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"


def test_form_controls(tmp_path: Path) -> None:
    box = control('<w:alias w:val="Paid"/><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>', r("☒"))
    name = control('<w:tag w:val="Name"/>', r("Jane"))
    prompt = control("<w:showingPlcHdr/>", r("Click here"))
    body = f"<w:p>{box}</w:p><w:p>{name}</w:p><w:p>{r('asked: ')}{prompt}</w:p>{control('', p('inside a block'))}"
    found = blocks(tmp_path, word(body))
    assert [b.field for b in found[:2]] == [FormField(name="Paid", value="on"), FormField(name="Name", value="Jane")]
    assert shown(found[2:]) == [("paragraph", "asked:"), ("paragraph", "inside a block")]


def test_legacy_form_fields(tmp_path: Path) -> None:
    def begin(data: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'

    box = begin('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')
    entries = begin('<w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>')
    (found,) = blocks(tmp_path, word(f"<w:p>{r('ok ')}{box}{r(' colour ')}{entries}</w:p>"))
    assert found.text == "ok ☒ colour blue"


def test_code_keeps_its_lines_as_one_block(tmp_path: Path) -> None:
    found = blocks(tmp_path, word(styled("def f():", "Code") + styled("    return 1", "Code") + p("text"), styles=HEADINGS))
    assert shown(found) == [("code", "def f():\n    return 1"), ("paragraph", "text")]


def test_an_equation_alone_and_in_a_line(tmp_path: Path) -> None:
    half = "<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>"
    found = blocks(tmp_path, word(f"<w:p><m:oMathPara>{half}</m:oMathPara></w:p><w:p>{r('about ')}{half}{r(' of it')}</w:p>"))
    assert shown(found) == [("equation", r"\frac{1}{2}"), ("paragraph", r"about \frac{1}{2} of it")]
    assert found[1].spans == (Span(offset=6, length=11, math=True),)


def test_pictures_travel_with_their_alt_text_and_captions_find_them(tmp_path: Path) -> None:
    style = '<w:style w:type="paragraph" w:styleId="C"><w:name w:val="caption"/></w:style>'
    body = f"<w:p>{inline_picture('image1', 200, 100, 'A red fox')}</w:p>" + styled("Figure 1: fox", "C") + p("text")
    document = opened(tmp_path, word(body, styles=style, image1=png()))
    (page,) = document.pages
    assert [(b.type, b.text, b.caption_of) for b in page.blocks[:2]] == [
        (BlockType.FIGURE, "A red fox", None), (BlockType.CAPTION, "Figure 1: fox", 1),
    ]  # fmt: skip
    (picture,) = page.pictures
    assert (picture.block, picture.data, picture.media_type, picture.is_text) == (0, png(), "image/png", False)


@pytest.mark.parametrize(
    ("said", "text"),
    [("IMG_001.png", ""), ("A fox. Description automatically generated", "A fox."), ("Plan of file.png and more", "Plan of file.png and more")],
)
def test_alternative_text_that_describes(tmp_path: Path, said: str, text: str) -> None:
    (found,) = blocks(tmp_path, word(f"<w:p>{inline_picture('image1', 99, 99, said)}</w:p>", image1=png()))
    assert found.text == text


def test_a_picture_elsewhere_is_not_fetched(tmp_path: Path) -> None:
    body = '<w:p><w:r><w:drawing><wp:inline><wp:docPr descr="remote"/><a:blip r:link="link1"/></wp:inline></w:drawing></w:r></w:p>'
    (page,) = opened(tmp_path, word(body, link1="http://localhost:1/a.png")).pages
    assert (page.pictures, page.blocks[0].text) == ((), "remote")
    assert page.warnings == ("a picture that the file only refers to is not fetched",)


def test_a_chart_is_a_table_with_its_title(tmp_path: Path) -> None:
    def points(tag: str, values: list[str]) -> str:
        inside = "".join(f'<c:pt idx="{i}"><c:v>{v}</c:v></c:pt>' for i, v in enumerate(values))
        return f"<c:{tag}><c:numRef><c:numCache>{inside}</c:numCache></c:numRef></c:{tag}>"

    series = f"<c:ser><c:tx><c:v>Sales</c:v></c:tx>{points('cat', ['2023', '2024'])}{points('val', ['1.5', '2'])}</c:ser>"
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Growth</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    chart = f"<c:chartSpace {SPACES}><c:chart>{title}<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart></c:chartSpace>"
    body = '<w:p><w:r><w:drawing><wp:inline><c:chart r:id="chart1"/></wp:inline></w:drawing></w:r></w:p>'
    caption, table = blocks(tmp_path, word(body, chart1=chart))
    assert (caption.type, caption.text, caption.caption_of) == (BlockType.CAPTION, "Growth", 2)
    assert table.table is not None
    assert [(c.row, c.column, c.text) for c in table.table.cells] == [
        (0, 1, "Sales"), (1, 0, "2023"), (1, 1, "1.5"), (2, 0, "2024"), (2, 1, "2"),
    ]  # fmt: skip


def test_what_another_program_writes(tmp_path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "A report"
    document.add_heading("Report", 0)
    document.add_heading("Part", 1)
    document.add_paragraph("Prose.")
    document.add_paragraph("first", style="List Bullet")
    document.add_paragraph("second", style="List Number")
    buffer = io.BytesIO()
    document.save(buffer)
    found = opened(tmp_path, buffer.getvalue())
    assert shown(list(found.pages[0].blocks)) == [
        ("heading", "Report"), ("heading", "Part"), ("paragraph", "Prose."), ("list_item", "• first"), ("list_item", "1. second"),
    ]  # fmt: skip
    assert [b.level for b in found.pages[0].blocks[:2]] == [1, 2]
    assert found.metadata["title"] == "A report"


def test_a_strict_document_reads_like_any_other(tmp_path: Path) -> None:
    data = word(styled("Strict", "berschrift1"), styles=HEADINGS)
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            text = old.read(name).replace(
                b"http://schemas.openxmlformats.org/wordprocessingml/2006/", b"http://purl.oclc.org/ooxml/wordprocessingml/"
            )
            text = text.replace(b"http://schemas.openxmlformats.org/officeDocument/2006/", b"http://purl.oclc.org/ooxml/officeDocument/")
            new.writestr(name, text)
    assert shown(blocks(tmp_path, buffer.getvalue())) == [("heading", "Strict")]


@pytest.mark.parametrize("text", ["a & b < c", "שלום עולם", "日本語", "ﬁne"])
def test_text_in_any_script(tmp_path: Path, text: str) -> None:
    (found,) = blocks(tmp_path, word(p(text.replace("&", "&amp;").replace("<", "&lt;"))))
    assert found.text == text.replace("ﬁ", "fi")
