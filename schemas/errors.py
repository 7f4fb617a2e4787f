"""Every way a document or a page can fail, in one table: whose fault it is, whether to try again, and what a person does next.

Inside a stage a failure is raised as `PageloomError`; at the edge of the stage it becomes data (`Failure`) and travels in an event. Codes
are public: dashboards and replays go by them, never by the text of a message.
"""

from enum import Enum
from pathlib import Path

from msgspec import Struct


class Fault(str, Enum):
    """Whose fault a failure is."""

    DOCUMENT = "document"
    SYSTEM = "system"
    BUG = "bug"


class Stage(str, Enum):
    """Where a failure happened."""

    OPEN = "open"
    READ = "read"
    INFER = "infer"
    ASSEMBLE = "assemble"
    INDEX = "index"


class Code(str, Enum):
    """What went wrong."""

    EMPTY_FILE = "empty_file"
    UNKNOWN_TYPE = "unknown_type"
    ENCRYPTED = "encrypted"
    WRONG_PASSWORD = "wrong_password"
    CORRUPT = "corrupt"
    NO_PAGES = "no_pages"
    TOO_MANY_PAGES = "too_many_pages"
    TOO_LARGE = "too_large"
    TOO_MANY_PIXELS = "too_many_pixels"
    NO_SUCH_PAGES = "no_such_pages"
    INVALID_OPTIONS = "invalid_options"
    INVALID_KEY = "invalid_key"
    URI_NOT_SUPPORTED = "uri_not_supported"
    URI_NOT_ALLOWED = "uri_not_allowed"
    URI_NOT_FOUND = "uri_not_found"
    URI_UNREACHABLE = "uri_unreachable"
    UNDECODABLE = "undecodable"
    NOT_LOG_APPEND_TIME = "not_log_append_time"
    TIMED_OUT = "timed_out"
    CRASHED = "crashed"
    OUT_OF_MEMORY = "out_of_memory"
    BLOB_MISSING = "blob_missing"
    STORE_UNAVAILABLE = "store_unavailable"
    ENGINE_UNKNOWN = "engine_unknown"
    ENGINE_FAILED = "engine_failed"
    SCRIPT_UNSUPPORTED = "script_unsupported"
    MESSAGE_TOO_LARGE = "message_too_large"
    NO_PROGRESS = "no_progress"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"
    NOT_INDEXED = "not_indexed"
    INTERNAL = "internal"


class Rule(Struct, frozen=True):
    """What holds for a code: whose fault, whether the same input may succeed later, and the next step for a person."""

    fault: Fault
    retryable: bool
    next_step: str


