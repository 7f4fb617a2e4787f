"""The claim check: documents, page images, large content and cached recognition live in a blob store, events carry references.

The only door to fsspec. Names are relative and made here, never taken from a producer unchecked: `shared/…` (content-addressed, removed by
age), `runs/<document>/<submission>/…` (goes with its run), `recognized/…` (cache), `schemas/…` (of events, kept). Guarantees: a blob is whole or
absent (written aside, then renamed, where the store is a folder), and what is read is checked against the size and hash that the reference gives.
"""

import contextlib
import hashlib
import os
import re
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import fsspec

from schemas.content import BlobReference
from schemas.errors import Code, PageloomError
from schemas.identity import Submission, path_name
from schemas.writers import MAX_SCHEMA_BYTES

SWEPT = ("runs", "shared", "recognized")
"""What goes by age; schemas stay, for they are small and any record may need them."""
YOUNG_S = 24 * 3600.0
"""Of an object in a remote store that is not written again when its content comes again: retention is days longer."""

STORE_PATIENCE_S = 120.0
"""How long a store that is away is waited for before documents or pages fail, which may be tried again: a restart or a failover, not an outage."""

NAME = re.compile(r"(shared|runs|recognized|schemas)(/[A-Za-z0-9][A-Za-z0-9._-]{0,199}){1,6}")
"""What a name may look like: no empty, hidden or parent segment, nothing absolute."""


