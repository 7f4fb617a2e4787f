"""The sandbox: every call ends, a bad one costs itself alone."""

import asyncio
import ctypes
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.errors import Code, PageloomError
from streams import sandbox as sandbox_module
from streams.sandbox import ChildrenError, Sandbox

MIB = 2**20


def square(number: int) -> int:
    return number * number


def hang() -> None:
    while True:
        time.sleep(60)


def spin() -> None:
    while True:
        pass


def die(number: int) -> None:
    os.kill(os.getpid(), number)


def leave(code: int) -> None:
    os._exit(code)


def eat(size: int) -> int:
    return len(bytearray(size))


def refuse() -> None:
    raise PageloomError(Code.ENCRYPTED, "page 3 is locked")


def stumble() -> None:
    raise ValueError("the secret text of a document")


def nest(depth: int = 0) -> int:
    return nest(depth + 1) + 1


def limits() -> tuple[int, int, int, list[str]]:
    links = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            links.append(os.readlink(entry))
        except OSError:
            continue
    return resource.getrlimit(resource.RLIMIT_CORE)[0], resource.getrlimit(resource.RLIMIT_NOFILE)[0], os.nice(0), links


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    box = Sandbox(2, max_tasks=20, memory_bytes=512 * MIB)
    box.warm_up()
    yield box
    box.close()


def code_of(sandbox: Sandbox, function: object, *args: object, timeout_s: float = 20.0) -> tuple[Code, str]:
    with pytest.raises(PageloomError) as caught:
        sandbox.submit(function, *args, timeout_s=timeout_s).result(30)  # type: ignore[arg-type]
    return caught.value.code, str(caught.value)


def test_who_waits_too_long_is_told_which_setting_it_was(sandbox: Sandbox) -> None:
    """The advice named three settings at once."""
    with pytest.raises(PageloomError, match=r"hang took more than 0\.3 s \(open_timeout_s of the settings\)"):
        sandbox.submit(hang, timeout_s=0.3, limit_setting="open_timeout_s").result(30)


def test_results_come_back_and_children_are_recycled(sandbox: Sandbox) -> None:
    futures = [sandbox.submit(square, n, timeout_s=20) for n in range(100)]
    assert [f.result(30) for f in futures] == [n * n for n in range(100)]


@pytest.mark.parametrize("function", [hang, spin])
def test_a_call_past_its_deadline_is_killed(sandbox: Sandbox, function: object) -> None:
    started = time.monotonic()
    code, message = code_of(sandbox, function, timeout_s=0.3)
    assert code is Code.TIMED_OUT
    assert "0.3 s" in message
    assert time.monotonic() - started < 5
    assert sandbox.submit(square, 3, timeout_s=20).result(30) == 9


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_a_crash_is_named_by_its_signal(sandbox: Sandbox, number: signal.Signals) -> None:
    code, message = code_of(sandbox, die, number)
    assert code is Code.CRASHED
    assert number.name in message
    assert sandbox.submit(square, 4, timeout_s=20).result(30) == 16


def test_a_crash_leaves_other_calls_alone(sandbox: Sandbox) -> None:
    good = [sandbox.submit(square, n, timeout_s=20) for n in range(10)]
    bad = sandbox.submit(die, signal.SIGSEGV, timeout_s=20)
    good += [sandbox.submit(square, n, timeout_s=20) for n in range(10)]
    assert [f.result(30) for f in good] == [n * n for n in range(10)] * 2
    assert isinstance(bad.exception(30), PageloomError)


def test_an_exit_is_a_crash(sandbox: Sandbox) -> None:
    assert code_of(sandbox, leave, 7) == (Code.CRASHED, "leave ended its process with exit code 7")


def test_memory_has_a_limit(sandbox: Sandbox) -> None:
    assert sandbox.submit(eat, 64 * MIB, timeout_s=20).result(30) == 64 * MIB
    assert code_of(sandbox, eat, 2048 * MIB)[0] is Code.OUT_OF_MEMORY


held: list[bytearray] = []


def leak(size: int) -> int:
    held.append(bytearray(b"x") * size)
    return os.getpid()


def test_a_child_that_has_grown_is_replaced_before_its_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "RECYCLE_NOT_BEFORE", 3)
    box = Sandbox(2, max_tasks=0, memory_bytes=0, recycle_bytes=200 * MIB)
    try:
        running = box.submit(time.sleep, 0.5, timeout_s=20)  # what the old children are at goes on
        pids = [box.submit(leak, 60 * MIB, timeout_s=20).result(30) for _ in range(16)]
        assert 2 <= len(set(pids)) < 16
        running.result(30)
    finally:
        box.close()


def test_children_that_are_born_large_work_all_the_same() -> None:
    box = Sandbox(1, max_tasks=0, memory_bytes=0, recycle_bytes=1)
    try:
        pids = {box.submit(os.getpid, timeout_s=20).result(30) for _ in range(sandbox_module.RECYCLE_NOT_BEFORE)}
        assert len(pids) == 1
    finally:
        box.close()


def test_a_known_failure_arrives_as_it_is(sandbox: Sandbox) -> None:
    assert code_of(sandbox, refuse) == (Code.ENCRYPTED, "page 3 is locked")


def test_an_unknown_exception_crosses_by_type_alone(sandbox: Sandbox) -> None:
    code, message = code_of(sandbox, stumble)
    assert code is Code.INTERNAL
    assert "ValueError" in message
    assert "test_sandbox.py" in message
    assert "secret" not in message


def test_deep_nesting_is_the_documents_fault(sandbox: Sandbox) -> None:
    assert code_of(sandbox, nest)[0] is Code.CORRUPT