RULES: dict[Code, Rule] = {
    Code.EMPTY_FILE: Rule(Fault.DOCUMENT, False, "send the file again"),
    Code.UNKNOWN_TYPE: Rule(Fault.DOCUMENT, False, "send a PDF, picture, DOCX, PPTX, XLSX, EPUB, XPS, HTML, Markdown, CSV, e-mail or text file"),
    Code.ENCRYPTED: Rule(
        Fault.DOCUMENT, False, "send it again saved without a password, or a PDF with its password (`--password-file`, or the header `password`)"
    ),
    Code.WRONG_PASSWORD: Rule(Fault.DOCUMENT, False, "send the document again with the right password"),
    Code.CORRUPT: Rule(
        Fault.DOCUMENT,
        False,
        "open it in another program and save it again (`mutool clean` and `qpdf` repair many a PDF), or export it again from its source",
    ),
    Code.NO_PAGES: Rule(Fault.DOCUMENT, False, "repair the file; no parser finds a page in it"),
    Code.TOO_MANY_PAGES: Rule(Fault.DOCUMENT, False, "send parts of it, or raise max_pages in the settings"),
    Code.TOO_LARGE: Rule(Fault.DOCUMENT, False, "send a smaller file, or raise the size limit in the settings"),
    Code.TOO_MANY_PIXELS: Rule(Fault.DOCUMENT, False, "send a smaller image, or raise the pixel limit in the settings"),
    Code.NO_SUCH_PAGES: Rule(Fault.DOCUMENT, False, "ask for pages that the document has"),
    Code.INVALID_OPTIONS: Rule(Fault.DOCUMENT, False, "correct the option that the message names"),
    Code.INVALID_KEY: Rule(Fault.DOCUMENT, False, "publish under a key of at most 512 bytes of UTF-8 text"),
    Code.URI_NOT_SUPPORTED: Rule(Fault.DOCUMENT, False, "send the bytes of the document instead of a URI"),
    Code.URI_NOT_ALLOWED: Rule(Fault.DOCUMENT, False, "send the bytes instead, or have its root added to uri_roots in the settings"),
    Code.URI_NOT_FOUND: Rule(Fault.DOCUMENT, False, "correct the URI, or send the bytes of the document"),
    Code.URI_UNREACHABLE: Rule(Fault.SYSTEM, True, "check that the open workers reach the place, then publish the document again"),
    Code.UNDECODABLE: Rule(Fault.DOCUMENT, False, "publish a record of the documented schema, or raw bytes"),
    Code.NOT_LOG_APPEND_TIME: Rule(Fault.SYSTEM, False, "create the ingest topic with message.timestamp.type=LogAppendTime"),
    Code.TIMED_OUT: Rule(Fault.DOCUMENT, True, "raise the limit that the message names, or split the document"),
    Code.CRASHED: Rule(Fault.DOCUMENT, False, "report the file; the parser crashed on it in a process of its own"),
    Code.OUT_OF_MEMORY: Rule(Fault.DOCUMENT, True, "raise child_memory_bytes in the settings, or split the document"),
    Code.BLOB_MISSING: Rule(Fault.SYSTEM, True, "publish the document again; its blob was removed by age"),
    Code.STORE_UNAVAILABLE: Rule(Fault.SYSTEM, True, "check the blob store that blob_url of the settings names"),
    Code.ENGINE_UNKNOWN: Rule(Fault.DOCUMENT, False, "publish it again for the engine of the running infer workers"),
    Code.ENGINE_FAILED: Rule(Fault.SYSTEM, True, "look at the log of the infer worker, then publish the document again"),
    Code.SCRIPT_UNSUPPORTED: Rule(Fault.DOCUMENT, False, "choose an engine that reads the script of the page, or install Tesseract's data for it"),
    Code.MESSAGE_TOO_LARGE: Rule(Fault.SYSTEM, False, "raise max_message_bytes in the settings, and the limits of the broker and its topics"),
    Code.NO_PROGRESS: Rule(Fault.SYSTEM, True, "check that read and infer workers run, then publish the document again"),
    Code.SUPERSEDED: Rule(Fault.DOCUMENT, False, "nothing; a newer submission of the document took its place"),
    Code.CANCELLED: Rule(Fault.DOCUMENT, False, "publish it again to have it parsed after all"),
    Code.NOT_INDEXED: Rule(Fault.SYSTEM, True, "check the search index, then publish the document again"),
    Code.INTERNAL: Rule(Fault.BUG, False, "report it with the message; it is a fault of Pageloom"),
}


class Failure(Struct, frozen=True, kw_only=True):
    """A failure as data. `message` says what, where and why; it never holds a password or the document's text."""

    code: Code
    stage: Stage
    fault: Fault
    retryable: bool
    message: str
    attempts: int = 1


class PageloomError(Exception):
    """A failure of one document or page that the stage knows by its code."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code

    def failure(self, stage: Stage, attempts: int = 1) -> Failure:
        """The failure as data, its message completed by the next step."""
        return failure_of(self.code, stage, str(self), attempts)

    def __reduce__(self) -> tuple[type, tuple[Code, str]]:
        return type(self), (self.code, str(self))


def failure_of(code: Code, stage: Stage, message: str, attempts: int = 1) -> Failure:
    """Builds a failure from the table above."""
    rule = RULES[code]
    return Failure(code=code, stage=stage, fault=rule.fault, retryable=rule.retryable, message=f"{message}; {rule.next_step}", attempts=attempts)


def internal_error(error: BaseException) -> PageloomError:
    """A bug of ours as a failure: its type and place, never its text, which may quote a document or a password."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return PageloomError(Code.INTERNAL, f"{type(error).__module__}.{type(error).__name__}{place}")
