"""Emphasis in what is written: readers of Markdown and HTML find it again, and no text becomes markup by it."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from schemas.content import Block, BlockType, Link, Span
from schemas.events import Format
from streams.assemble.render import render
from streams.assemble.text.emphasis import MAX_JOINED_SPANS, joined_spans, respaced, sound_spans
from tests.unit.assemble.made_documents import block, build, heading, page, paragraph

PARSER = MarkdownIt("gfm-like", {"linkify": False})
TAGS = {"strong": "bold", "em": "italic", "s": "struck"}
WRITTEN_TAGS = {f"<{slash}{tag}>": ("" if slash else tag, tag) for tag in TAGS for slash in ("", "/")}


def spans(*found: tuple[int, int, str]) -> tuple[Span, ...]:
    """Spans by offset, length and what is so: `b`, `i`, `s`, `c` for code and `m` for a formula."""
    return tuple(
        Span(offset=offset, length=length, bold="b" in how, italic="i" in how, struck="s" in how, code="c" in how, math="m" in how)
        for offset, length, how in found
    )


def markdown(*blocks: Block) -> str:
    """One page's blocks as Markdown, without the last line break."""
    return render(build(page(1, *blocks)), Format.MARKDOWN).rstrip("\n")


def read_back(text: str) -> tuple[str, list[frozenset[str]]]:
    """What a reader of Markdown shows of the only paragraph, and how each character is set."""
    inline = [token for token in PARSER.parse(text) if token.type == "inline"]
    assert len(inline) == 1
    shown, how, stack = "", [], []
    for child in inline[0].children or []:
        name = TAGS.get(child.tag)
        if child.nesting == 1 and name:
            stack.append(name)
        elif child.nesting == -1 and name:
            stack.remove(name)
        elif child.type == "html_inline":
            opened, tag = WRITTEN_TAGS[child.content]
            if opened:
                stack.append(TAGS[tag])
            else:
                assert stack.pop() == TAGS[tag]
        elif child.type in ("text", "code_inline"):
            shown += child.content
            how += [frozenset([*stack, *(["code"] if child.type == "code_inline" else [])])] * len(child.content)
        else:
            assert child.type in ("link_open", "link_close"), child.type
    return shown, how


SIGNS = st.lists(st.sampled_from([*"abc1 *_`~[](){}<>#+-.!|\\&;:/=$\"'^，：。（）é我²", "&amp;", "](", "**", "  ", "<b>"]), max_size=14).map("".join)
PARTS = st.lists(st.tuples(SIGNS, st.sampled_from(["", "", "b", "i", "bi", "s", "bs", "c", "bc", "cis"])), min_size=1, max_size=6)


@given(PARTS)
@settings(max_examples=400, deadline=None)
@example([("重要：", "b"), ("请看", "")])
@example([("<", ""), ("b>", "i"), ("x", "")])
@example([("[", "i"), ("a](javascript:x)", "")])
@example([("a", "b"), ("b", "i"), ("c", "bi")])
@example([("(", "i"), ("x", "")])
@example([("Name", ""), (": Alice", "b"), (" said", "")])
@example([("alt", ""), ("neu", "bs"), ("er", "")])
@example([("a", "bs"), ("b", "bis"), ("c", "i")])
@example([("（重要）", "b"), ("と", "")])
@example([("x", "b"), ("y", "bc"), ("`", "c"), ("z", "i")])
@example([("a", ""), (",", "s"), ("b", "i"), ("(c)", "bi"), ("d", "")])
@example([("a", "b"), ("b", "bi"), ("(c", "b"), ("d", "i")])
@example([("a", "bi"), ("a", "b"), ("a", "bi")])
@example([("(a", "bi"), ("b", "i"), ("c)", "bi"), ("d", "b")])
def test_markdown_sets_every_word_as_it_is_and_loses_no_character(parts):
    text, found = "", []
    for part, how in parts:
        if how and part:
            found.append((len(text), len(part), how))
        text += part
    if " ".join(text.split()) != text or not text:
        return
    shown, settings_shown = read_back(markdown(paragraph(text, spans=spans(*found))))
    assert shown == text
    wanted = [frozenset()] * len(text)
    for offset, length, how in found:
        names = frozenset({"b": "bold", "i": "italic", "s": "struck", "c": "code"}[sign] for sign in how)
        wanted[offset : offset + length] = [names] * length
    for character, there, wants in zip(text, settings_shown, wanted, strict=True):
        assert there == wants or (there == frozenset() and not character.isalnum()), (character, there, wants)


