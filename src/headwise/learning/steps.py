"""A run of training is a list of steps; what goes wrong on the way is seen to here, once for all of them.

A step takes the run so far and returns it with one component more. Somebody may interrupt it (Ctrl-C): the
run then keeps what it has, leaves out what it can do without, and ends with a model that is of use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from headwise.learning.loop import INTERRUPTED, DivergedError, Listener


@dataclass(frozen=True, kw_only=True)
class AnyRun:
    """What every run knows; each kind of run adds what its steps make."""

    listener: Listener = field(default_factory=Listener)
    interrupted: bool = False


R = TypeVar("R", bound=AnyRun)


def _nothing(run: R) -> R:
    return run


def always(run: AnyRun) -> bool:
    return True


def never(run: AnyRun) -> bool:
    return False


@dataclass(frozen=True)
class Step(Generic[R]):
    """What is done next in a run."""

    does: Callable[[R], R]
    """The run with what this step adds. Where that is not asked for, the run as it is."""
    instead: Callable[[R], R] = _nothing
    """What takes its place where it was interrupted, or something before it: what no model is without."""
    is_quick: Callable[[R], bool] = never
    """Whether it is done even after an interruption; where it is interrupted itself, it is left."""
    name: str = ""
    """Of a step that is left out where its weights diverge and ``is_optional`` says that this will do."""
    is_optional: Callable[[R], bool] = never


def follow(run: R, steps: Iterable[Step[R]]) -> R:
    """The run after all steps.

    Ctrl-C ends the step that it meets, and what comes after is cut short; a second one then is
    a KeyboardInterrupt.
    """
    for step in steps:
        try:
            if not run.interrupted or step.is_quick(run):
                run = step.does(run)
                continue
        except DivergedError:
            if not step.is_optional(run):
                raise
            run.listener.message(f"{step.name} diverged, and is left out")
            continue
        except KeyboardInterrupt:  # not while learning, which ends by itself, but before or after it
            if not run.interrupted:
                run.listener.message(INTERRUPTED)
            run = replace(run, interrupted=True)
        run = step.instead(run)
    return run
