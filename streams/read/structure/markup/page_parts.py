"""What the parts of a page mean that are more than running text: furniture, figures, formulas, fields, tables. Each function reads one element."""

from collections.abc import Mapping

from msgspec.structs import replace

from schemas.content import FURNITURE, Block, BlockType, FormField, Link
from streams.read.blocks.emphasis import MATH
from streams.read.structure.cell_text import CellText, joined_text
from streams.read.structure.logical_page import UNPLACED
from streams.read.structure.markup import forms, names
from streams.read.structure.markup.inline_text import MAX_BLOCK_LINKS, normalised
from streams.read.structure.markup.lists import BULLET
from streams.read.structure.markup.mathml import MAX_DEPTH, MAX_FORMULA, is_display, to_latex
from streams.read.structure.markup.pictures import shown_picture
from streams.read.structure.markup.reader import BlockReader, Handler, text_of_blocks
from streams.read.structure.markup.running_text import read_heading
from streams.read.structure.markup.tables import cells_in_order, is_layout, read_table
from streams.read.structure.markup.tree import Element, classes_of, is_deeper, is_hidden, kind_of, name_of, plain_text, value_of

MAX_PARTS = 200
"""Blocks of one figure among which captions are bound to pictures."""
MAX_FURNITURE = 2_000
"""Characters of one piece of furniture: the menu of a site has thousands, and nobody reads them."""


def read_division(reader: BlockReader, element: Element) -> None:
    """A `div` may play any role."""
    roles = kind_of(element).split()
    if "heading" in roles:
        read_heading(reader, element)
    elif "navigation" in roles:
        read_furniture(reader, element)
    else:
        reader.block(element)


def read_section(reader: BlockReader, element: Element) -> None:
    """A part of the page, inside which heads and feet are its own."""
    before, reader.in_section = reader.in_section, True
    reader.block(element)
    reader.in_section = before


def read_furniture(reader: BlockReader, element: Element) -> None:
    """Navigation, as one block: a head where no text was yet, a foot after it. The contents of a book are content."""
    reader.flush()
    if set(kind_of(element).split()) & names.CONTENTS_KINDS or value_of(element, "id").lower() == "toc":
        reader.block(element)
        return
    first, pictures = len(reader.blocks), len(reader.pictures)
    with reader.apart():
        reader.block(element)
    inside = reader.blocks[first:]
    del reader.blocks[first:], reader.pictures[pictures:]
    text = text_of_blocks(inside, " · ").replace(BULLET, "")[:MAX_FURNITURE]
    if text:
        has_body = any(block.type not in FURNITURE for block in reader.blocks)
        links = tuple(link for block in inside for link in block.links)[:MAX_BLOCK_LINKS]
        reader.add(BlockType.PAGE_FOOTER if has_body else BlockType.PAGE_HEADER, text, links)


def read_head_or_foot(reader: BlockReader, element: Element) -> None:
    """`header` and `footer`: of the page, furniture unless the title of the text stands there; of a section, content."""
    if reader.in_section or any(name_of(inner) in names.HEADINGS for inner in element.iterdescendants()):
        read_section(reader, element)
    else:
        read_furniture(reader, element)


def read_figure(reader: BlockReader, element: Element) -> None:
    """A figure: what it shows and its caption. One of a caption alone, as its picture cannot be read, has the caption's text."""
    reader.flush()
    first = len(reader.blocks)
    read_section(reader, element)
    _name_labels(reader, element, first)
    inside = reader.blocks[first:]
    if inside and all(block.type is BlockType.CAPTION for block in inside):
        del reader.blocks[first:]
        links = tuple(link for block in inside for link in block.links)
        reader.add(BlockType.FIGURE, text_of_blocks(inside, " "), links)
        return
    shown = [number for number, block in enumerate(inside[:MAX_PARTS], first + 1) if block.type in (BlockType.FIGURE, BlockType.TABLE)]
    for number, block in enumerate(inside[:MAX_PARTS], first):
        if block.type is BlockType.CAPTION and block.caption_of is None and shown:
            nearest = min(shown, key=lambda place: abs(place - 1 - number))
            reader.blocks[number] = replace(block, caption_of=nearest)


def _name_labels(reader: BlockReader, figure: Element, first: int) -> None:
    """The text inside a picture, where this program wrote it beside the picture, becomes the figure's again."""
    if not any("labels" in classes_of(child) for child in figure):
        return
    inside = reader.blocks[first:]
    labels = next((block for block in inside if block.type is BlockType.PARAGRAPH), None)
    picture = next((block for block in inside if block.type is BlockType.FIGURE), None)
    if labels is None:
        return
    if picture is not None:
        inside.remove(labels)
    place = inside.index(picture or labels)
    inside[place] = replace(inside[place], type=BlockType.FIGURE, text=labels.text)
    reader.blocks[first:] = inside


def read_caption(reader: BlockReader, element: Element) -> None:
    """The caption of a figure or table."""
    reader.block(element, BlockType.CAPTION)


def read_picture(reader: BlockReader, element: Element) -> None:
    """A picture: a figure behind the text it stands in, or, where it stands for a sign or formula, its text in the line."""
    shown = shown_picture(element, reader.load)
    if shown is None:
        return
    if shown.is_formula:
        _add_formula(reader, shown.text, is_block=False)
    elif shown.is_inline:
        reader.say(f" {shown.text} " if len(shown.text) > 2 else shown.text)
    else:
        reader.put_behind(Block(type=BlockType.FIGURE, bbox=UNPLACED, text=shown.text), shown.picture)


