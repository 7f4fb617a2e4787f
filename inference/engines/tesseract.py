"""Tesseract on a CPU through tesserocr: a light second engine, and the one for scripts that PP-OCR does not know. The only door to tesserocr.

Guarantees: with Tesseract's orientation data, a page is turned upright and its script is found before it is read, and a script without data on this
machine is refused by its name; without it, a page that reads badly is tried in the other directions. Nothing is downloaded.
"""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tesserocr
from msgspec import Struct
from msgspec.structs import replace

from inference.engines import tesseract_data
from inference.engines.unread_parts import unread_parts
from inference.figures import figures_of
from inference.images import (
    PagePixels,
    Pixels,
    Quad,
    bounds_of,
    gray_of,
    padded,
    painted_over,
    quad_of,
    straightened,
    turned,
    turned_quads,
)
from inference.layout import content_of, page_confidence
from inference.rules import marks_of, rules_of, size_of_print
from inference.skew import skew_of_marks
from inference.types import EngineOptions, PageAnswer, PageRead, PageRefused, PageText, TextLine, UnitAnswer, WordPlace
from schemas.errors import Code, PageloomError
from schemas.geometry import BBox, area, height, intersection_area, union, width

LEAST_ORIENTATION, LEAST_SCRIPT = 2.0, 1.0
"""Confidences (log odds, as Tesseract gives them) from which its word on orientation and on script is taken."""
PART_SCRIPT = 0.3
"""The same for a few lines, whose reading then proves it: five lines of Korean have 0.8."""
READS_WELL = 0.75
"""Mean confidence from which a language is taken to be the right one: the wrong script gives 0.3 to 0.6."""
UNMIXED = 0.95
"""Mean confidence from which a page in another script has no Latin words that were forced into it. Letters are told apart by it where there are none:
Hebrew prose came with .915 alone and .906 with English allowed, a Hebrew form with English names with .876 and .902.
"""
POOR = 0.6
"""Mean confidence under which a page is tried in the other directions."""
CLEARLY_BETTER = 0.15
"""Mean confidence that another direction must win over the page as it lies."""
RUBBISH = 0.3
"""Lines read with less are texture, not text."""
_SYLLABLES = re.compile("[\uac00-\ud7a3]{2}")
MAX_PARTS = 4
"""Parts of a page that are read again in another script."""
WORD_LEVEL, TSV_FIELDS = "5", 12
"""Of Tesseract's table: the rows that are words, and how many fields they have."""
PRINT_PX = 28.0
"""Type size in pixels of usual print at usual resolutions, for what must be done before any of it is read."""
UNTOLD_RULES = 2.5
"""How many times as long a rule must be to be taken away before text is known: no letter is half as long."""
BOX_TO_PRINT = 1.6 / 0.85
"""Tesseract's boxes hold a line's ink alone, others leave a margin (`rules.BOX_HEIGHT`)."""
MIN_SIDE = 40
"""Smaller images get a border: Tesseract refuses what is narrower than a line."""


class Found(Struct, frozen=True):
    """What is known of a page before it is read: degrees clockwise that it is turned, and its script; None for what is not known."""

    rotation: int | None
    script: str | None


