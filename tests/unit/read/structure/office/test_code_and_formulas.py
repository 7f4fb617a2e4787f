"""Code, formulas and broken lines in text documents and slides."""

from pathlib import Path

import pytest
from lxml import etree

from schemas.content import Block, Span
from streams.read.structure.office.code_lines import code_text, looks_like_code
from streams.read.structure.office.pptx_text import blocks_of
from tests.unit.read.structure.office.making import SPACES, blocks, p, r, shown, word

MONO = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
STYLES = (
    '<w:style w:type="character" w:styleId="V"><w:name w:val="Verbatim Char"/><w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/></w:style>'
)


def mono(text: str) -> str:
    """A paragraph of one run in a typewriter's font."""
    return f'<w:p><w:r><w:rPr>{MONO}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def formula(*runs: str) -> str:
    return "<m:oMath>" + "".join(f"<m:r><m:t>{run}</m:t></m:r>" for run in runs) + "</m:oMath>"


def test_a_word_of_code_in_a_line_is_code(tmp_path: Path) -> None:
    for properties in (MONO, '<w:rStyle w:val="V"/>'):
        (found,) = blocks(tmp_path, word(f"<w:p>{r('Call the ')}{r('print_it', properties)}{r(' function')}</w:p>", styles=STYLES))
        assert found.spans == (Span(offset=9, length=8, code=True),)


def test_lines_of_a_typewriters_font_with_signs_of_code_are_code_with_their_indents(tmp_path: Path) -> None:
    body = p("before") + mono("def f(n):") + mono("    a, b = 0, 1") + mono("    return a") + p("behind")
    assert shown(blocks(tmp_path, word(body))) == [
        ("paragraph", "before"), ("code", "def f(n):\n    a, b = 0, 1\n    return a"), ("paragraph", "behind"),
    ]  # fmt: skip


def test_prose_in_a_typewriters_font_is_prose(tmp_path: Path) -> None:
    (found,) = blocks(tmp_path, word(mono("This memo is set in a typewriter face (for a vintage look), all of it.")))
    assert (found.type.value, found.spans) == ("paragraph", ())


def test_a_document_that_is_set_in_a_typewriters_font_as_a_whole_is_no_code(tmp_path: Path) -> None:
    default = f'<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/><w:rPr>{MONO}</w:rPr></w:style>'
    styled = default.replace("Normal", "Body Text").replace('w:default="1" ', "").replace('"N"', '"B"')
    found = blocks(tmp_path, word(f"<w:p>{r('x = f(1);')}</w:p>", styles=default + styled))
    assert all(not span.code for block in found for span in block.spans)


def test_a_paragraph_of_code_by_its_style_keeps_its_spaces_and_tabs(tmp_path: Path) -> None:
    line = '<w:r><w:tab/><w:t xml:space="preserve">x  = 1</w:t></w:r>'
    (found,) = blocks(tmp_path, word(f'<w:p><w:pPr><w:pStyle w:val="Code"/></w:pPr>{line}</w:p>', styles=STYLES))
    assert (found.type.value, found.text) == ("code", "    x  = 1")


def test_equations_of_one_paragraph_are_apart(tmp_path: Path) -> None:
    body = f"<w:p>{formula('a', '=', 'b')}{formula('c', '=', 'd')}</w:p><w:p><m:oMathPara>{formula('x')}{formula('y')}</m:oMathPara></w:p>"
    assert shown(blocks(tmp_path, word(body))) == [("equation", text) for text in ("a=b", "c=d", "x", "y")]


def test_a_formula_in_a_line_is_marked_however_plain(tmp_path: Path) -> None:
    (found,) = blocks(tmp_path, word(f"<w:p>{r('where ')}{formula('π', 'r')}{r(' is it')}</w:p>"))
    assert (found.text, found.spans) == (r"where \pi r is it", (Span(offset=6, length=5, math=True),))


