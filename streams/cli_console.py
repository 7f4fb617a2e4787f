"""`pageloom console`: the web page on a pipeline that runs elsewhere. Prints its address; `streams.console` does the work."""

import contextlib
from collections.abc import Iterator

import msgspec
import typer
from rich.markup import escape

from streams.settings import Settings, SettingsError
from streams.terminal import connected, err, out
from streams.workers import stop_on_signals


def console(
    port: int | None = typer.Option(None, min=0, max=65535, help="Where to listen; 0 takes a free port. Default: the setting console_port."),
    host: str | None = typer.Option(None, help="Address to listen at; any other than loopback needs a token, which is printed."),
) -> None:
    """Show the pipeline as a web page: drop files, watch pages, read and search, until Ctrl-C."""
    settings = connected()
    settings = msgspec.structs.replace(
        settings,
        console_port=settings.console_port if port is None else port,
        console_host=settings.console_host if host is None else host,
    )
    from streams.console.serving import console as served  # noqa: PLC0415 - a web server that no other command pays for

    with served(settings) as address:
        stop = stop_on_signals()
        out.print(f"the console is at [bold]{escape(address.url)}[/bold]; Ctrl-C ends it", soft_wrap=True)
        stop.wait()


@contextlib.contextmanager
def beside(settings: Settings) -> Iterator[str | None]:
    """A console beside a pipeline that this process runs: its address, at a free port where its own is taken. None where it cannot listen,
    which costs the console and not the pipeline.
    """
    from streams.console.serving import console as served  # noqa: PLC0415 - as above

    with contextlib.ExitStack() as stack:
        try:
            address = stack.enter_context(served(settings, any_port=True))
        except SettingsError as error:
            err.print(f"no console: {escape(str(error))}")
            yield None
        else:
            yield address.url
