"""All tests here run on a CPU as well, in one thread: threads of torch that wait for busy cores cost more than they do."""

import pytest
import torch


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    torch.set_num_threads(1)
