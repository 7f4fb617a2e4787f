"""The real engine on pages made here, in a process that has no network: it reads with what its wheel holds."""

import subprocess
import sys
from pathlib import Path

import pymupdf
import pytest
from msgspec import msgpack
from rapidfuzz.distance import Levenshtein

import inference
from inference.engines import ppocr_models
from inference.types import PageAnswer, PageInput, PageRead
from schemas.content import BlockType
from schemas.errors import PageloomError
from tests.unit.inference.making import page_image

PROSE = (
    "The committee met on Tuesday and approved the budget for the coming year. Repairs of the northern bridge begin in April and are to "
    "last until autumn; the school keeps its two classes, and the library will open on Saturdays."
)
ROWS = [("Country", "Area", "People"), ("Norway", "385", "5.5"), ("Sweden", "450", "10.6"), ("Denmark", "43", "5.9")]

OFFLINE = """
import socket, sys
def refuse(*_): raise AssertionError("the engine wants the network")
socket.socket.connect = socket.socket.connect_ex = socket.create_connection = socket.getaddrinfo = refuse
from msgspec import msgpack
from inference.engines.rapidocr import create_engine
from inference.images import PagePixels
from inference.types import EngineOptions, PageAnswer, PageInput
pages = msgpack.decode(sys.stdin.buffer.read(), type=list[PageInput])
engine = create_engine(EngineOptions())
engine.warm_up()
answers = engine.recognize([(PagePixels(page.image, page.png, 42_000_000),) for page in pages], 1)
sys.stdout.buffer.write(msgpack.encode([answer[0] for answer in answers]))
"""


def rendered(number: int, draw, width: int = 320, height: int = 200, dpi: int = 150) -> PageInput:
    page = pymupdf.open().new_page(width=width, height=height)
    draw(page)
    pixmap = page.get_pixmap(dpi=dpi, alpha=False)
    png = pixmap.tobytes("png")
    return PageInput(page_image(number, png, pixmap.width, pixmap.height, dpi), png)


def draw_table(page) -> None:
    for row, texts in enumerate(ROWS):
        for x, text in zip((30, 130, 230), texts, strict=True):
            page.insert_text((x, 50 + 20 * row), text, fontsize=11)


@pytest.fixture(scope="module")
def answers() -> list[PageRead]:
    pages = [
        rendered(1, lambda page: page.insert_textbox((30, 30, 290, 190), PROSE, fontsize=11, fontname="tiro")),
        rendered(2, lambda page: page.insert_textbox((30, 30, 190, 190), PROSE, fontsize=5, fontname="helv"), width=595, height=842, dpi=200),
        rendered(3, draw_table),
        rendered(4, lambda page: None),
    ]
    root = Path(inference.__file__).parent.parent
    ran = subprocess.run([sys.executable, "-c", OFFLINE], input=msgpack.encode(pages), capture_output=True, cwd=root, check=False, timeout=100)
    assert ran.returncode == 0, ran.stderr.decode()
    assert ran.stderr == b"", "the model library is not silent"
    found = msgpack.decode(ran.stdout, type=list[PageAnswer])
    assert all(isinstance(answer, PageRead) for answer in found)
    return found


def distance(answer: PageRead, text: str) -> float:
    found = "".join("".join(block.text for block in answer.content.blocks).lower().split())
    return Levenshtein.normalized_distance(found, "".join(text.lower().split()))


def test_a_page_of_prose_is_one_paragraph_that_says_what_it_says(answers):
    assert distance(answers[0], PROSE) < 0.01
    (block,) = answers[0].content.blocks
    assert block.type is BlockType.PARAGRAPH
    assert 9.5 < block.style.size_pt < 12.5
    assert answers[0].confidence > 0.95


def test_small_print_on_a_large_page_is_read(answers):
    assert distance(answers[1], PROSE) < 0.02


def test_a_table_in_an_image_keeps_its_rows(answers):
    (block,) = answers[2].content.blocks
    assert [cell.text for cell in block.table.cells] == [text for row in ROWS for text in row]


def test_an_empty_page_has_no_text(answers):
    assert answers[3].content.blocks == ()


def test_the_version_names_code_and_weights():
    assert ppocr_models.version().startswith("rapidocr-3.10.0+")


def test_a_missing_model_is_an_error_and_no_download():
    with pytest.raises(PageloomError, match="install the package again"):
        ppocr_models.model_path("no-such-model.onnx")
