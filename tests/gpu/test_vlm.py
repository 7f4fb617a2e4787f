"""The engine for models of transformers, on tiny models of a real class: batches, caches, windows, memory and what must never be loaded."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import torch

from inference.engines.child import EngineChild
from inference.engines.registry import engines
from inference.engines.vlm import LOOP_PERIOD, LOOP_REPEATS, VlmEngine, create_engine, is_periodic
from inference.images import PagePixels
from inference.types import EngineOptions, PageAnswer, PageInput, PageRead, PageRefused, Unit
from schemas.errors import Code, PageloomError
from tests.gpu.tiny_models import save_tiny_idefics3, save_tiny_qwen
from tests.unit.inference.making import page_image, png_of

MAX_TOKENS = 24


@pytest.fixture(scope="module", params=[save_tiny_idefics3, save_tiny_qwen])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two classes of models: pages cut into tiles of one size without a chat template, and pages of any size with one."""
    return request.param(tmp_path_factory.mktemp("tiny") / "model")


def options(folder: Path, **changes: Any) -> EngineOptions:
    return EngineOptions(**({"model": str(folder), "device": "cpu", "max_tokens": MAX_TOKENS, "prompt": "Read."} | changes))


@pytest.fixture(scope="module")
def engine(folder: Path) -> VlmEngine:
    made = create_engine(options(folder))
    made.warm_up()
    return made


def picture(seed: int, page: int = 1) -> PagePixels:
    pixels = np.random.default_rng(seed).integers(0, 255, (90 + 10 * seed, 120, 3), np.uint8)
    image = page_image(page, b"", pixels.shape[1], pixels.shape[0], dpi=72)
    return PagePixels(image, png_of(cv2.GaussianBlur(pixels, (5, 5), 0)), 10**8)


def text(answer: PageAnswer) -> str:
    assert isinstance(answer, PageRead), answer
    return "\n".join(block.text for block in answer.content.blocks)


def test_a_batch_says_what_its_pages_say_alone(engine: VlmEngine) -> None:
    units = [(picture(seed, seed + 1),) for seed in range(4)]
    together = engine.recognize(units, 1)
    alone = [engine.recognize([unit], 1)[0] for unit in units]
    assert [text(answer[0]) for answer in together] == [text(answer[0]) for answer in alone]
    assert len({text(answer[0]) for answer in together}) > 1  # pages are told apart
    for (one,), (other,) in zip(together, alone, strict=True):
        assert isinstance(one, PageRead)
        assert isinstance(other, PageRead)
        assert one.confidence == pytest.approx(other.confidence, rel=1e-3)


def test_the_cache_of_keys_and_values_changes_nothing(engine: VlmEngine) -> None:
    cached = engine.recognize([(picture(1),)], 1)
    engine._model.generation_config.use_cache = False
    try:
        uncached = engine.recognize([(picture(1),)], 1)
    finally:
        engine._model.generation_config.use_cache = True
    assert text(cached[0][0]) == text(uncached[0][0])


def test_a_model_that_is_loaded_again_says_the_same(engine: VlmEngine, folder: Path) -> None:
    again = create_engine(options(folder))
    again.warm_up()
    assert text(again.recognize([(picture(2),)], 1)[0][0]) == text(engine.recognize([(picture(2),)], 1)[0][0])


def test_confidence_is_that_of_the_tokens(engine: VlmEngine) -> None:
    ((answer,),) = engine.recognize([(picture(3),)], 1)
    assert isinstance(answer, PageRead)
    assert 0 < answer.confidence < 0.5  # random weights are sure of nothing


def test_an_answer_that_reaches_its_limit_is_truncated(engine: VlmEngine) -> None:
    ((answer,),) = engine.recognize([(picture(3),)], 1)
    assert isinstance(answer, PageRead)
    assert "truncated" in answer.problems


def test_a_window_is_one_prompt_with_an_image_for_each_page(folder: Path) -> None:
    windowed = create_engine(options(folder, dialect="unlimited"))
    windowed.warm_up()
    first, second = windowed.recognize([(picture(1, 7), picture(2, 8))], 1)[0]
    assert (first.page, second.page) == (7, 8)
    assert isinstance(first, PageRead)
    assert "pages_missing" in first.problems  # a random model marks no pages, and that is seen