class BlobStore:
    """Blobs below one fsspec URL. Cheap to create; holds no open files. All errors are `PageloomError`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._fs: Any
        try:
            self._fs, self._root = fsspec.core.url_to_fs(url)
        except (ValueError, ImportError) as error:  # without the URL, which may hold a secret
            raise PageloomError(Code.STORE_UNAVAILABLE, f"the blob store of the settings cannot be opened: {error}") from error
        self._local = Path(self._root) if "file" in _protocols(self._fs) else None

    def put_shared(self, data: bytes, suffix: str = "") -> BlobReference:
        """Stores content by its hash; the same bytes are stored once and touched on reuse. `suffix` is like `.pdf`."""
        digest = hashlib.sha256(data).hexdigest()
        name = f"shared/{digest[:2]}/{digest}{suffix}"
        if not self._touch(name, len(data)):
            self._write(name, data)
        return BlobReference(name=name, size_bytes=len(data), sha256=digest)

    def put_run(self, document_id: str, submission: Submission, name: str, data: bytes) -> BlobReference:
        """Stores something that belongs to one submission and goes with it."""
        full = f"{run_prefix(document_id, submission)}/{name}"
        self._write(full, data)
        return BlobReference(name=full, size_bytes=len(data), sha256=hashlib.sha256(data).hexdigest())

    def get(self, reference: BlobReference, max_bytes: int) -> bytes:
        """The bytes of a blob, checked. Raises BLOB_MISSING, TOO_LARGE, STORE_UNAVAILABLE."""
        if reference.size_bytes > max_bytes:
            raise PageloomError(Code.TOO_LARGE, f"blob {reference.name} has {reference.size_bytes} bytes, the limit is {max_bytes}")
        data = self.find(reference.name, max_bytes)
        if data is None:
            raise self._missing(reference)
        if len(data) != reference.size_bytes or hashlib.sha256(data).hexdigest() != reference.sha256:
            raise PageloomError(Code.BLOB_MISSING, f"blob {reference.name} is not what its reference says")
        return data

    def find(self, name: str, max_bytes: int) -> bytes | None:
        """The bytes under a name, unchecked against any hash; None where there are none."""
        path = self._path(name)
        try:
            if self._fs.size(path) > max_bytes:
                raise PageloomError(Code.TOO_LARGE, f"blob {name} has more than {max_bytes} bytes")
            data: bytes = self._fs.cat_file(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise PageloomError(Code.STORE_UNAVAILABLE, f"blob {name} cannot be read: {error.strerror or error}") from error
        return data

    def put_recognized(self, key: str, data: bytes) -> None:
        """Keeps the result of a recognition under its key (hex digits)."""
        self._write(recognized_name(key), data)

    def put_schema(self, header: str, text: str) -> None:
        """Keeps the schema of events whose data begins with `header` (hex digits), for workers of another version."""
        if not self._touch(f"schemas/{header}", len(text.encode())):
            self._write(f"schemas/{header}", text.encode())

    def find_schema(self, header: str) -> str | None:
        """The schema of events whose data begins with `header`; None where nobody kept it."""
        data = self.find(f"schemas/{header}", MAX_SCHEMA_BYTES)
        return None if data is None else data.decode("utf-8", "replace")

    def local_path(self, reference: BlobReference, cache: Path, max_bytes: int) -> Path:
        """A file with the blob's bytes: the blob itself where the store is a folder, else a copy below `cache`, made once."""
        if self._local is not None:
            path = self._local / _checked(reference.name)
            if not path.is_file():
                raise self._missing(reference)
            return path
        path = cache / f"{reference.sha256}{Path(reference.name).suffix}"
        if not path.is_file():
            cache.mkdir(parents=True, exist_ok=True)
            _write_aside(path, self.get(reference, max_bytes))
        return path

    def delete_run(self, document_id: str, submission: Submission | None = None) -> None:
        """Removes what belongs to one submission, or to all submissions of a document. Nothing there is fine."""
        path = self._path(run_prefix(document_id, submission))
        try:
            self._fs.rm(path, recursive=True)
        except FileNotFoundError:
            return
        except OSError as error:
            raise PageloomError(Code.STORE_UNAVAILABLE, f"blobs of a run cannot be removed: {error.strerror or error}") from error

    def is_away(self) -> bool:
        """Whether the folder of the store is not there; of a remote store only an access tells."""
        return self._local is not None and not self._local.is_dir()

    def _missing(self, reference: BlobReference) -> PageloomError:
        """Why a blob that somebody refers to is not there: a folder that is not mounted holds none, and will hold them all again."""
        if self.is_away():
            return PageloomError(Code.STORE_UNAVAILABLE, f"the folder of the blob store, which blob {reference.name} is in, is not there")
        return PageloomError(Code.BLOB_MISSING, f"blob {reference.name} is not in the store")

    def remove_older(self, folder: str, before_s: float) -> int:
        """Removes the blobs of `runs`, `shared` or `recognized` that were written or touched last before a time (seconds since the epoch), and
        what half-written files are left there. Returns how many. Raises STORE_UNAVAILABLE.
        """
        if folder not in SWEPT:
            raise ValueError(f"{folder} is never swept")
        try:
            return self._remove_local(folder, before_s) if self._local is not None else self._remove_remote(folder, before_s)
        except OSError as error:
            raise PageloomError(Code.STORE_UNAVAILABLE, f"old blobs cannot be removed: {error.strerror or error}") from error

    def _remove_local(self, folder: str, before_s: float) -> int:
        removed = 0
        for parent, folders, files in os.walk(Path(self._root) / folder, topdown=False):
            for name in files:
                path = Path(parent) / name
                # Looked at right before: a blob that is stored again meanwhile is touched.
                with contextlib.suppress(FileNotFoundError):
                    if path.lstat().st_mtime < before_s:
                        path.unlink()
                        removed += 1
            for name in folders:
                with contextlib.suppress(OSError):  # not empty
                    (Path(parent) / name).rmdir()
        return removed

    def _remove_remote(self, folder: str, before_s: float) -> int:
        try:
            found = self._fs.find(f"{self._root}/{folder}", detail=True)
        except FileNotFoundError:
            return 0
        old = [name for name, entry in found.items() if (time_s := _modified_s(entry)) is not None and time_s < before_s]
        for name in old:
            with contextlib.suppress(FileNotFoundError):
                self._fs.rm_file(name)
        return len(old)

    def _path(self, name: str) -> str:
        return f"{self._root}/{_checked(name)}"

    def _touch(self, name: str, size: int) -> bool:
        """Whether the blob is there already; if so its age starts anew."""
        try:
            if self._local is not None:
                path = self._local / name
                if path.stat().st_size != size:
                    return False
                os.utime(path)
                return True
            entry = self._fs.info(self._path(name))
            # An object's age starts anew only when it is written; one that is young is left alone.
            modified_s = _modified_s(entry)
            return bool(entry.get("size") == size) and modified_s is not None and time.time() - modified_s < YOUNG_S
        except OSError:
            return False

    def _write(self, name: str, data: bytes) -> None:
        try:
            if self._local is not None:
                _write_aside(self._local / _checked(name), data)
            else:
                self._fs.pipe_file(self._path(name), data)
        except OSError as error:
            raise PageloomError(Code.STORE_UNAVAILABLE, f"blob {name} cannot be written: {error.strerror or error}") from error


def run_prefix(document_id: str, submission: Submission | None = None) -> str:
    """Where the blobs of a document's run live; of all its runs without a submission."""
    document = f"runs/{path_name(document_id)}"
    return document if submission is None else f"{document}/{submission.id}"


def recognized_name(key: str) -> str:
    """The name of a cached recognition."""
    return f"recognized/{key[:2]}/{key}"


def _checked(name: str) -> str:
    if not NAME.fullmatch(name):
        raise PageloomError(Code.BLOB_MISSING, "a reference names no blob of this store")
    return name


def _modified_s(entry: Any) -> float | None:
    """When an object was written (seconds since the epoch), by the names that stores have for it; None where a store does not tell."""
    found = next((entry[name] for name in ("mtime", "LastModified", "last_modified", "updated", "created") if entry.get(name)), None)
    if isinstance(found, str):
        with contextlib.suppress(ValueError):
            return datetime.fromisoformat(found).timestamp()
        return None
    return found.timestamp() if isinstance(found, datetime) else found


def _protocols(fs: Any) -> tuple[str, ...]:
    return (fs.protocol,) if isinstance(fs.protocol, str) else tuple(fs.protocol)


def _write_aside(path: Path, data: bytes) -> None:
    """Writes next to the target and renames, so that nobody ever reads half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=".aside-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(aside, path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
