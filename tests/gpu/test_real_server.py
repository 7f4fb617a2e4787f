"""The engine for shared servers against a real one: `transformers serve` with a tiny model, over HTTP, pictures in and streamed text out."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from inference.engines.in_process import InProcessEngine
from inference.engines.registry import engines
from inference.types import EngineOptions, PageInput, PageRefused, Unit
from tests.gpu.tiny_models import save_tiny_qwen
from tests.unit.inference.making import page_image, png_of
from tests.waiting import wait_until

SERVE = "import sys; from transformers.cli.transformers import main; sys.argv[0] = 'transformers'; main()"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_qwen(tmp_path_factory.mktemp("served") / "model")


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder.parent / "cache").mkdir()
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(folder.parent / "cache")}
    command = [sys.executable, "-c", SERVE, "serve", str(folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    with (folder.parent / "serve.log").open("w") as log, subprocess.Popen(command, env=environment, stdout=log, stderr=log) as server:
        try:
            wait_until(lambda: answers(f"http://127.0.0.1:{port}/health"), 300, "the server of transformers answers")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).is_success
    except httpx.TransportError:
        return False


def test_a_page_goes_to_the_server_and_its_answer_comes_back_as_it_is(folder: Path, url: str) -> None:
    """The tiny model talks without an end, so what comes back is cut at the limit: seen, asked again, and refused."""
    png = png_of(np.random.default_rng(0).integers(0, 255, (100, 120, 3), np.uint8))
    unit = Unit((PageInput(page_image(3, png, 120, 100), png),))
    spec = engines(EngineOptions(model=str(folder), url=url, max_tokens=24, prompt="Read."))["openai"]
    engine = InProcessEngine(spec)
    try:
        ((answer,),) = engine.recognize([unit])
    finally:
        engine.kill()
    assert isinstance(answer, PageRefused)
    assert (answer.page, answer.attempts) == (3, 2)
    assert "truncated" in answer.message