def test_words_are_set_as_they_are():
    text = "Note: a whole word, then others gone."
    made = markdown(paragraph(text, spans=spans((0, 5, "b"), (8, 10, "bi"), (25, 6, "i"), (32, 4, "s"))))
    assert made == "**Note:** a ***whole word***, then *others* ~~gone~~."
    assert read_back(made)[0] == text


def test_a_bold_text_whose_first_or_last_word_leans_is_one():
    abstract = "Abstract—All of it."
    assert markdown(paragraph(abstract, spans=spans((0, 8, "bi"), (8, 11, "b")))) == "***Abstract*—All of it.**"
    assert (
        markdown(paragraph(abstract, spans=spans((0, 8, "b"), (8, 1, "bi"), (9, 10, "b")))) == "**Abstract**<strong><em>—</em></strong>**All of it.**"
    )
    assert markdown(paragraph("Thex of it", spans=spans((0, 3, "i"), (3, 1, "bi")))) == "*The**x*** of it"


def test_punctuation_before_a_word_and_spaces_stay_outside():
    assert markdown(paragraph("重要：请看", spans=spans((0, 3, "b")))) == "**重要**：请看"
    assert markdown(paragraph("very (much),so", spans=spans((4, 8, "i")))) == "very <em>(much),</em>so"
    assert markdown(paragraph("a word here", spans=spans((1, 6, "b")))) == "a **word** here"


def test_brackets_and_quotation_marks_are_not_torn():
    assert markdown(paragraph("（重要）と言う", spans=spans((0, 4, "b")))) == "<strong>（重要）</strong>と言う"
    assert markdown(paragraph("彼は「重要」と言う", spans=spans((2, 4, "b")))) == "彼は「**重要**」と言う"
    assert markdown(paragraph("注（一）と二", spans=spans((0, 4, "bi")))) == "<strong><em>注（一）</em></strong>と二"
    assert markdown(paragraph("注（一）", spans=spans((0, 4, "b")))) == "**注（一）**"
    assert markdown(paragraph("der „Rat“s", spans=spans((4, 5, "i")))) == "der <em>„Rat“</em>s"


def test_what_no_sign_can_set_is_tagged():
    assert markdown(paragraph("altneuer", spans=spans((3, 3, "bs")))) == "alt<s><strong>neu</strong></s>er"
    assert markdown(paragraph("one two", spans=spans((0, 3, "b"), (3, 4, "i")))) == "**one** *two*"
    assert markdown(paragraph("onetwo", spans=spans((0, 3, "b"), (3, 3, "i")))) == "**one**<em>two</em>"
    assert markdown(paragraph("1,5", spans=spans((1, 1, "s")))) == "1<s>,</s>5"


def test_links_notes_and_emphasis_stand_together():
    links = (Link(text="the site", target="https://example.org/"),)
    note = block("1 The note.", 700, BlockType.FOOTNOTE)
    made = markdown(paragraph("Read the site now, it is good¹ indeed.", links=links, spans=spans((0, 17, "b"), (25, 12, "i"))), note)
    assert made.split("\n")[0] == "**Read [the site](https://example.org/) now**, it is *good*[^1] *indeed*."
    html = render(build(page(1, paragraph("Read the site now", links=links, spans=spans((0, 17, "b"))))), Format.HTML)
    assert '<strong>Read </strong><strong><a href="https://example.org/"' in html


