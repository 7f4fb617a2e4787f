"""The disks of a chaos run: each a folder that can run out of room, and the blob store, which can be gone as well."""

import errno
import os
import subprocess
from pathlib import Path

BALLAST = "ballast"
"""The file that takes all room of a full disk."""


class Disk:
    """A folder that can run out of room: a small file system in memory. Where this process may mount none, in a container or for a user, it is an
    ordinary folder that is never full.
    """

    def __init__(self, folder: Path, size_mib: float) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={round(size_mib)}m", "tmpfs", str(folder)]
        self.can_be_full = hasattr(os, "geteuid") and os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0

    def fill(self) -> None:
        """No room is left, for others write meanwhile: ever smaller pieces are taken until none fits. All of the disk is in memory then."""
        free = os.statvfs(self.folder)
        size, taken = free.f_bavail * free.f_frsize, 0
        with (self.folder / BALLAST).open("wb") as file:
            while size >= free.f_frsize:
                try:
                    os.posix_fallocate(file.fileno(), taken, size)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    size //= 2
                else:
                    taken += size

    def empty(self) -> None:
        """There is room again."""
        (self.folder / BALLAST).unlink(missing_ok=True)

    def close(self) -> None:
        """Gives the file system back."""
        if self.can_be_full:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)


class Store:
    """The blob store: a link to the disk that holds the blobs, so that it can go away as a remote one does."""

    def __init__(self, folder: Path, size_mib: float) -> None:
        self.disk = Disk(folder / "blobs.real", size_mib)
        self.link = folder / "blobs"
        self.link.symlink_to(self.disk.folder)

    def go_away(self) -> None:
        """The link leads nowhere: every access is an error, as with a share that is gone."""
        self._point_at(self.disk.folder.with_name("blobs.gone"))

    def come_back(self) -> None:
        """The link leads where it did."""
        self._point_at(self.disk.folder)

    def _point_at(self, target: Path) -> None:
        aside = self.link.with_name("blobs.next")
        aside.symlink_to(target)
        aside.replace(self.link)
