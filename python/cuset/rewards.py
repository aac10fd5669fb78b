"""Rewards for other trainers: reward functions of TRL's GRPOTrainer, and verl's compute_score.

    trainer = GRPOTrainer(..., reward_funcs=trl_reward(judge))       # the data set has a column "task"

verl, with the judge's address in CUSET_URL (and CUSET_API_KEY), and the task's id as ground_truth:

    reward.custom_reward_function.path=.../cuset/rewards.py reward.custom_reward_function.name=compute_score
"""
from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cuset.judge import Judge

_lock = threading.Lock()
_judge: Judge | None = None


def text_of(completion: str | Sequence[Mapping[str, Any]]) -> str:
    """The text of a completion: itself, or the content of its last message."""
    return completion if isinstance(completion, str) else str(completion[-1]["content"] or "")


def trl_reward(judge: Judge, column: str = "task", reward: str = "composite") -> Callable[..., list[float | None]]:
    """A function for `reward_funcs`. `column` of the data set names the task of each prompt. None: no verdict."""

    def cuset_reward(completions: Sequence[Any], **kwargs: Any) -> list[float | None]:
        if column not in kwargs:
            raise KeyError(f"the data set has no column {column!r}, which names the task of each prompt")
        answers = list(zip(kwargs[column], map(text_of, completions), strict=True))
        return [verdict.reward for verdict in judge.verify(answers, reward)]

    return cuset_reward


def verl_score(judge: Judge, solution_str: str, ground_truth: Any, extra_info: Mapping[str, Any] | None = None,
               reward: str = "composite") -> dict[str, Any]:
    """What verl's reward managers take: "score", and columns beside it."""
    task = (extra_info or {}).get("task") or ground_truth
    verdict = judge.verify([(task, solution_str)], reward)[0]
    return {"score": verdict.reward or 0.0, "outcome": verdict.outcome, "correct": float(verdict.correct)}


def _shared_judge() -> Judge:
    """The judge at CUSET_URL, or one that is started for CUSET_TASKS; one for the whole process."""
    global _judge
    with _lock:
        if _judge is None:
            url, tasks = os.environ.get("CUSET_URL"), os.environ.get("CUSET_TASKS")
            if not url and not tasks:
                raise RuntimeError("set CUSET_URL to the address of cuset serve --judge, or CUSET_TASKS to a file of tasks")
            _judge = Judge(url=url, key=os.environ.get("CUSET_API_KEY")) if url else Judge(tasks)
        return _judge


def compute_score(data_source: str, solution_str: str, ground_truth: Any,
                  extra_info: Mapping[str, Any] | None = None, **_: Any) -> dict[str, Any]:
    """verl's custom reward function; what it passes beside these (a reward model's address) is not needed."""
    return verl_score(_shared_judge(), solution_str, ground_truth, extra_info)
