"""Every bomb ends in a document, a partial or a typed error, within the limits of a child process."""

from collections.abc import Iterator

import pytest

from schemas.errors import PageloomError
from schemas.events import Mode
from streams.sandbox import Sandbox
from tests.fuzz.bombs import BOMBS, STOPPED
from tests.fuzz.fuzzing import children
from tests.fuzz.whole_way import go

TIMEOUT_S = 30.0
SHORT_S = 3.0
"""For what may end by the limits of its child: that it is stopped shows as well as when."""


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    with children(1) as running:
        yield running


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_contained(box: Sandbox, tmp_path: object, name: str) -> None:
    filename, make, allowed = BOMBS[name]
    data = make()
    assert len(data) < 8 * 2**20
    try:
        ended = box.submit(go, str(tmp_path), filename, data, Mode.FAST, timeout_s=SHORT_S if allowed >= STOPPED else TIMEOUT_S).result(2 * TIMEOUT_S)
    except PageloomError as error:
        outcome, bugs = error.code.value, ()
        said = str(error)
    else:
        outcome, bugs, said = ended.outcome, ended.bugs, ""
    assert outcome in allowed, said
    assert not bugs