def test_lines_that_the_author_ended_stay_lines_but_in_headings(tmp_path: Path) -> None:
    text = "<w:r><w:t>one</w:t><w:br/><w:t> two</w:t><w:br/><w:br/><w:t>three</w:t><w:br/></w:r>"
    body = f'<w:p>{text}</w:p><w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>{text}</w:p>'
    assert shown(blocks(tmp_path, word(body))) == [("paragraph", "one\u2028two\u2028three"), ("heading", "one two three")]


def test_a_link_over_the_end_of_a_line_is_found(tmp_path: Path) -> None:
    instruction = ' HYPERLINK "https://example.org/" '
    body = f'<w:p><w:fldSimple w:instr="{instruction.replace(chr(34), "&quot;")}"><w:r><w:t>one</w:t><w:br/><w:t>two</w:t></w:r></w:fldSimple></w:p>'
    (found,) = blocks(tmp_path, word(body))
    assert [link.text for link in found.links] == ["one\u2028two"] == [found.text]


def slide_blocks(inside: str) -> list[Block]:
    return list(blocks_of(etree.fromstring(f"<p:txBody {SPACES}>{inside}</p:txBody>"), (0.0, 0.0, 9.0, 9.0), {}, ()))


def slide_run(text: str, font: str = "") -> str:
    latin = f'<a:rPr><a:latin typeface="{font}"/></a:rPr>' if font else ""
    return f"<a:r>{latin}<a:t>{text}</a:t></a:r>"


def test_code_formulas_and_lines_of_slides() -> None:
    lines = "".join(f"<a:p>{slide_run(text, 'Consolas')}</a:p>" for text in ("if x == 1:", "    run(x)"))
    inline = f"<a:p>{slide_run('call ')}{slide_run('run(x)', 'Consolas')}{slide_run(' now')}</a:p>"
    broken = f"<a:p>{slide_run('one')}<a:br/>{slide_run('two')}</a:p>"
    equation = f"<a:p><a14:m>{formula('𝑓', '=', 'x')}</a14:m></a:p>"
    found = slide_blocks(lines + inline + broken + equation)
    assert shown(found) == [
        ("code", "if x == 1:\n    run(x)"), ("paragraph", "call run(x) now"), ("paragraph", "one\u2028two"), ("equation", "f=x"),
    ]  # fmt: skip
    assert found[1].spans == (Span(offset=5, length=6, code=True),)


@pytest.mark.parametrize(
    ("line", "after_code", "is_code"),
    [
        ("SELECT * FROM users WHERE active = 1;", False, True),
        ("x += 1", False, True),
        ("$ make test", False, True),
        ("# a comment", False, True),
        ("for n in rows:", False, True),
        ("    done", True, True),
        ("    done", False, False),
        ("The end (of it), so to say - or not.", True, False),
        ("", True, False),
    ],
)
def test_what_looks_like_code(line: str, after_code: bool, is_code: bool) -> None:
    assert looks_like_code(line, after_code=after_code) is is_code


def test_spaces_of_code_are_kept() -> None:
    assert code_text("  a\u00a0b\t=  1 ") == "  a b    =  1 "


def test_cells_of_a_text_document_keep_their_emphasis(tmp_path: Path) -> None:
    inside = f"<w:p>{r('a ')}{r('bold', '<w:b/>')}</w:p><w:p>{formula('π')}{r(' it')}</w:p>"
    body = f"<w:tbl><w:tr><w:tc>{inside}</w:tc><w:tc>{p('plain')}</w:tc></w:tr></w:tbl>"
    (found,) = blocks(tmp_path, word(body))
    assert found.table is not None
    first, second = found.table.cells
    assert (first.text, second.spans) == ("a bold\n\\pi it", ())
    assert first.spans == (Span(offset=2, length=4, bold=True), Span(offset=7, length=3, math=True))


def test_a_cell_does_not_begin_with_spaces(tmp_path: Path) -> None:
    (found,) = blocks(tmp_path, word(f"<w:tbl><w:tr><w:tc>{p(' Column A ')}</w:tc><w:tc>{p('B')}</w:tc></w:tr></w:tbl>"))
    assert found.table is not None
    assert found.table.cells[0].text == "Column A"
