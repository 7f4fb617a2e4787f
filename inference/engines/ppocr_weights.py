"""PP-OCR in torch: the classes of transformers, filled with the weights of the ONNX files that the rapidocr wheel carries.

Guarantees: nothing is downloaded; a weight without a place, a place without a weight and a shape that differs are errors, never a model that is
a little wrong. How the two orders of layers relate was read off the graphs: an exporter writes layers in the order in which they ran. The only
door to `onnx`.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from transformers import (
    PPLCNetV4Config,
    PPOCRV6SmallDetConfig,
    PPOCRV6SmallDetForObjectDetection,
    PPOCRV6SmallRecConfig,
    PPOCRV6SmallRecForTextRecognition,
)

from inference.engines import ppocr_models
from schemas.errors import Code, PageloomError

Array = NDArray[np.float32]

DETECTOR_BLOCKS = [
    [[3, 48, 48, 1, True], [3, 48, 48, 1, False]],
    [[3, 48, 96, 2, False], [3, 96, 96, 1, True], [3, 96, 96, 1, False]],
    [[3, 96, 192, 2, False], [3, 192, 192, 1, True], [3, 192, 192, 1, False], [3, 192, 192, 1, True], [3, 192, 192, 1, False]],
    [[3, 192, 384, 2, False], [3, 384, 384, 1, True], [3, 384, 384, 1, False]],
]
"""The backbone of the detector, read off its graph; by stage and block: kernel, channels in, channels out, stride, squeeze-and-excitation."""
LAYERS = (torch.nn.Conv2d, torch.nn.ConvTranspose2d, torch.nn.Linear, torch.nn.LayerNorm)
"""What holds weights, beside the batch norms that follow convolutions."""
NECK_LEVEL = re.compile(r"model\.neck\.(insert_conv|input_conv)\.(\d+)\.")
"""The neck's layers of one scale. The classes go through the scales from the finest, the graph from the coarsest."""


class Layer(NamedTuple):
    """Weights of a layer of the graph as torch shapes them; `norm` is the batch norm that follows: scale, shift, mean, variance."""

    weight: Array
    bias: Array | None
    norm: tuple[Array, Array, Array, Array] | None
    epsilon: float


def detector() -> torch.nn.Module:
    """(pages, 3, height, width), sides multiples of 32 → probability of text (pages, 1, height, width). Raises PageloomError."""
    backbone = PPLCNetV4Config(
        block_configs=DETECTOR_BLOCKS, stem_channels=[3, 24, 48], out_features=["stage1", "stage2", "stage3", "stage4"]
    )  # fmt: skip
    model = PPOCRV6SmallDetForObjectDetection(PPOCRV6SmallDetConfig(backbone_config=backbone, layer_list_out_channels=[48, 96, 192, 384]))
    return _filled(model, _graph(ppocr_models.DETECTION), torch.zeros(1, 3, 64, 64))


def recognizer() -> tuple[torch.nn.Module, list[str]]:
    """((lines, 3, 48, width) → probabilities (lines, width / 8, characters), its characters but for blank and space). Raises PageloomError."""
    model = _graph(ppocr_models.RECOGNITION)
    characters: list[str] = next((entry.value.splitlines() for entry in model.metadata_props if entry.key == "character"), [])
    config = PPOCRV6SmallRecConfig(head_out_channels=len(characters) + 2)
    return _filled(PPOCRV6SmallRecForTextRecognition(config), model, torch.zeros(1, 3, 48, 64)), characters


def _graph(name: str) -> Any:
    path = ppocr_models.model_path(name)
    try:
        return onnx.load(path)
    except (OSError, ValueError) as error:
        raise PageloomError(Code.ENGINE_FAILED, f"the model {name} in the rapidocr wheel is damaged; install rapidocr again") from error


def _filled(model: torch.nn.Module, graph: Any, example: torch.Tensor) -> torch.nn.Module:
    """The model with the graph's weights, layer by layer in the order in which both run."""
    modules = _as_exported(_in_order_of_running(model.eval(), example))
    layers = list(layers_of(graph.graph))
    places = [(name, module) for name, module in modules if not isinstance(module, torch.nn.BatchNorm2d)]
    if len(places) != len(layers):
        raise _unlike(f"{len(layers)} layers of weights for {len(places)} places")
    following = dict(itertools.pairwise(name for name, _ in modules))
    by_name = dict(modules)
    with torch.no_grad():
        for (name, module), layer in zip(places, layers, strict=True):
            after = by_name.get(following.get(name, ""))
            _fill(name, module, after if isinstance(after, torch.nn.BatchNorm2d) else None, layer)
    return model


