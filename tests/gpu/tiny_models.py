"""Tiny vision-language models of real classes, built with random weights and saved in code: they talk nonsense, but batch, cache and load like
large ones.
"""

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoModelForImageTextToText,
    Idefics3Config,
    Idefics3ImageProcessor,
    Idefics3Processor,
    PreTrainedTokenizerFast,
)

WORDS = "the page of a book about harvest and grain in the northern valley with tables and notes " * 20
SPECIAL = ["<pad>", "<s>", "</s>", "<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>"]
TILES = [f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)]


def trained_tokenizer() -> PreTrainedTokenizerFast:
    """A byte-level tokenizer of some hundred tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator([WORDS], trainers.BpeTrainer(vocab_size=600, special_tokens=SPECIAL + TILES, initial_alphabet=alphabet))
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
    model = AutoModelForImageTextToText.from_config(config)
    images = Idefics3ImageProcessor(size={"longest_edge": 192}, max_image_size={"longest_edge": 64})
    model.save_pretrained(folder)
    Idefics3Processor(images, tokenizer, image_seq_len=4).save_pretrained(folder)
    return folder
