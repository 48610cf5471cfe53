"""Agent files: one `.safetensors` with a policy network, the rules it plays and the layout it was trained on.

Loading runs no code from the file and needs no torch. Metadata, all strings: `format`; `rules`, every field as JSON;
`layout`, JSON of `Layout.describe()` and its fingerprint; `network`, JSON of activation and hidden sizes; `info`, JSON
of anything worth knowing (recipe, steps, seed; `rewards`: those the critic has learnt under, where not the rules';
`imitate`, `imitated`: whom it learnt to play like before its steps, and from how many of its decisions).
Tensors, float32: `policy.N.weight` (in, out) and `policy.N.bias` (out,), the last being the action head; and, if
wanted, a critic's `value.N.weight` and `value.N.bias` in the same way.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

import bluff_env
from bluff_agents.errors import AgentError
from bluff_agents.policy import Layer, checked_layers
from bluff_env import BluffError, Rules

FORMAT: Final = "bluff-agent/1"
#: What a run folder, and a folder of the zoo, calls the agent in it.
RUN_AGENT: Final = "agent.safetensors"
#: An agent may play under rules that differ in these: they change neither what it sees nor what it may do.
FREE_FIELDS: Final = ("max_turns", "rewards", "first_player", "target_points")


@dataclass(frozen=True, slots=True)
class AgentFile:
    """What an agent file holds.

    Attributes:
        rules: the rules it was trained on.
        weights: the policy's layers, the last being the action head.
        activation: between the policy's layers, and the critic's.
        value: the critic's layers from the observation to one number, or None.
        info: free: recipe, steps, seed, rewards.
    """

    rules: Rules
    weights: list[Layer]
    activation: str
    value: list[Layer] | None
    info: dict[str, Any]

    @property
    def steps(self) -> int | None:
        """Decisions of its own that it has learnt from; None where `info`, which may hold anything, does not say."""
        steps = self.info.get("steps")
        return steps if type(steps) is int and steps >= 0 else None


def write_agent(
    path: str | os.PathLike[str],
    rules: str | Mapping[str, Any] | Rules,
    weights: Sequence[Layer],
    activation: str = "tanh",
    value: Sequence[Layer] | None = None,
    info: Mapping[str, Any] | None = None,
) -> None:
    """Writes an agent file, whole or not at all: under a temporary name, then renamed over what was there.

    Raises:
        AgentError: layers that do not fit together or the rules, or a file that cannot be written; what stood there
            before still does.
    """
    target, rules = Path(path), bluff_env.rules(rules)
    lay = bluff_env.layout(rules)
    nets = {"policy": checked_layers(weights, lay.size, lay.n_actions, activation, str(target))}
    if value is not None:
        nets["value"] = checked_layers(value, lay.size, 1, activation, f"{target}, value")
    metadata = {
        "format": FORMAT,
        "rules": json.dumps(rules.to_dict()),
        "layout": json.dumps({**lay.describe(), "fingerprint": lay.fingerprint}),
        "network": json.dumps(
            {"activation": activation} | {net: [len(bias) for _, bias in layers[:-1]] for net, layers in nets.items()}
        ),
        "info": json.dumps(dict(info or {})),
    }
    tensors = {
        f"{net}.{number}.{part}": array
        for net, layers in nets.items()
        for number, layer in enumerate(layers)
        for part, array in zip(("weight", "bias"), layer, strict=True)
    }
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(_in_order(save(tensors, metadata)))
        os.replace(temporary, target)
    except OSError as error:
        raise AgentError(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


def _in_order(data: bytes) -> bytes:
    """The same file with its metadata in order: safetensors puts them in any, so equal agents were not equal files."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[8 + size :]


