"""A disk that can be filled to its last byte and emptied again."""

import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.server import Server

SIZE = "12m"


class SmallDisk:
    """Where one may mount, a file system of its own in memory: whoever writes is told ENOSPC.

    Where one may not, the kernel refuses the server process to make its files any larger (EFBIG).
    """

    def __init__(self, folder: Path, *, is_own: bool) -> None:
        self.folder, self.is_own = folder, is_own
        self._filling = folder / "filling"

    def fill(self, server: Server) -> None:
        if not self.is_own:
            largest = max(path.stat().st_size for path in self.folder.iterdir())
            self._limit(server, largest)
            return
        with suppress(OSError), self._filling.open("wb", buffering=0) as filling:
            while filling.write(b"\1" * 4096):
                pass

    def free(self, server: Server) -> None:
        if self.is_own:
            self._filling.unlink()
        else:
            self._limit(server, resource.RLIM_INFINITY)

    def _limit(self, server: Server, size: int) -> None:
        _soft, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size if size >= 0 else hard, hard))


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "quarto-small-disk", str(folder)]
    is_own = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield SmallDisk(folder, is_own=is_own)
    finally:
        if is_own:
            subprocess.run(["umount", str(folder)], check=True)
