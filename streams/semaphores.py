"""Whether this machine lets a process make semaphores, which every worker with child processes needs; on Linux they are files in shared memory."""

import multiprocessing

NEXT_STEP = (
    "mount a tmpfs there that everybody may write: `mount -t tmpfs -o mode=1777 tmpfs /dev/shm`, or where one is mounted `chmod 1777 /dev/shm`"
)


class NoSemaphores(OSError):
    """Child processes cannot be had on this machine. `obstacle` says what is in the way; the message, the next step too."""

    def __init__(self, cause: Exception) -> None:
        self.obstacle = f"no semaphore can be made in shared memory, /dev/shm ({cause}), and child processes need them"
        super().__init__(f"{self.obstacle}; {NEXT_STEP}")


def check_semaphores() -> None:
    """Makes one semaphore and lets go of it. Raises NoSemaphores where that is refused."""
    try:
        multiprocessing.get_context("forkserver").Lock()
    except (OSError, ImportError) as error:  # ImportError: how Python says that the platform has none
        raise NoSemaphores(error) from error
