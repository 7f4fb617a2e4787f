"""What `pageloom parse` and `pageloom publish` take of the paths and URIs that they are given. Says what it leaves out; publishes nothing."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePath, PurePosixPath
from urllib.parse import unquote, urlsplit

import typer
from rich.markup import escape

from schemas.errors import PageloomError
from streams import local
from streams.ingest.uris import allowed, parse, parse_roots, shown
from streams.outputs import ERROR_SUFFIX, FIGURES_SUFFIX, SUFFIXES, InputFile
from streams.publishing import printable
from streams.settings import Settings
from streams.terminal import err, said

MAX_LOOKED = 200
"""Folders below one that is named, which are looked through to say what is left out: of a home folder or `/` a person would wait for minutes."""


def files_of(paths: Sequence[Path], *, recursive: bool, without: Path | None = None) -> list[InputFile]:
    """The files that are named, and those in folders that are named: directly, or at any depth. Hidden ones, links to folders, and what is in the
    folder `without` (where results of an earlier run may lie) are left out; how many files were left out for lying deeper is said.

    Raises BadParameter for none.
    """
    files: dict[Path, InputFile] = {}  # by what they are: a file that is named twice is one
    for path in paths:
        if not path.is_dir():
            files.setdefault(_place(path), InputFile(path))
            continue
        direct, deeper, counted = _inside(path, without, recursive=recursive)
        for file in direct + deeper if recursive else direct:
            files.setdefault(_place(file.path), file)
        if deeper and not recursive:
            what = ("" if counted else "at least ") + ("1 file" if len(deeper) == 1 else f"{len(deeper)} files")
            err.print(f"{escape(printable(str(path)))}: {what} in folders below it left out; --recursive takes them too", soft_wrap=True)
    if not files:
        raise typer.BadParameter("no files in the folders given")
    return list(files.values())


def make_folder(output: Path) -> None:
    """The folder for results, made where it is missing, before any work is done for it. Raises BadParameter where nothing can be written there."""
    try:
        local.make_writable_folder(output)
    except OSError as error:
        raise typer.BadParameter(f"--output {output}: nothing can be written there ({error.strerror}); choose another folder") from None


def checked_uri(uri: str, settings: Settings) -> str:
    """A URI that can be fetched, and is allowed by the `pageloom up` of this machine; where workers are elsewhere, by these settings, if they allow
    any: the workers decide by theirs. Raises BadParameter.
    """
    here = None if settings.bootstrap_servers else local.announced_roots(settings)
    roots = settings.uri_roots if here is None else here
    try:
        if roots:
            allowed(uri, parse_roots(roots))
        elif here is not None:
            step = "start it again with PAGELOOM_URI_ROOTS=… of what it may fetch from, or publish the file itself"
            raise typer.BadParameter(f"--uri: {shown(parse(uri).uri)}: the `pageloom up` that runs here fetches no URI; {step}")
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


def _inside(folder: Path, without: Path | None, *, recursive: bool) -> tuple[list[InputFile], list[InputFile], bool]:
    """The files directly in a folder, those below it, each in the order of their names, and whether these are all: where they are only counted, no
    more than `MAX_LOOKED` folders are looked through. Links to folders are not followed: they may lead back.
    """
    direct: list[InputFile] = []
    deeper: list[InputFile] = []
    left_out = os.path.realpath(without) if without is not None else None
    beside = os.path.realpath(folder) == left_out  # results lie beside what they were made of
    for looked, (parent, folders, names) in enumerate(os.walk(folder, onerror=_tell_unreadable)):
        if looked > MAX_LOOKED and not recursive:
            return direct, deeper, False
        results = _results_of(names) if beside else frozenset()
        folders[:] = sorted(name for name in folders if _is_input(name, results) and os.path.realpath(os.path.join(parent, name)) != left_out)
        found = [Path(parent, name) for name in sorted(names) if _is_input(name, results)]
        below = Path(parent).relative_to(folder)
        # Not by `Path.is_file`: it raises where a link leads into a folder that may not be read.
        (direct if below == PurePath() else deeper).extend(InputFile(path, below) for path in found if os.path.isfile(path))
    return direct, deeper, True


def _tell_unreadable(error: OSError) -> None:
    err.print(f"{escape(printable(said(error)))}; what is in it is left out", soft_wrap=True)


def _place(path: Path) -> Path:
    """Where a file lies, however it was written; links are not followed, as each is a name of its own."""
    return Path(os.path.abspath(path))


def _is_input(name: str, results: frozenset[str]) -> bool:
    return not name.startswith(".") and name not in results


def _results_of(names: Sequence[str]) -> frozenset[str]:
    """The names that the results of files have in their folder."""
    return frozenset(f"{name}{suffix}" for name in names for suffix in (*SUFFIXES.values(), ERROR_SUFFIX, FIGURES_SUFFIX))
