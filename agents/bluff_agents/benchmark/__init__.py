"""The benchmark: fixed tasks that others compare and cite. docs/benchmark.md has the protocol.

`task` reads the tasks, `playing` plays them, `scoring` says how sure a score is, `lines` prints it.
"""

from __future__ import annotations

from bluff_agents.benchmark.playing import play_task
from bluff_agents.benchmark.results import Result, Score
from bluff_agents.benchmark.task import Task, read_task, task_names

__all__ = ["Result", "Score", "Task", "play_task", "read_task", "task_names"]
