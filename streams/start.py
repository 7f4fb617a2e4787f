"""Where the command `pageloom` begins: Ctrl-C while its modules load ends it at once and in silence, not with the traceback of what was loading."""

import signal


def main() -> None:
    """Loads the command line, then runs it, where Ctrl-C is an exception again. A shell that has it ignored for its child is obeyed."""
    listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if listens:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from streams.cli import main as run  # noqa: PLC0415 - this is what takes its time

    if listens:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
