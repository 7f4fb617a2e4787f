"""Any image-text-to-text model of transformers, by name or folder, in torch: pages are read in static batches.

Guarantees: no code of a model is ever run (`trust_remote_code=False`) and weights are safetensors alone; the same page gives the same answer
alone and in a batch (left padding, greedy decoding); a batch that does not fit into memory is halved until it does; an answer that runs in a
loop ends early. With `transformers` and `torch` from the extra `gpu`; the only door to both, beside the torch version of PP-OCR.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForImageTextToText, AutoProcessor, LogitsProcessor, LogitsProcessorList, StoppingCriteria, StoppingCriteriaList

from inference.dialects import Dialect
from inference.engines.devices import best_device, best_dtype, fitting
from inference.engines.generation import Completion, answered
from inference.engines.served_spec import prompt_of, spoken
from inference.images import PagePixels, Pixels, bgr_at
from inference.types import EngineOptions, PageRefused, UnitAnswer
from schemas.errors import Code, PageloomError

LOOP_EVERY = 64
"""Tokens between two looks whether an answer runs in a loop."""
LOOP_TOKENS, LOOP_REPEATS, LOOP_PERIOD = 160, 6, 64
"""A tail of so many tokens that repeats a piece of at most `LOOP_PERIOD` so often is a loop: a table row of empty cells is shorter."""
REPEATED_NGRAM = 35
"""In a second attempt no run of so many tokens may come twice: what makes these models leave a loop, and long enough for tables."""
IMAGE_MARK = "<image>"
"""Where a processor has neither a chat template nor a token for images of its own."""


class VlmEngine:
    """The engine: batches of units, each unit one prompt with one image for each of its pages."""

    def __init__(self, options: EngineOptions) -> None:
        self._options = options
        self._dialect: Dialect = spoken(options)
        self._device = best_device(options.device)
        self._model: Any = None
        self._processor: Any = None

    def warm_up(self) -> None:
        """Loads the model. Raises PageloomError where the settings name none, or one that cannot be loaded."""
        name = self._options.model
        if not name:
            raise PageloomError(Code.ENGINE_FAILED, "engine transformers: no model is named; set PAGELOOM_ENGINE_MODEL to a name or a folder")
        try:
            self._processor = AutoProcessor.from_pretrained(name, trust_remote_code=False)
            model = AutoModelForImageTextToText.from_pretrained(
                name, trust_remote_code=False, use_safetensors=True, dtype=best_dtype(self._device)
            )  # fmt: skip
        except (OSError, ValueError, KeyError, ImportError) as error:
            message = f"engine transformers: the model {name!r} cannot be loaded ({type(error).__name__}); is it a folder or a name with safetensors?"
            raise PageloomError(Code.ENGINE_FAILED, message) from error
        self._model = model.to(self._device).eval()
        tokenizer = self._processor.tokenizer
        tokenizer.padding_side = "left"
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token

    def recognize(self, batch: Sequence[tuple[PagePixels, ...]], attempt: int, /) -> list[UnitAnswer]:
        """Reads the units together as far as memory allows."""
        completions = fitting(lambda units: self._generate(units, attempt), list(batch), self._device)
        return [self._answer(unit, completion, attempt) for unit, completion in zip(batch, completions, strict=True)]

    def close(self) -> None:
        """Gives the model back."""
        self._model = self._processor = None
        if self._device.type == "cuda":
            torch.cuda.empty_cache()

    def _answer(self, unit: tuple[PagePixels, ...], completion: Completion | None, attempt: int) -> UnitAnswer:
        images = [page.image for page in unit]
        if completion is not None:
            return answered(self._dialect, images, completion, attempt)
        message = "engine transformers: it does not fit into the memory of the device, even alone"
        return tuple(PageRefused(page=image.page, code=Code.OUT_OF_MEMORY, message=f"page {image.page}: {message}") for image in images)

    def _generate(self, batch: list[tuple[PagePixels, ...]], attempt: int) -> list[Completion]:
        images = [[_rgb(bgr_at(page, self._dialect.dpi)) for page in unit] for unit in batch]
        prompts = [self._prompt(len(unit)) for unit in batch]
        inputs = self._processor(text=prompts, images=images, return_tensors="pt", padding=True).to(self._device)
        for name, value in inputs.items():
            if torch.is_floating_point(value):
                inputs[name] = value.to(self._model.dtype)
        tokenizer = self._processor.tokenizer
        most = (self._options.max_tokens or self._dialect.max_tokens) * max(len(unit) for unit in batch)
        watch = _Watch(inputs["input_ids"].shape[1])
        with torch.inference_mode():
            output = self._model.generate(
                **inputs,
                max_new_tokens=most,
                do_sample=False,
                pad_token_id=tokenizer.pad_token_id,
                logits_processor=LogitsProcessorList([watch.certainty]),
                stopping_criteria=StoppingCriteriaList([watch]),
                no_repeat_ngram_size=REPEATED_NGRAM if attempt > 1 else 0,
            )
        ends = _as_set(self._model.generation_config.eos_token_id) | {tokenizer.eos_token_id}
        rows = output[:, watch.start :].tolist()
        return [self._completion(row, ends, watch, index) for index, row in enumerate(rows)]

    def _completion(self, tokens: list[int], ends: set[int | None], watch: "_Watch", row: int) -> Completion:
        """The text of one row of the output, up to its end."""
        stop = next((index for index, token in enumerate(tokens) if token in ends), None)
        looped = watch.looped.get(row)
        length = stop if stop is not None else looped if looped is not None else len(tokens)
        finish = "stop" if stop is not None else "loop" if looped is not None else "length"
        text = self._processor.tokenizer.decode(tokens[:length], skip_special_tokens=False)
        return Completion(text=_without_padding(text, self._processor.tokenizer), finish=finish, confidence=watch.certainty.mean(row, length))

    def _prompt(self, pages: int) -> str:
        """The text of a unit's request: by the model's chat template where it has one, else its mark for images and the dialect's words."""
        if getattr(self._processor, "chat_template", None):
            content = [*({"type": "image"} for _ in range(pages)), {"type": "text", "text": prompt_of(self._dialect, self._options)}]
            return str(self._processor.apply_chat_template([{"role": "user", "content": content}], add_generation_prompt=True))
        return prompt_of(self._dialect, self._options, pages, str(getattr(self._processor, "image_token", IMAGE_MARK)))