def test_html_nests_and_escapes():
    html = render(build(page(1, paragraph("a <b> & c d", spans=spans((2, 3, "bi"), (10, 1, "s"))))), Format.HTML)
    assert "a <strong><em>&lt;b&gt;</em></strong> &amp; c <s>d</s>" in html


def test_items_and_headings():
    assert markdown(block("1. First word", 100, BlockType.LIST_ITEM, spans=spans((3, 5, "b")))) == "1. **First** word"
    assert markdown(heading("The *Homo* kind", spans=spans((4, 6, "i")))) == "# The *\\*Homo\\** kind"


def test_code_is_written_as_it_is():
    document = build(page(1, block("a * b", 100, BlockType.CODE, spans=spans((0, 1, "b")))))
    assert document.blocks[0].spans == ()
    assert render(document, Format.MARKDOWN) == "```\na * b\n```\n"


def test_a_paragraph_over_a_page_keeps_its_emphasis():
    first = paragraph("It says that the most impor-", 780, spans=spans((13, 15, "i")))
    second = paragraph("tant word goes on and the last one ends it.", 60, spans=spans((0, 9, "i"), (26, 8, "b")))
    document = build(page(1, paragraph("An important word.", 100), first), page(2, second))
    whole = document.blocks[1]
    assert whole.text == "It says that the most important word goes on and the last one ends it."
    assert [whole.text[s.offset : s.offset + s.length] for s in whole.spans] == ["the most important word", "last one"]


def test_a_text_of_lines_is_made_one():
    made = block("Two\n  lines of words", 100, spans=spans((0, 3, "b"), (6, 5, "i")))
    whole = build(page(1, made)).blocks[0]
    assert whole.text == "Two lines of words"
    assert [whole.text[s.offset : s.offset + s.length] for s in whole.spans] == ["Two", "lines"]


def test_untrusted_spans_are_made_sound():
    wild = spans((-1, 3, "b"), (0, 2, "b"), (1, 2, "i"), (3, 0, "b"), (3, 99, "b"), (4, 1, ""), (4, 1, "s"))
    assert sound_spans(wild, "some text") == spans((0, 2, "b"), (4, 1, "s"))


@given(st.text("ab \n", max_size=20), st.data())
@settings(max_examples=100)
def test_respacing_keeps_the_characters_of_every_span(text, data):
    start = data.draw(st.integers(0, max(0, len(text) - 1)))
    length = data.draw(st.integers(0, len(text) - start))
    found = sound_spans(spans((start, length, "b")), text)
    line = " ".join(text.split())
    moved = respaced(found, text, line)
    kept = "".join(line[s.offset : s.offset + s.length] for s in moved)
    assert re.sub(r"\s", "", kept) == re.sub(r"\s", "", "".join(text[s.offset : s.offset + s.length] for s in found))


def test_a_cut_hyphen_is_cut_from_the_emphasis():
    assert joined_spans(spans((0, 5, "b")), spans((0, 4, "b")), 4, 4) == spans((0, 8, "b"))
    assert joined_spans(spans((0, 5, "b")), spans((0, 4, "i")), 4, 4) == spans((0, 4, "b"), (4, 4, "i"))
    assert joined_spans(spans((4, 1, "b")), (), 4, 4) == ()


def test_a_text_over_many_pages_has_a_bounded_number_of_spans():
    parts = [paragraph("word " * 400 + "and", 700, spans=spans(*((5 * n, 4, "b") for n in range(400)))) for _ in range(60)]
    (whole,) = build(*(page(number, part) for number, part in enumerate(parts, 1))).blocks
    assert len(whole.spans) == MAX_JOINED_SPANS
    assert all(whole.text[s.offset : s.offset + s.length] == "word" for s in whole.spans)
