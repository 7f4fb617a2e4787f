"""What `pageloom parse` and `pageloom publish` take of the paths and URIs that they are given. Says what it leaves out; publishes nothing."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import typer
from rich.markup import escape

from schemas.errors import PageloomError
from streams.ingest.uris import allowed, parse, parse_roots, shown
from streams.publishing import printable
from streams.settings import Settings
from streams.terminal import err


def files_of(paths: Sequence[Path], *, recursive: bool) -> list[Path]:
    """The files that are named, and those in folders that are named: directly, or at any depth. Hidden ones, and links to folders, are left out; how
    many files were left out for lying deeper is said. Raises BadParameter for none.
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        direct, deeper = _inside(path)
        files += direct + deeper if recursive else direct
        if deeper and not recursive:
            what = "1 file" if len(deeper) == 1 else f"{len(deeper)} files"
            err.print(f"{escape(printable(str(path)))}: {what} in folders below it left out; --recursive takes them too", soft_wrap=True)
    if not files:
        raise typer.BadParameter("no files in the folders given")
    return files


def checked_uri(uri: str, settings: Settings) -> str:
    """A URI that can be fetched, and is allowed where these settings allow any; the workers decide by theirs. Raises BadParameter."""
    try:
        if settings.uri_roots:
            allowed(uri, parse_roots(settings.uri_roots))
        else:
            parse(uri)
            err.print(
                f"{escape(shown(uri))}: the settings here allow no URI; the workers fetch it if PAGELOOM_URI_ROOTS of theirs does", soft_wrap=True
            )
    except (PageloomError, ValueError) as error:
        raise typer.BadParameter(f"--uri: {error}") from None
    return uri


def name_in(uri: str) -> str:
    """The file name at the end of a URI, without what may be secret in it; `document` for none."""
    return printable(PurePosixPath(unquote(urlsplit(uri).path, errors="replace")).name) or "document"


def _inside(folder: Path) -> tuple[list[Path], list[Path]]:
    """The files directly in a folder, and those below it, each in the order of their names. Links to folders are not followed: they may lead back."""
    direct: list[Path] = []
    deeper: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found = [Path(parent, name) for name in sorted(names) if not name.startswith(".")]
        (direct if Path(parent) == folder else deeper).extend(path for path in found if path.is_file())
    return direct, deeper
