"""Lines of contents: a title, and far at the right its page."""

from test_paragraphs import block, line, split

from streams.read.blocks.contents_lines import is_among_entries, is_entry


def entries(*titles: str, x1: float = 450) -> list[str]:
    return [f"{title} {number + 1}" for number, title in enumerate(titles)]


def test_long_titles_among_entries_stand_alone() -> None:
    """A title that leaves hardly a dot before its page looks like prose but for its company."""
    long = "1.2 Demonstrating all of the data access with a view and with every row and column mask of it 3"
    texts = ["1 Preface 1", "1.1 Authors 2", long, long.replace("1.2", "1.3"), "2 Roles 5", "2.1 Notes 6"]
    lines = [line(text, 100 + 13 * number) for number, text in enumerate(texts)]
    assert not is_entry(lines[2])
    assert is_among_entries(lines[2], lines)
    assert [len(paragraph) for paragraph in split(*lines)] == [1] * 6


def test_prose_that_ends_with_a_year_is_none() -> None:
    lines = [*block(0, 3, 100), line("the words of the law that they had passed in the summer of 1998", 139), *block(4, 3, 152)]
    assert not is_among_entries(lines[3], lines)
    assert len(split(*lines)) == 1
