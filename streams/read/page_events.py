"""What every way of reading pages has in common: the task, what comes of it, and pages as encoded events. A door to the codec and the blob store.

Guarantees: content is inline when small, else in the blob store in the same encoding; whatever a page raised is a failure with its code.
"""

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from schemas.blobs import BlobStore
from schemas.codec import HEADER_BYTES, encode
from schemas.content import PageContent
from schemas.errors import Code, PageloomError, Stage, failure_of
from schemas.events import DocumentOptions, PageExtracted, PageFailed, PageImage
from schemas.identity import Submission
from streams.read.parser_errors import PARSER_ERRORS
from streams.read.render import RenderedPage
from streams.settings import MAX_MESSAGE_PARTS

BLOCK_BYTES, CELL_BYTES = 112, 40
"""What a block and a cell take in an event besides their text: boxes, style, places."""


class ReadTask(Struct, frozen=True, kw_only=True):
    """A range to read, and the limits. `path` is a local file with the document; `parser` the one that found its pages. Figures are stored at
    `figure_dpi`, or not at all where that is 0. `layout`: the layout model may be asked, as the mode has it.
    """

    document_id: str
    submission: Submission
    path: str
    blob_url: str
    media_type: str
    filename: str
    page_count: int
    first_page: int
    last_page: int
    options: DocumentOptions
    inline_content_bytes: int
    max_render_pixels: int
    render_dpi: int
    low_confidence: float
    parser: str = "mupdf"
    figure_dpi: int = 0
    layout: bool = False
    max_message_parts: int = MAX_MESSAGE_PARTS


class RangeRead(Struct, frozen=True, kw_only=True):
    """What became of a range: encoded `PageExtracted` by page, images of the pages that need a model, and pages that failed."""

    events: list[tuple[int, bytes]]
    images: list[PageImage]
    failures: list[PageFailed]


def document_key(task: ReadTask) -> tuple[str, int, str]:
    """What tells one document that a process keeps open from another."""
    path = Path(task.path)
    return task.path, path.stat().st_size if path.is_file() else -1, task.media_type


def stored_image(task: ReadTask, store: BlobStore, number: int, rendered: RenderedPage, size_pt: tuple[float, float], rotation: int) -> PageImage:
    """Stores the image of a page that a model must read."""
    return PageImage(
        page=number,
        image=store.put_run(task.document_id, task.submission, f"page-{number}.png", rendered.png),
        pixels_sha256=rendered.pixels_sha256,
        width_px=rendered.width_px,
        height_px=rendered.height_px,
        dpi=rendered.dpi,
        width_pt=size_pt[0],
        height_pt=size_pt[1],
        rotation=rotation,
    )


def encoded(task: ReadTask, store: BlobStore, event: PageExtracted, content: PageContent) -> bytes:
    """The encoded event of a page, its content inline when small, else in the blob store in the same encoding."""
    if expected_bytes(content) <= task.inline_content_bytes:
        data = encode(replace(event, content=content))
        # Where the whole event is small, so is its content; only at the limit does it have to be told apart.
        if len(data) <= task.inline_content_bytes or HEADER_BYTES + len(data) - len(encode(event)) <= task.inline_content_bytes:
            return data
    packed = encode(content)
    if len(packed) <= task.inline_content_bytes:
        return encode(replace(event, content=content))
    return encode(replace(event, content_reference=store.put_run(task.document_id, task.submission, f"page-{content.page}.content", packed)))


def expected_bytes(content: PageContent) -> int:
    """About how many bytes a content is when encoded. Encoding is dear; a wrong guess costs a second one and changes nothing else."""
    cells = [cell for block in content.blocks if block.table is not None for cell in block.table.cells]
    texts = sum(len(block.text) for block in content.blocks) + sum(len(cell.text) for cell in cells)
    return texts + BLOCK_BYTES * len(content.blocks) + CELL_BYTES * len(cells)


def failed(task: ReadTask, number: int, error: Exception) -> PageFailed:
    """The failure of a page, by its cause. MemoryError is no fault of a page that can be told apart: it is raised on."""
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, PageloomError):
        code, cause = error.code, str(error)
    elif isinstance(error, PARSER_ERRORS) and not isinstance(error, (TypeError, LookupError)):
        code, cause = Code.CORRUPT, "what the file says of it is damaged, and no parser here can read it"
    else:
        code, cause = Code.INTERNAL, f"reading it raised {type(error).__name__}"
    failure = failure_of(code, Stage.READ, f"page {number} of {task.document_id[:200]}: {cause}")
    return PageFailed(document_id=task.document_id, submission=task.submission, page=number, failure=failure, filename=task.filename)