def read_drawing(reader: BlockReader, element: Element) -> None:
    """A drawing inside the page: the pictures in it, else its title and the text it holds."""
    images = [inner for inner in element.iter() if name_of(inner) == "image"]
    for image in images:
        read_picture(reader, image)
    text = "" if images else normalised(plain_text(element))
    if text:
        reader.put_behind(Block(type=BlockType.FIGURE, bbox=UNPLACED, text=text))


def read_math(reader: BlockReader, element: Element) -> None:
    """A formula: a block of its own, or LaTeX in the line."""
    if is_deeper(element, MAX_DEPTH):
        reader.warnings.append(f"a formula is nested deeper than {MAX_DEPTH} elements: its inside is kept as plain text")
    _add_formula(reader, to_latex(element), is_block=is_display(element))


def read_script(reader: BlockReader, element: Element) -> None:
    """A formula that a script was to set (MathJax); any other script is no text."""
    kind = value_of(element, "type").lower()
    if kind.startswith("math/tex"):
        _add_formula(reader, normalised(element.text or "")[:MAX_FORMULA], is_block="mode=display" in kind.replace(" ", ""))


def _add_formula(reader: BlockReader, tex: str, *, is_block: bool) -> None:
    if is_block and tex:
        reader.flush()
        reader.add(BlockType.EQUATION, tex)
    elif tex:
        before, reader.line.setting = reader.line.setting, MATH
        reader.say(tex)
        reader.line.setting = before


def read_control(reader: BlockReader, element: Element) -> None:
    """A form field, behind the text it stands in. A box without a name is a sign in the line, as in a list of tasks."""
    kind = value_of(element, "type").lower()
    if kind == "radio":
        _read_radio(reader, element)
        return
    field = forms.field_of(element, reader.forms.label_of(element))
    parent = element.getparent()
    if kind == "checkbox" and (field is None or (parent is not None and name_of(parent) == "li" and element.get("name") is None)):
        reader.say(f"{forms.CHECKED if forms.is_checked(element) else forms.UNCHECKED} ")
    elif field is not None:
        _add_field(reader, field)


def read_paragraph(reader: BlockReader, element: Element) -> None:
    """A paragraph; one that says that it is a form field has the field's name in bold, as this program writes it."""
    name = next((child for child in element if name_of(child) == "strong"), None)
    if name is None or "form_field" not in classes_of(element):
        reader.block(element)
        return
    reader.flush()
    label = normalised(plain_text(name))[: forms.MAX_NAME]
    _add_field(reader, FormField(name=label, value=normalised(name.tail or "")[: forms.MAX_VALUE], label=label))


def _read_radio(reader: BlockReader, element: Element) -> None:
    """All buttons of one name, where the first of them stands."""
    name = value_of(element, "name")
    if name not in reader.forms.groups_read:
        reader.forms.groups_read.add(name)
        _add_field(reader, forms.radio_field(reader.forms.group_of(element)))


def _add_field(reader: BlockReader, field: FormField) -> None:
    reader.put_behind(Block(type=BlockType.FORM_FIELD, bbox=UNPLACED, text=field.value, field=field))


def read_data_table(reader: BlockReader, element: Element) -> None:
    """A table of data as one block, its caption before it; the cells of one that lays out a page as text in order."""
    reader.flush()
    if is_layout(element):
        for part in element:
            if name_of(part) == "caption":
                reader.element(part)
        for cell in cells_in_order(element):
            reader.block(cell)
        return
    reader.marker = None
    links: list[Link] = []
    found = read_table(element, lambda cell: _cell_text(reader, cell, links))
    if found is None:
        return
    if found.rows_left_out:
        reader.warnings.append(f"a table is too large: its last {found.rows_left_out} rows are left out")
    if found.cells_left_out:
        reader.warnings.append(f"a table is too wide: {found.cells_left_out} cells beyond its first columns are left out")
    first = len(reader.blocks)
    if found.caption is not None and not is_hidden(found.caption):
        read_caption(reader, found.caption)
    reader.blocks.append(Block(type=BlockType.TABLE, bbox=UNPLACED, table=found.table, links=tuple(links[:MAX_BLOCK_LINKS])))
    for number in range(first, len(reader.blocks) - 1):
        if reader.blocks[number].type is BlockType.CAPTION:
            reader.blocks[number] = replace(reader.blocks[number], caption_of=len(reader.blocks))


def _cell_text(reader: BlockReader, cell: Element, links: list[Link]) -> CellText:
    """What a cell says, on one line; its links are added to `links`. Its pictures are their words."""
    if len(cell) == 0:
        return CellText(normalised(cell.text or ""))
    inner = BlockReader(reader.root, reader.handlers, reader.resolve, _load_nothing)
    inner.forms, inner.in_section = reader.forms, True
    inner.depth = reader.depth
    inner.children(cell)
    inner.flush()
    reader.warnings += inner.warnings
    for identity in inner.anchors:
        reader.anchors.setdefault(identity, len(reader.blocks))
    if len(links) < MAX_BLOCK_LINKS:
        links += [link for block in inner.blocks for link in block.links]
    return joined_text((CellText(text_of_blocks([block], " "), block.spans) for block in inner.blocks), " ")


def _load_nothing(_address: str) -> None:
    return None


PART_HANDLERS: Mapping[str, Handler] = {
    "div": read_division,
    "p": read_paragraph,
    **dict.fromkeys(names.SECTIONS - {"figure", "td", "th"}, read_section),
    "nav": read_furniture,
    **dict.fromkeys(("header", "footer"), read_head_or_foot),
    "figure": read_figure,
    **dict.fromkeys(("figcaption", "caption"), read_caption),
    "img": read_picture,
    "svg": read_drawing,
    "math": read_math,
    "script": read_script,
    **dict.fromkeys(("input", "select", "textarea", "output", "meter", "progress"), read_control),
    "table": read_data_table,
}
"""How each part of a page is read."""
