"""Ray: started here for one run, or a cluster that is there already."""

from __future__ import annotations

import logging
import os
import random
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import ray
import torch

import bluff_agents
import bluff_env
from bluff_agents.bots import BOTS
from bluff_agents.rllib.recipe import RllibRecipe
from bluff_env.errors import BluffError, ConfigError

# Ray's shared memory holds the batches on their way to the learner, several of them at once.
_LEAST_STORE: Final = 150_000_000
_BATCHES: Final = 8
_BYTES_A_NUMBER: Final = 4
# Seconds to wait for a cluster's head to answer at all.
_KNOCK: Final = 5.0


@contextmanager
def joined(recipe: RllibRecipe, address: str | None) -> Iterator[None]:
    """Within the block this process is part of a Ray: the cluster at `address`, one that the process has joined before,
    or else one of its own, which ends with the block.

    Raises:
        ConfigError: nothing answers at the address, or the cluster is too small for the recipe.
    """
    if ray.is_initialized():
        if address is not None:
            raise ConfigError(f"--address {address}: this process has joined a Ray already")
        _check_room(recipe)
        yield
        return
    with _quiet():
        before = signal.getsignal(signal.SIGTERM)
        _join(recipe, address)
        try:
            _check_room(recipe)
            yield
        finally:
            ray.shutdown()
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, before)


def _join(recipe: RllibRecipe, address: str | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    plain: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": False}
    if address is None:
        processors = recipe.env_runners * recipe.cpus_per_runner + recipe.learners + 1
        lay = bluff_env.layout(recipe.rules)
        batch = recipe.steps_per_iteration * _BYTES_A_NUMBER * (lay.size + 2 * lay.n_actions)
        ray.init(
            address="local",  # not one that happens to run on this machine
            num_cpus=max(int(np.ceil(processors)), 1),
            include_dashboard=False,
            object_store_memory=max(_LEAST_STORE, _BATCHES * batch),
            **plain,
        )
        return
    _knock(address)
    try:
        ray.init(address=address, **plain)
    except Exception as error:  # ConnectionError, ValueError, RuntimeError and more, as things stand
        first = " ".join((str(error).splitlines() or [type(error).__name__])[0].split())
        raise ConfigError(f"--address {address}: cannot be joined: {first}") from None


def _knock(address: str) -> None:
    """Refuses an address that cannot be one, or where nobody listens: Ray itself would wait for a minute."""
    if address == "auto":
        return
    host, colon, port = address.rpartition(":")
    if "://" in address or not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ConfigError(
            f"--address {address}: not an address; HOST:PORT of the cluster's head, or auto, expected, "
            "on a machine that is part of the cluster"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_KNOCK).close()
    except OSError as error:
        raise ConfigError(f"--address {address}: no answer: {error.strerror or error}") from None


def _check_room(recipe: RllibRecipe) -> None:
    """Ray would wait, without a word, for nodes that never come."""
    there = ray.cluster_resources()
    cpus = recipe.env_runners * recipe.cpus_per_runner + recipe.learners
    for resource, wanted, keys in (
        ("CPU", cpus, "env_runners, cpus_per_runner, learners"),
        ("GPU", recipe.learners * recipe.gpus_per_learner, "learners, gpus_per_learner"),
    ):
        if wanted > there.get(resource, 0.0):
            raise ConfigError(
                f"{recipe.name}: {wanted:g} {resource}s are wanted ({keys}); this Ray has {there.get(resource, 0.0):g}"
            )


def check_opponents(recipe: RllibRecipe) -> None:
    """Tries where Ray puts an env runner whether the opponents are there: RLlib itself would say so by a traceback from
    every runner. Bots are everywhere.

    Raises:
        ConfigError: one that cannot be loaded there.
    """
    names = [name for name, _ in recipe.opponents if name != "self" and name not in BOTS]
    if not names or not recipe.env_runners:
        return
    asked = ray.remote(num_cpus=recipe.cpus_per_runner, max_retries=0)(_load_all)
    try:
        said = ray.get(asked.remote(names, recipe.rules.to_dict()))
    except ray.exceptions.RayError as error:
        said = " ".join((str(error).splitlines() or [type(error).__name__])[-1].split())
    if said:
        raise ConfigError(f"{recipe.name}: an env runner cannot seat an opponent: {said}")


def _load_all(names: list[str], rules: dict[str, Any]) -> str:
    """Loads agents; what is wrong with the first that cannot be."""
    try:
        for name in names:
            bluff_agents.load(name, rules)
    except BluffError as error:
        return str(error)
    return ""


@contextmanager
def _quiet() -> Iterator[None]:
    """Ray's and RLlib's warnings, such as those about what a later version will change, are not the user's to mend."""
    loggers = [logging.getLogger(name) for name in ("ray", "ray.rllib", "ray.tune", "ray.train")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


@contextmanager
def own_generators(threads: int) -> Iterator[None]:
    """RLlib seeds the generators of the whole process and torch takes all cores; both are as before after the block."""
    python, old = random.getstate(), np.random.get_state()  # noqa: NPY002  (to leave it as it was)
    before, deterministic = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(threads)
    try:
        with torch.random.fork_rng(devices=[]):
            yield
    finally:
        torch.set_num_threads(before)
        torch.use_deterministic_algorithms(deterministic)
        random.setstate(python)
        np.random.set_state(old)  # noqa: NPY002
