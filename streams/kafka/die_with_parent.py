"""Becomes another program that ends when its parent does, even if the parent is killed: `die_with_parent.py PARENT_PID PROGRAM ARGUMENT...`.

Run as a script with `-I -S`: it uses the standard library alone, and becomes the program by exec, so no process stays in between. On Linux the
kernel sends SIGTERM when the thread that started us ends (`PR_SET_PDEATHSIG`, kept over exec); elsewhere the program simply starts.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Replaces this process by the program; does not return."""
    parent, program = int(arguments[0]), arguments[1]
    if sys.platform == "linux":
        if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
        if os.getppid() != parent:
            sys.exit("the parent ended before the program started")
    os.execv(program, arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