def read_agent(path: str | os.PathLike[str], rules: str | Mapping[str, Any] | Rules | None = None) -> AgentFile:
    """Reads and checks an agent file, for the given rules, or for its own if None.

    Raises:
        AgentError: one line: not an agent file, cut short, made for other rules or another layout (saying what
            differs), or tensors that are not what the metadata say.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            return _read(str(path), file, None if rules is None else bluff_env.rules(rules))
    except FileNotFoundError:
        raise AgentError(f"{path}: no such file") from None
    except OSError as error:
        raise AgentError(f"{path}: cannot be read: {error.strerror or error}") from None
    except SafetensorError as error:
        raise AgentError(f"{path}: not an agent file, or cut short ({error})") from None
    except RecursionError:  # what JSON could still read may be too deep to be compared or told
        raise AgentError(f"{path}: faulty agent file: its metadata are nested too deep") from None


def _read(path: str, file: Any, wanted: Rules | None) -> AgentFile:
    metadata: dict[str, str] = file.metadata() or {}
    if metadata.get("format") != FORMAT:
        found = repr(metadata["format"]) if "format" in metadata else "none"
        raise AgentError(f"{path}: not an agent file this version reads: format {found} found; {FORMAT!r} expected")
    found_rules = _json(path, metadata, "rules")
    if wanted is not None:
        _check_rules(path, found_rules, wanted)
    try:
        own = bluff_env.rules(found_rules)
    except BluffError as error:
        raise AgentError(f"{path}: its rules are not ones this version plays: {_line(error)}") from None
    lay = bluff_env.layout(own)
    found_layout = _json(path, metadata, "layout")
    if found_layout.get("fingerprint") != lay.fingerprint:
        differences = lay.differences(found_layout) or ["another fingerprint"]
        raise AgentError(f"{path}: made for another layout: {_line('; '.join(differences))}")
    network = _json(path, metadata, "network")
    activation = str(network.get("activation"))
    expected = {"policy": lay.n_actions} | ({"value": 1} if "value" in network else {})
    tensors = _tensors(path, file, {net: _sizes(path, network, net, lay.size, out) for net, out in expected.items()})
    nets = {net: checked_layers(tensors[net], lay.size, out, activation, path) for net, out in expected.items()}
    return AgentFile(own, nets["policy"], activation, nets.get("value"), _json(path, metadata, "info"))


def _json(path: str, metadata: dict[str, str], key: str) -> dict[str, Any]:
    try:
        value = json.loads(metadata[key])
    except KeyError:
        raise AgentError(f"{path}: faulty agent file: {key} is missing from its metadata") from None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise AgentError(f"{path}: faulty agent file: {key} in its metadata is not a JSON object")
    return value


def _check_rules(path: str, found: dict[str, Any], wanted: Rules) -> None:
    """Refuses rules that differ in more than the free fields. A field the file lacks is taken at its default."""
    default = {f.name: f.default for f in fields(Rules)}
    mine = wanted.to_dict()
    differences = [
        f"{key} {value!r} instead of {mine.get(key)!r}"
        for key, value in ({**default, **found}).items()
        if key not in FREE_FIELDS and value != mine.get(key)
    ]
    if differences:
        raise AgentError(f"{path}: made for other rules: {_line('; '.join(differences))}")


def _sizes(path: str, network: dict[str, Any], net: str, inputs: int, outputs: int) -> list[int]:
    """The sizes of a network's layers, from the observation to what it gives."""
    hidden = network.get(net)
    if not isinstance(hidden, list) or not all(type(size) is int and size > 0 for size in hidden):
        raise AgentError(f"{path}: faulty agent file: network.{net} is {hidden!r}; a list of sizes expected")
    return [inputs, *hidden, outputs]


def _tensors(path: str, file: Any, sizes: dict[str, list[int]]) -> dict[str, list[Layer]]:
    """The layers of each network, once names, types and shapes are what the metadata say."""
    shapes: dict[str, list[int]] = {}
    for net, row in sizes.items():
        for number, (ins, outs) in enumerate(pairwise(row)):
            shapes[f"{net}.{number}.weight"] = [ins, outs]
            shapes[f"{net}.{number}.bias"] = [outs]
    for name in sorted(set(file.keys()) ^ set(shapes)):
        what = "missing" if name in shapes else "unexpected"
        raise AgentError(f"{path}: faulty agent file: tensor {_line(name)} is {what}")
    arrays: dict[str, NDArray[np.float32]] = {}
    for name, shape in shapes.items():
        header = file.get_slice(name)
        if header.get_dtype() != "F32" or list(header.get_shape()) != shape:
            raise AgentError(
                f"{path}: faulty agent file: tensor {name} is {header.get_dtype()} {header.get_shape()}; "
                f"F32 {shape} expected"
            )
        arrays[name] = file.get_tensor(name)
    return {
        net: [(arrays[f"{net}.{i}.weight"], arrays[f"{net}.{i}.bias"]) for i in range(len(row) - 1)]
        for net, row in sizes.items()
    }


def _line(text: object) -> str:
    """Text that came out of a file, in one line."""
    return " ".join(str(text).split())
