"""Judges CUDA kernels and talks to models, through `cuset serve`.

    from cuset import Judge
    with Judge(tasks="tasks.jsonl") as judge:
        for verdict in judge.verify([("saxpy_4k", answer)]):
            print(verdict.outcome, verdict.reward, verdict.feedback)
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cuset.client import Client, ServerError
    from cuset.judge import Judge, Verdict
    from cuset.rewards import trl_reward, verl_score

__all__ = ["Client", "Judge", "ServerError", "Verdict", "trl_reward", "verl_score"]

_PLACES = {"Client": "client", "ServerError": "client", "Judge": "judge", "Verdict": "judge", "trl_reward": "rewards",
           "verl_score": "rewards"}


def __getattr__(name: str) -> Any:
    """Imports what is asked for: the command `cuset`, which is in this package too, starts without any of it."""
    if name not in _PLACES:
        raise AttributeError(f"module 'cuset' has no attribute {name!r}")
    return getattr(importlib.import_module(f"cuset.{_PLACES[name]}"), name)