def _fill(name: str, module: Any, norm: Any, layer: Layer) -> None:
    """Copies one layer. A bias that the class has no room for goes into the batch norm behind it, which does nothing else then."""
    if tuple(module.weight.shape) != layer.weight.shape:
        raise _unlike(f"{name} has the shape {tuple(module.weight.shape)}, its weights {layer.weight.shape}")
    module.weight.copy_(torch.from_numpy(layer.weight))
    if norm is None:
        if layer.norm is not None or (module.bias is None) != (layer.bias is None):
            raise _unlike(f"{name} has a bias or a norm that its weights have not, or the other way round")
        if layer.bias is not None:
            module.bias.copy_(torch.from_numpy(layer.bias))
        return
    if module.bias is not None:
        module.bias.zero_()
    norm.eps = layer.epsilon
    bias = np.zeros(norm.num_features, np.float32) if layer.bias is None else layer.bias
    none = np.ones_like(bias), bias, np.zeros_like(bias), np.full_like(bias, 1 - layer.epsilon)  # of a norm that was folded into its convolution
    scale, shift, mean, variance = none if layer.norm is None else (*layer.norm[:2], layer.norm[2] - bias, layer.norm[3])
    for target, values in ((norm.weight, scale), (norm.bias, shift), (norm.running_mean, mean), (norm.running_var, variance)):
        target.copy_(torch.from_numpy(values))


def layers_of(graph: Any) -> Iterator[Layer]:
    """The layers of a graph in its order: convolutions, products with a matrix, and the scales of layer norms; each with what is added to it."""
    constants = {tensor.name: np.array(numpy_helper.to_array(tensor), np.float32) for tensor in graph.initializer}
    alias: dict[str, str] = {}
    readers: dict[str, list[Any]] = {}
    for node in graph.node:
        if node.op_type in {"Identity", "Cast"}:
            alias[node.output[0]] = alias.get(node.input[0], node.input[0])
        for name in node.input:
            readers.setdefault(alias.get(name, name), []).append(node)
    for node in graph.node:
        weight = _weight(node, constants)
        if weight is None:
            continue
        after = readers.get(node.output[0], [])
        given = constants.get(node.input[2]) if node.op_type.startswith("Conv") and len(node.input) > 2 else None
        added = _constant_of((reader for reader in after if reader.op_type == "Add"), constants)
        norm = next((reader for reader in after if reader.op_type == "BatchNormalization"), None)
        bias = given if given is not None else added
        yield Layer(
            weight=weight,
            bias=None if bias is None else bias.ravel(),
            norm=None if norm is None else tuple(constants[name] for name in norm.input[1:5]),  # type: ignore[arg-type]
            epsilon=next((entry.f for entry in norm.attribute if entry.name == "epsilon"), 1e-5) if norm is not None else 1e-5,
        )


def _weight(node: Any, constants: Mapping[str, Array]) -> Array | None:
    """The weights that a node multiplies with, as torch shapes them; None for a node without."""
    if node.op_type in {"Conv", "ConvTranspose"}:
        return constants.get(node.input[1])
    if node.op_type == "MatMul" and node.input[1] in constants:
        return np.ascontiguousarray(constants[node.input[1]].T)
    if node.op_type == "Mul":  # the scale of a layer norm, which is written out as its arithmetic
        scale = _constant_of([node], constants)
        return scale if scale is not None and scale.ndim == 1 and scale.size > 1 else None
    return None


def _constant_of(nodes: Iterable[Any], constants: Mapping[str, Array]) -> Array | None:
    return next((constants[name] for node in nodes for name in node.input if name in constants), None)


def _in_order_of_running(model: torch.nn.Module, example: torch.Tensor) -> list[tuple[str, torch.nn.Module]]:
    """Names and modules that hold weights, in the order in which they run on an example."""
    ran: list[tuple[str, torch.nn.Module]] = []
    hooks = [
        module.register_forward_hook(lambda module, _inputs, _output, name=name: ran.append((name, module)))
        for name, module in model.named_modules()
        if isinstance(module, (*LAYERS, torch.nn.BatchNorm2d))
    ]
    with torch.inference_mode():
        model(example)
    for hook in hooks:
        hook.remove()
    return ran


def _as_exported(modules: list[tuple[str, torch.nn.Module]]) -> list[tuple[str, torch.nn.Module]]:
    """The modules in the order of the graph: the neck's from the coarsest scale to the finest, all others as they run."""

    def part(entry: tuple[str, torch.nn.Module]) -> str:
        found = NECK_LEVEL.match(entry[0])
        return found[1] if found else ""

    def level(entry: tuple[str, torch.nn.Module]) -> int:
        found = NECK_LEVEL.match(entry[0])
        return -int(found[2]) if found else 0

    return [entry for _, group in itertools.groupby(modules, part) for entry in sorted(group, key=level)]


def _unlike(what: str) -> PageloomError:
    message = f"the PP-OCR weights of this rapidocr do not fit the classes of this transformers ({what}); install the versions of pageloom[gpu]"
    return PageloomError(Code.ENGINE_FAILED, message)
