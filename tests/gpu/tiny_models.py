"""Tiny vision-language models of real classes, built with random weights and saved in code: they talk nonsense, but batch, cache and load like
large ones.
"""

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoModelForImageTextToText,
    Idefics3Config,
    Idefics3ImageProcessor,
    Idefics3Processor,
    PreTrainedTokenizerFast,
    Qwen2_5_VLConfig,
    Qwen2_5_VLProcessor,
    Qwen2VLImageProcessor,
    Qwen2VLVideoProcessor,
)

WORDS = "the page of a book about harvest and grain in the northern valley with tables and notes " * 20
SPECIAL = ["<pad>", "<s>", "</s>", "<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>"]
VISION = ["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"]
CHAT_TEMPLATE = (
    "{% for message in messages %}{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}"
    "{% if part.type == 'text' %}{{ part.text }}{% else %}<|vision_start|><|image_pad|><|vision_end|>{% endif %}"
    "{% endfor %}{% endif %}{% endfor %}"
)
TILES = [f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)]


def trained_tokenizer() -> PreTrainedTokenizerFast:
    """A byte-level tokenizer of some hundred tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator([WORDS], trainers.BpeTrainer(vocab_size=600, special_tokens=SPECIAL + VISION + TILES, initial_alphabet=alphabet))
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>", padding_side="left")


def save_tiny_idefics3(folder: Path, seed: int = 0) -> Path:
    """A model of the Idefics3 class with two layers, in a folder as `from_pretrained` wants it."""
    torch.manual_seed(seed)
    tokenizer = trained_tokenizer()
    config = Idefics3Config(
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=2,
        pad_token_id=tokenizer.pad_token_id,
        vision_config={
            "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "image_size": 64, "patch_size": 16,
        },
        text_config={
            "model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
            "num_key_value_heads": 2, "vocab_size": len(tokenizer), "pad_token_id": tokenizer.pad_token_id,
            "bos_token_id": tokenizer.bos_token_id, "eos_token_id": tokenizer.eos_token_id,
        },
    )  # fmt: skip
    images = Idefics3ImageProcessor(size={"longest_edge": 192}, max_image_size={"longest_edge": 64})
    return _saved(folder, config, Idefics3Processor(images, tokenizer, image_seq_len=4))


def save_tiny_qwen(folder: Path, seed: int = 0) -> Path:
    """A model of the Qwen2.5-VL class: pages of any size as so many patches, positions in three dimensions, a chat template."""
    torch.manual_seed(seed)
    tokenizer = trained_tokenizer()
    start, end, image, video = tokenizer.convert_tokens_to_ids(VISION)
    config = Qwen2_5_VLConfig(
        vision_config={
            "depth": 2, "hidden_size": 64, "intermediate_size": 128, "num_heads": 4, "out_hidden_size": 64, "patch_size": 14,
            "spatial_merge_size": 2, "fullatt_block_indexes": [1], "window_size": 112,
        },
        text_config={
            "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
            "vocab_size": len(tokenizer), "rope_parameters": {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 1e4},
            "pad_token_id": tokenizer.pad_token_id, "bos_token_id": tokenizer.bos_token_id, "eos_token_id": tokenizer.eos_token_id,
        },
        image_token_id=image, video_token_id=video, vision_start_token_id=start, vision_end_token_id=end,
    )  # fmt: skip
    images = Qwen2VLImageProcessor(size={"shortest_edge": 56 * 56, "longest_edge": 112 * 112})
    processor = Qwen2_5_VLProcessor(
        image_processor=images, tokenizer=tokenizer, video_processor=Qwen2VLVideoProcessor(), chat_template=CHAT_TEMPLATE
    )  # fmt: skip
    return _saved(folder, config, processor)


def _saved(folder: Path, config: Any, processor: Any) -> Path:
    """The model and its processor on disk. Its answers never end by themselves: random weights would emit an end by chance."""
    model = AutoModelForImageTextToText.from_config(config)
    model.generation_config.suppress_tokens = processor.tokenizer.convert_tokens_to_ids(SPECIAL + VISION + TILES)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
