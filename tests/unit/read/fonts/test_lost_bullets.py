"""Bullets without a meaning before the items of a list."""

from typing import Any

import pytest

from streams.read.fonts.lost_bullets import show_bullets


def span(text: str, x: float, y: float, font: str = "Helvetica") -> dict[str, Any]:
    chars = [{"c": letter} for letter in text]
    return {"chars": chars, "font": font, "size": 10.0, "origin": (x, y), "bbox": (x, y - 8, x + 5 * len(text), y + 2), "char_flags": 0}


def items(sign: str, words: str, *, count: int = 2, x: float = 64, font: str = "BookMaster") -> dict[str, Any]:
    lines = [{"spans": part} for n in range(count) for part in ([span(sign, 50, 100 + 20 * n, font)], [span(words, x, 100 + 20 * n)])]
    return {"blocks": [{"lines": lines}]}


def signs_of(raw: dict[str, Any]) -> list[str]:
    return ["".join(char["c"] for char in line["spans"][0]["chars"]) for line in raw["blocks"][0]["lines"][::2]]


def test_a_sign_that_comes_back_before_items_is_a_bullet() -> None:
    raw = items("\x02", "First, and most important")
    assert show_bullets(raw)
    assert signs_of(raw) == ["•", "•"]


def test_a_bullet_in_the_line_of_its_words() -> None:
    raw = {"blocks": [{"lines": [{"spans": [span("\x02", 50, y, "Marks"), span(" ", 55, y), span("An item", 64, y)]} for y in (100, 120)]}]}
    assert show_bullets(raw)


@pytest.mark.parametrize(
    "raw",
    [
        items("\x02", "First, and most important", count=1),  # once
        items("\x03", "0.9393"),  # a minus
        items("\x02", "First, and most important", x=55.5),  # a letter of the word
        items("\x02", "First, and most important", x=150),  # another cell
        items("\x02", "First, and most important", font="Helvetica"),  # the text's own font
        items("a", "First, and most important"),
    ],
)
def test_other_lone_characters_stay(raw: dict[str, Any]) -> None:
    before = signs_of(raw)
    assert not show_bullets(raw)
    assert signs_of(raw) == before