def test_what_cannot_travel_is_said(sandbox: Sandbox) -> None:
    assert code_of(sandbox, lambda: 1)[0] is Code.INTERNAL


def test_children_are_confined(sandbox: Sandbox) -> None:
    core, files, nice, links = sandbox.submit(limits, timeout_s=20).result(30)
    assert (core, nice) == (0, os.nice(0))
    assert files <= 256
    assert not [link for link in links if link.startswith("socket:")]


def reach_out(port: int) -> list[str]:
    """What a parser that a document took over would try."""
    refused = []
    for name, attempt in (
        ("socket", lambda: socket.create_connection(("127.0.0.1", port), 2)),
        ("local socket", lambda: socket.socket(socket.AF_UNIX)),
        ("program", lambda: subprocess.run(["true"], check=False)),
        ("ptrace", lambda: ctypes.CDLL(None, use_errno=True).ptrace(0, 0, 0, 0) == 0 or os.close(-1)),
    ):
        try:
            attempt()
        except OSError:
            refused.append(name)
    return refused


def test_children_without_network_open_no_socket_and_start_no_program() -> None:
    if not _filters():
        pytest.skip("this kernel or container has no system call filters")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        closed = Sandbox(1, max_tasks=0, memory_bytes=0, network=False)
        free = Sandbox(1, max_tasks=0, memory_bytes=0)
        try:
            assert closed.submit(reach_out, port, timeout_s=20).result(30) == ["socket", "local socket", "program", "ptrace"]
            assert "socket" not in free.submit(reach_out, port, timeout_s=20).result(30)
        finally:
            closed.close()
            free.close()


def _filters() -> bool:
    """Whether the kernel lets a process have a filter, tried in one that ends."""
    code = "import sys; from streams.confinement import refuse_network; sys.exit(0 if refuse_network() else 1)"
    return subprocess.run([sys.executable, "-c", code], check=False, timeout=30).returncode == 0


def write_much(folder: str) -> None:
    with open(f"{folder}/large", "wb") as file:
        for _ in range(64):
            file.write(bytes(MIB))


def open_many(folder: str) -> int:
    held = []
    try:
        for number in range(10_000):
            held.append(open(f"{folder}/{number}", "wb"))  # noqa: SIM115, PERF401 - to see how many may be open
    except OSError:
        pass
    return len(held)


def test_files_have_limits(tmp_path: Path) -> None:
    box = Sandbox(1, max_tasks=0, memory_bytes=0, max_file_bytes=8 * MIB)
    try:
        code, message = code_of(box, write_much, str(tmp_path))
        assert code is Code.INTERNAL or "SIGXFSZ" in message
        assert (tmp_path / "large").stat().st_size <= 8 * MIB
        assert box.submit(open_many, str(tmp_path), timeout_s=20).result(30) < 256
    finally:
        box.close()


def test_native_memory_has_the_same_limit(sandbox: Sandbox) -> None:
    """What a C library takes counts like what Python takes: the address space is limited, not a count of objects."""
    assert sandbox.submit(take_natively, 64 * MIB, timeout_s=20).result(30)
    assert not sandbox.submit(take_natively, 4096 * MIB, timeout_s=20).result(30)


def take_natively(size: int) -> bool:
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    return libc.malloc(size) is not None


def test_an_idle_child_killed_from_outside_costs_nothing() -> None:
    box = Sandbox(1, max_tasks=0, memory_bytes=0)
    try:
        for _ in range(3):
            pid = box.submit(os.getpid, timeout_s=20).result(30)
            os.kill(pid, signal.SIGKILL)
            assert box.submit(square, 5, timeout_s=20).result(30) == 25
    finally:
        box.close()


def test_coroutines_share_it_and_cancel_kills() -> None:
    box = Sandbox(1, max_tasks=0, memory_bytes=0)

    async def use() -> int:
        stuck = asyncio.create_task(box.call(hang, timeout_s=60))
        await asyncio.sleep(0.3)
        stuck.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stuck
        return await box.call(square, 6, timeout_s=20)

    try:
        assert asyncio.run(asyncio.wait_for(use(), 30)) == 36
    finally:
        box.close()


def test_close_is_bounded_and_final() -> None:
    box = Sandbox(1, max_tasks=0, memory_bytes=0)
    future = box.submit(hang, timeout_s=60)
    started = time.monotonic()
    box.close(deadline_s=0.2)
    assert time.monotonic() - started < 5
    assert future.cancelled()
    with pytest.raises(RuntimeError):
        box.submit(square, 1, timeout_s=1)


ORPHAN = """
import os, sys, time
from streams import sandbox as sandbox_module
from streams.sandbox import ChildrenError, Sandbox
from tests.unit.test_sandbox import hang
if __name__ == "__main__":
    box = Sandbox(1, max_tasks=0, memory_bytes=0)
    pid = box.submit(os.getpid, timeout_s=20).result(30)
    box.submit(hang, timeout_s=600)
    print(pid, flush=True)
    time.sleep(600)
"""


def test_children_die_with_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(ORPHAN)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait(10)
    deadline = time.monotonic() + 10
    while _alive(child):
        assert time.monotonic() < deadline, "the child outlived its parent"
        time.sleep(0.02)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def no_start(*_: object) -> None:
    os._exit(7)


def test_where_no_child_comes_up_no_call_is_blamed_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "confine", no_start)
    broken = Sandbox(1, max_tasks=0, memory_bytes=0)
    with pytest.raises(PageloomError):  # once may be chance
        broken.submit(square, 2, timeout_s=5).result(30)
    with pytest.raises(ChildrenError, match="child processes end"):
        broken.submit(square, 2, timeout_s=5).result(30)
    broken.close()
