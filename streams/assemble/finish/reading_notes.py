"""What a person is told of a page that a model read in part, or badly: a sentence for each problem of which text may be lost. Pure data.

The problems' words are those of `RecognizedPage.problems`; all of them stand among the page's reasons, these among the document's warnings as well.
"""

from collections.abc import Iterable

_NEXT = "choose an engine that reads its script, or install Tesseract's data for it"
_NOTES = {
    "part_unread": f"a part of the page could not be read, and what stands for it may be wrong; {_NEXT}",
    "script_doubtful": f"the page may be in a script that the engine does not know; {_NEXT}",
    "first_engine_failed": "the engine that was asked for gave no reading; this is the second engine's",
    "damaged_markup": "the model's answer was damaged, and parts of the page may be missing",
}


def notes_of(problems: Iterable[str]) -> tuple[str, ...]:
    """The sentences for these problems, without the number of the page."""
    return tuple(_NOTES[problem] for problem in problems if problem in _NOTES)
