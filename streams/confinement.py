"""What a child process may not do: limits of the kernel on memory, files and, where the kernel can, no network and no other program.

Guarantees: a limit is lowered for good; the process dies with its parent; where sockets are refused, the refusal holds for every library in the
process, whatever code a document makes it run. A kernel that cannot refuse (no Linux, another processor, a container that forbids filters) is told by
the result, and costs nothing else. Imported by child processes: light, and knows nothing of ours.
"""

import ctypes
import errno
import os
import platform
import resource
import signal
import struct
import sys
from multiprocessing import forkserver
from pathlib import Path

MAX_OPEN_FILES = 256
"""A parser opens a handful; a leak shows before the machine runs out."""

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 1, 38, 22, 2
_LOAD_WORD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4
"""Offsets in the kernel's `struct seccomp_data`."""
_X32_BIT = 0x40000000
"""Calls of the x32 interface have numbers from here on, on the same architecture."""

REFUSED: dict[str, tuple[int, tuple[int, ...]]] = {
    # socket, ptrace, execve, process_vm_readv, process_vm_writev, execveat, io_uring_setup (which makes sockets of its own)
    "x86_64": (0xC000003E, (41, 101, 59, 310, 311, 322, 425)),
    "aarch64": (0xC00000B7, (198, 117, 221, 270, 271, 281, 425)),
}
"""Processor → its name for the kernel, and the numbers of the calls that a parser never needs. A pair of connected sockets stays allowed."""


def confine(memory_bytes: int, max_file_bytes: int, parent_is_server: bool, network: bool) -> None:
    """In a new child: limits, its death with the parent, and unless `network`, no sockets and no other programs where the kernel can refuse them."""
    # The pool stops a child by SIGTERM; a handler in Python would wait for native code to return.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The fork server ends when nobody holds its pipe: the worker shall be the only one. Without a server the parent is a thread of the
    # pool, whose end says nothing.
    if parent_is_server and sys.platform == "linux":
        _let_go_of_server()
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() == 1:
            os._exit(1)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    _lower(resource.RLIMIT_FSIZE, max_file_bytes)
    if memory_bytes:
        _lower(resource.RLIMIT_AS, _address_space_bytes() + memory_bytes)
    if not network:
        refuse_network()


def refuse_network() -> bool:
    """Whether this process, and all of its threads and children, can open no socket and start no program from now on. Needs no privilege."""
    known = REFUSED.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return False
    program = _filter(*known)
    held = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("@HP", len(program) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.create_string_buffer(described, len(described)), 0, 0) == 0)


def _filter(architecture: int, refused: tuple[int, ...]) -> bytes:
    """A program of the kernel's packet filter: refuse calls of another architecture and the ones named, allow the rest."""
    numbers = (*refused,)
    steps = [(_LOAD_WORD, 0, 0, _ARCHITECTURE_AT), (_JUMP_EQUAL, 0, len(numbers) + 3, architecture), (_LOAD_WORD, 0, 0, _NUMBER_AT)]
    steps.append((_JUMP_AT_LEAST, len(numbers) + 1, 0, _X32_BIT))
    steps += [(_JUMP_EQUAL, len(numbers) - index, 0, number) for index, number in enumerate(numbers)]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _let_go_of_server() -> None:
    """Closes the child's copy of the pipe by which the fork server sees that it is still needed (every child is given one)."""
    descriptor = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_alive_fd", None)
    if isinstance(descriptor, int):
        os.close(descriptor)


def _lower(limit: int, value: int) -> None:
    _, hard = resource.getrlimit(limit)
    wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (wanted, wanted))


def resident_bytes() -> int:
    """What this process holds in memory now; 0 where the system does not tell."""
    return _pages(1)


def _address_space_bytes() -> int:
    return _pages(0)


def _pages(field: int) -> int:
    """A field of the kernel's account of this process, in bytes."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[field]) * resource.getpagesize()
    except OSError:
        return 0