class TesseractEngine:
    """The engine: pages one by one."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._languages: dict[str, list[str]] = {}
        self._has_orientation = False
        self._readers: dict[str, Any] = {}

    def warm_up(self) -> None:
        """Finds the data and loads the first language. Raises PageloomError without any."""
        files = tesseract_data.data_files()
        self._languages = tesseract_data.languages_by_script(set(files))
        if not self._languages:
            raise PageloomError(Code.ENGINE_FAILED, "Tesseract has no language data")
        # Tesseract takes data from one folder only; it may lie in several.
        self._folder = tempfile.TemporaryDirectory(prefix="pageloom-tessdata-")
        for name, path in files.items():
            (Path(self._folder.name) / f"{name}.traineddata").symlink_to(path)
        self._has_orientation = tesseract_data.ORIENTATION in files
        self._reader(self._default())

    def recognize(self, batch: Sequence[tuple[PagePixels, ...]], _attempt: int, /) -> list[UnitAnswer]:
        """Reads each page of each unit. There is nothing to change in a second attempt: the answer would be the same."""
        return [tuple(self._read(page) for page in unit) for unit in batch]

    def close(self) -> None:
        """Gives the models back."""
        for reader in self._readers.values():
            reader.End()
        self._readers.clear()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _read(self, page: PagePixels) -> PageAnswer:
        number = page.image.page
        try:
            text, script = self._best_read(page.bgr)
            if script is not None and script not in self._languages and quality(text) < READS_WELL:
                message = f"page {number}: it seems to be in {script} script, for which Tesseract has no language data here"
                return PageRefused(page=number, code=Code.SCRIPT_UNSUPPORTED, message=message)
            content = content_of(text, page.image, page.bgr.shape[1], page.bgr.shape[0])
        except PageloomError as error:
            return PageRefused(page=number, code=error.code, message=str(error))
        return PageRead(page=number, content=content, confidence=page_confidence(content))

    def _best_read(self, bgr: Pixels) -> tuple[PageText, str | None]:
        """The lines of a page in the language that reads it best, and the script that it seems to be in.

        The detected script only says what is tried first: on a few lines of Latin print it is wrong now and then, and a wrong language reads badly.
        """
        found = self._oriented(bgr)
        likely = self._languages.get(found.script, [])[:1] if found.script is not None else []
        best, dropped = PageText(()), list[TextLine]()
        for language in dict.fromkeys([*likely, self._default()]):
            text, left_out = self._mixed_lines(bgr, found.rotation or 0, language)
            if quality(text) >= quality(best):
                best, dropped = text, left_out
            if quality(best) >= READS_WELL:
                return self._with_other_scripts(bgr, best, dropped), found.script
        if best.lines and quality(best) < POOR:
            best = self._best_turned(bgr, best, likely[0] if likely else self._default())
        return best, found.script

    def _with_other_scripts(self, bgr: Pixels, text: PageText, dropped: Sequence[TextLine]) -> PageText:
        """An upright page that reads well, with those parts of it that do not read again in the script that each seems to be in. `dropped`: its lines
        that are not in `text`.
        """
        if text.rotation or not self._has_orientation:
            return text
        straight = straightened(bgr, text.skew) if text.skew else bgr
        for part in unread_parts(text, dropped, straight.shape[1], straight.shape[0])[:MAX_PARTS]:
            left, top, right, bottom = part
            cut = np.ascontiguousarray(straight[top:bottom, left:right])
            script = self._oriented(cut, PART_SCRIPT).script
            language = next(iter(self._languages.get(script, [])), None) if script is not None else None
            again = self._mixed_lines(cut, 0, language)[0] if language is not None else PageText(())
            own = [line for line in text.lines if intersection_area(line.bbox, part) > 0.5 * area(line.bbox)]
            if quality(again) > quality(PageText(tuple(own))) + CLEARLY_BETTER:
                moved = [replace(line, bbox=bounds_of(_shifted(line.bbox, -left, -top))) for line in again.lines]
                text = replace(text, lines=(*(line for line in text.lines if line not in own), *moved))
        return text

    def _oriented(self, bgr: Pixels, least_script: float = LEAST_SCRIPT) -> Found:
        """How the page lies and in which script it is written, each where that is told with enough confidence."""
        if not self._has_orientation:
            return Found(None, None)
        reader = self._reader(tesseract_data.ORIENTATION)
        _show(reader, padded(gray_of(bgr), MIN_SIDE)[0])
        told = reader.DetectOrientationScript()
        if not told:
            return Found(None, None)
        rotation = int(told["orient_deg"]) % 360 if told["orient_conf"] >= LEAST_ORIENTATION else None
        script = str(told["script_name"]) if told["script_conf"] >= least_script else None
        return Found(rotation, script if script in tesseract_data.SCRIPT_OF.values() else None)

    def _best_turned(self, bgr: Pixels, straight: PageText, language: str) -> PageText:
        best = max((self._lines(bgr, rotation, language)[0] for rotation in (0, 90, 180, 270) if rotation != straight.rotation), key=quality)
        return best if quality(best) > quality(straight) + CLEARLY_BETTER else straight

    def _mixed_lines(self, bgr: Pixels, rotation: int, language: str) -> tuple[PageText, list[TextLine]]:
        """The lines of a page as `_lines` gives them, with Latin words among those of another script where it reads better so."""
        alone = self._lines(bgr, rotation, language)
        latin = self._languages.get("Latin", [])[:1]
        if not latin or tesseract_data.SCRIPT_OF.get(language) == "Latin" or not alone[0].lines or quality(alone[0]) >= UNMIXED:
            return alone
        mixed = self._lines(bgr, rotation, f"{language}+{latin[0]}")
        return mixed if quality(mixed[0]) > quality(alone[0]) else alone

    def _lines(self, bgr: Pixels, rotation: int, language: str) -> tuple[PageText, list[TextLine]]:
        """The lines of a page that is turned by `rotation` degrees clockwise, in boxes of the page as it came; and the lines that are dropped as
        rubbish, in boxes of the page turned upright and straight.
        """
        upright = gray_of(turned(bgr, -rotation % 360) if rotation else bgr)
        skew = skew_of_marks(marks_of(upright, PRINT_PX))
        straight = straightened(upright, skew) if skew else upright
        # In the frames of a table Tesseract drops words or runs rows together; without them it reads on.
        marks = marks_of(straight, PRINT_PX)
        bare = painted_over(straight, rules_of(marks, PRINT_PX, (), UNTOLD_RULES), 1)
        image, left, top = padded(bare, MIN_SIDE)
        reader = self._reader(language)
        _show(reader, image)
        reader.Recognize()
        found = respaced(lines_of(reader.GetTSVText(0)), reader.GetUTF8Text())
        kept = [line for line in found if line.confidence >= RUBBISH]
        dropped = [replace(line, bbox=bounds_of(_shifted(line.bbox, left, top))) for line in found if line.confidence < RUBBISH]
        quads = [_shifted(line.bbox, left, top) for line in kept]
        rules = [quad_of(rule) for rule in rules_of(marks, BOX_TO_PRINT * size_of_print(quads), quads)]
        upright_lines = [replace(line, bbox=bounds_of(quad)) for line, quad in zip(kept, quads, strict=True)]
        figures = figures_of(straight, BOX_TO_PRINT * size_of_print(quads), upright_lines, [bounds_of(rule) for rule in rules], ()) if kept else []
        turned_boxes = turned_quads([*quads, *rules, *map(quad_of, figures)], rotation, straight.shape[1], straight.shape[0])
        boxes = [bounds_of(quad) for quad in turned_boxes]
        lines = [replace(line, bbox=box, rotation=rotation) for line, box in zip(kept, boxes, strict=False)]
        ruled, drawn = boxes[len(kept) : len(kept) + len(rules)], boxes[len(kept) + len(rules) :]
        return PageText(tuple(lines), rotation, len(dropped), skew, tuple(ruled), figures=tuple(drawn)), dropped

    def _default(self) -> str:
        """The language for a page of which nothing is known."""
        return next(iter(self._languages.get("Latin") or next(iter(self._languages.values()))))

    def _reader(self, language: str) -> Any:
        """Tesseract with one language, loaded once. Raises PageloomError for data that it refuses."""
        if language not in self._readers:
            folder = self._folder.name if self._folder is not None else ""
            mode = tesserocr.PSM.OSD_ONLY if language == tesseract_data.ORIENTATION else tesserocr.PSM.AUTO
            try:
                self._readers[language] = tesserocr.PyTessBaseAPI(path=folder, lang=language, psm=mode)
            except RuntimeError as error:
                raise PageloomError(Code.ENGINE_FAILED, f"Tesseract does not load its data for {language}") from error
        return self._readers[language]


def create_engine(_options: EngineOptions) -> TesseractEngine:
    """The engine, not yet loaded. It has no options: it reads what there is data for."""
    return TesseractEngine()


def quality(text: PageText) -> float:
    """The mean confidence 0..1 of the characters of a page, where lines that still stand on end count as unread; 0 for none.

    Tesseract reads lines that run up or down by itself: such a page has to be turned, though it reads well.
    """
    weight = sum(len(line.text) for line in text.lines)
    read = sum(line.confidence * len(line.text) for line in text.lines if not _stands_on_end(line))
    return read / weight if weight else 0.0


def _stands_on_end(line: TextLine) -> bool:
    sides = width(line.bbox), height(line.bbox)
    along, across = sides if line.rotation % 180 == 0 else sides[::-1]
    return len(line.text) > 2 and across > along


def lines_of(table: str) -> list[TextLine]:
    """The lines of Tesseract's table of words, in pixels of the image that it was shown; text in logical order, words from left to right.

    Its iterator over lines is no use: it gives right-to-left lines backwards, and the first word alone.
    """
    words: dict[tuple[str, ...], list[tuple[BBox, str, float]]] = {}
    for row in table.split("\n"):
        fields = row.split("\t")
        if len(fields) < TSV_FIELDS or fields[0] != WORD_LEVEL or not fields[11].strip():
            continue
        x, y, across, down = (float(field) for field in fields[6:10])
        words.setdefault(tuple(fields[1:5]), []).append(((x, y, x + across, y + down), fields[11].strip(), max(0.0, float(fields[10])) / 100))
    return [_line(line) for line in words.values()]


def _line(words: Sequence[tuple[BBox, str, float]]) -> TextLine:
    weight = sum(len(text) for _, text, _ in words)
    score = sum(len(text) * confidence for _, text, confidence in words) / weight
    box = union(box for box, _, _ in words)
    length = max(1.0, width(box))
    places = tuple(WordPlace(text, (x0 - box[0]) / length, (x1 - box[0]) / length) for (x0, _, x1, _), text, _ in sorted(words))
    return TextLine(box, " ".join(text for _, text, _ in words), score, 0, places)


def respaced(lines: Sequence[TextLine], text: str) -> list[TextLine]:
    """Lines of Korean with the spaces that Tesseract's own text has: its table of words gives the syllables of a word as words."""
    own = {"".join(line.split()): line.strip() for line in text.split("\n") if _SYLLABLES.search("".join(line.split()))}
    return [replace(line, text=own.get("".join(line.text.split()), line.text)) for line in lines]


def _shifted(box: BBox, left: int, top: int) -> Quad:
    """A box as corners, on the image without its border."""
    return quad_of((box[0] - left, box[1] - top, box[2] - left, box[3] - top))


def _show(reader: Any, gray: Pixels) -> None:
    reader.SetImageBytes(gray.tobytes(), gray.shape[1], gray.shape[0], 1, gray.shape[1])
