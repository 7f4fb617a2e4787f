"""What an Office file says of itself: title, author, dates (ECMA-376 part 2, core properties). Bounded, on one line each."""

from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.office.package import Package

MAX_VALUE = 2_000
"""Characters of a property: it travels in the event that opens the document."""

NAMES: dict[str, str] = {
    "{http://purl.org/dc/elements/1.1/}title": "title",
    "{http://purl.org/dc/elements/1.1/}creator": "author",
    "{http://purl.org/dc/elements/1.1/}subject": "subject",
    "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}keywords": "keywords",
    "{http://purl.org/dc/terms/}created": "created",
    "{http://purl.org/dc/terms/}modified": "modified",
}
"""The properties that are kept, and our names, the same as for PDF."""


def core_properties(package: Package) -> dict[str, str]:
    """The properties by our names; none where the file has no such part."""
    root = package.related_xml("", "core-properties")
    found: dict[str, str] = {}
    for element in root if root is not None else ():
        name = NAMES.get(element.tag)
        value = collapse(clean_text((element.text or "")[: 2 * MAX_VALUE]))[:MAX_VALUE]
        if name and value:
            found.setdefault(name, value)
    return found
