"""Markers of list items."""

import pytest

from streams.assemble.render.markers import Item, MarkerKind, split_item


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("• An item", Item(MarkerKind.BULLET, "An item")),
        ("●An item", Item(MarkerKind.BULLET, "An item")),  # glued, as some writers of PDF set it
        ("– An item", Item(MarkerKind.BULLET, "An item")),
        ("–5 degrees", Item(MarkerKind.OTHER, "–5 degrees")),
        ("*emphasis*", Item(MarkerKind.OTHER, "*emphasis*")),
        ("o An item", Item(MarkerKind.BULLET, "An item")),
        ("of course", Item(MarkerKind.OTHER, "of course")),
        ("12) An item", Item(MarkerKind.NUMBER, "An item", 12, ")")),
        ("□ An item", Item(MarkerKind.BULLET, "An item")),
        ("□ Yes √ No", Item(MarkerKind.OTHER, "□ Yes √ No")),
        ("✓ Yes ☐ No", Item(MarkerKind.OTHER, "✓ Yes ☐ No")),
        ("✓ Done", Item(MarkerKind.BULLET, "Done")),
        ("•", Item(MarkerKind.OTHER, "•")),
    ],
)
def test_markers(text: str, item: Item) -> None:
    assert split_item(text) == item