class _Certainty(LogitsProcessor):  # type: ignore[misc]
    """Keeps the log probability of the likeliest token of each step, which greedy decoding takes; changes nothing."""

    def __init__(self) -> None:
        self._steps: list[Any] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:  # noqa: ARG002 - the protocol of transformers
        self._steps.append(scores.float().log_softmax(-1).amax(-1))
        return scores

    def mean(self, row: int, length: int) -> float | None:
        """The geometric mean 0..1 of the probabilities of the first tokens of a row; None for none."""
        values = [float(step[row]) for step in self._steps[:length]]
        return math.exp(sum(values) / len(values)) if values else None


class _Watch(StoppingCriteria):  # type: ignore[misc]
    """Ends rows that run in a loop. `start`: tokens of the prompt; `looped`: by row, the tokens it had generated then."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.looped: dict[int, int] = {}
        self.certainty = _Certainty()

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:  # noqa: ARG002 - the protocol of transformers
        generated = input_ids.shape[1] - self.start
        if generated >= LOOP_TOKENS and generated % LOOP_EVERY == 0:
            for row, tail in enumerate(input_ids[:, -LOOP_TOKENS:].tolist()):
                if row not in self.looped and is_periodic(tail):
                    self.looped[row] = generated
        return torch.tensor([row in self.looped for row in range(input_ids.shape[0])], device=input_ids.device)


def is_periodic(tokens: Sequence[int]) -> bool:
    """Whether all these tokens are one short piece over and over."""
    return any(
        len(tokens) >= LOOP_REPEATS * period and all(a == b for a, b in zip(tokens, tokens[period:], strict=False))
        for period in range(1, LOOP_PERIOD + 1)
    )  # fmt: skip


def create_engine(options: EngineOptions) -> VlmEngine:
    """The engine, not yet loaded."""
    return VlmEngine(options)


def _rgb(bgr: Pixels) -> Pixels:
    return np.ascontiguousarray(bgr[:, :, ::-1])


def _as_set(value: int | Sequence[int] | None) -> set[int | None]:
    return set(value) if isinstance(value, list | tuple) else {value}  # type: ignore[arg-type]


def _without_padding(text: str, tokenizer: Any) -> str:
    """The text without the tokens that only frame it; those of a dialect stay."""
    for token in (tokenizer.pad_token, tokenizer.bos_token, tokenizer.eos_token):
        text = text.replace(token, "") if token else text
    return text