def test_a_batch_that_does_not_fit_is_halved_until_it_does(engine: VlmEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    generate = engine._model.generate

    def short_of_memory(**inputs: Any) -> Any:
        sizes.append(inputs["input_ids"].shape[0])
        if sizes[-1] > 1:
            raise torch.OutOfMemoryError("planted")
        return generate(**inputs)

    monkeypatch.setattr(engine._model, "generate", short_of_memory)
    answers = engine.recognize([(picture(seed, seed + 1),) for seed in range(3)], 1)
    assert [answer[0].page for answer in answers] == [1, 2, 3]
    assert sizes == [3, 1, 2, 1, 1]


def test_a_page_that_does_not_fit_alone_is_refused(engine: VlmEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: Any) -> Any:
        raise torch.OutOfMemoryError("planted")

    monkeypatch.setattr(engine._model, "generate", full)
    ((answer,),) = engine.recognize([(picture(1, 5),)], 1)
    assert isinstance(answer, PageRefused)
    assert (answer.code, answer.page) == (Code.OUT_OF_MEMORY, 5)


def test_a_loop_ends_its_row_and_no_other(engine: VlmEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inference.engines.vlm.is_periodic", lambda tokens: len(set(tokens)) <= 3)
    monkeypatch.setattr(engine, "_options", EngineOptions(model="m", max_tokens=400, prompt="Read."))
    head = engine._model.lm_head
    weight = head.weight.detach().clone()
    try:
        with torch.no_grad():
            head.weight.zero_()
            head.weight[300] = 1.0  # one token for ever
        ((answer,),) = engine.recognize([(picture(1),)], 1)
    finally:
        with torch.no_grad():
            head.weight.copy_(weight)
    assert isinstance(answer, PageRead)
    assert "repeated_text" in answer.problems


@pytest.mark.parametrize("period", [1, 5, LOOP_PERIOD // 3])
def test_a_piece_over_and_over_is_periodic(period: int) -> None:
    piece = list(range(period))
    assert is_periodic(piece * LOOP_REPEATS)
    assert not is_periodic([*piece * LOOP_REPEATS, 99])


def test_code_and_pickles_of_a_model_are_never_loaded(folder: Path, tmp_path: Path) -> None:
    for name, spoil in (("code", _with_code), ("pickle", _with_pickles)):
        spoilt = tmp_path / name
        spoilt.mkdir()
        for file in folder.iterdir():
            (spoilt / file.name).write_bytes(file.read_bytes())
        spoil(spoilt)
        with pytest.raises(PageloomError, match="cannot be loaded"):
            create_engine(options(spoilt)).warm_up()
        assert not (spoilt / "ran").exists()


def _with_code(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["model_type"] = "own"
    config["auto_map"] = {"AutoConfig": "own.OwnConfig", "AutoModelForImageTextToText": "own.OwnModel"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text(f"open({str(folder / 'ran')!r}, 'w').close()\n")


def _with_pickles(folder: Path) -> None:
    for weights in folder.glob("*.safetensors"):
        weights.unlink()
    torch.save({}, folder / "pytorch_model.bin")


def test_settings_that_cannot_work_say_what_to_do(folder: Path) -> None:
    with pytest.raises(PageloomError, match="PAGELOOM_ENGINE_MODEL"):
        create_engine(options(folder, model="")).warm_up()
    with pytest.raises(PageloomError, match="device"):
        create_engine(options(folder, device="cuda:99"))


def test_it_works_in_a_process_of_its_own(folder: Path) -> None:
    child = EngineChild(engines(options(folder))["transformers"], page_timeout_s=100)
    try:
        answers = child.recognize([Unit((PageInput(picture(1).image, picture(1).png),))])
    finally:
        child.kill()
    (answer,) = answers[0]
    assert answer.page == 1
    assert _is_refused_as_truncated(answer)


def _is_refused_as_truncated(answer: PageAnswer) -> bool:
    return isinstance(answer, PageRefused) and "truncated" in answer.message
