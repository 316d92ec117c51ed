r"""flint's rigorous quadrature, made safe against what is raised while it runs.

flint calls back into Python for each value of the integrand.  The binding passes on an ``Exception``, but anything
else (Ctrl-C, a time limit) leaves its C code with an error set and a value that was never written: the interrupt
surfaces late, under another name, or not at all, and the ball means nothing.  So nothing is raised inside: a
failure is remembered, the integrand is 0 from then on (with nan flint would go on to its limit of evaluations), what
flint makes of that is thrown away, and the failure is raised.  A Python signal handler may run between any two
instructions, also before a ``try`` is entered; while flint runs it is put off, and a signal that waits ends the
integral in the same way.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from flint import acb

Integrand = Callable[[acb, bool], acb]
"""f(z, analytic): nan where ``analytic`` is asked for and not assured on the ball."""

_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP", "SIGQUIT", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2", "SIGXCPU")
    if hasattr(signal, name)
)
_ENDED = acb(0)
"""The integrand once its integral is not wanted any more."""
MOST_RUNS = 3
"""How often an integral is begun again after signals whose handlers returned; then they wait until it has ended."""


class Waiting:
    """Puts Python's signal handlers off for a while; :meth:`deliver` calls those whose signals came.

    Elsewhere than in the main thread Python runs no handlers, and nothing is done.

    >>> with Waiting() as waiting:
    ...     signal.raise_signal(signal.SIGINT)
    ...     bool(waiting)
    True
    >>> waiting.came.clear()
    """

    def __init__(self) -> None:
        self.came: list[tuple[int, FrameType | None]] = []
        self._before: dict[int, Any] = {}
        self._closed = False

    def __bool__(self) -> bool:
        return bool(self.came)

    def __enter__(self) -> Waiting:
        if threading.current_thread() is threading.main_thread():
            try:
                for number in _SIGNALS:
                    handler = signal.getsignal(number)
                    if callable(handler):
                        self._before[number] = handler
                        signal.signal(number, self._note)
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True  # first: a handler of ours that is left in place passes its signal on
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._closed:
            self._before[number](number, frame)
        else:
            self.came.append((number, frame))

    def deliver(self) -> None:
        """Call the handlers of the signals that came; what they raise is raised."""
        while self.came:
            number, frame = self.came.pop(0)
            self._before[number](number, frame)


def integral(f: Integrand, low: acb, high: acb, **options: Any) -> acb:
    """The integral of f from ``low`` to ``high`` as a ball, not finite where it cannot be bounded.

    Args:
        f: the integrand.
        low: where it begins.
        high: where it ends.
        options: those of ``acb.integral``.

    Raises:
        What f raises, and what a signal handler raises meanwhile, as soon as flint has returned.

    >>> integral(lambda z, _: z.exp(), acb(0), acb(1)).overlaps(acb(1).exp() - 1)
    True
    """
    for run in range(MOST_RUNS + 1):
        failed: list[BaseException] = []
        cut_short: list[bool] = []
        last = run == MOST_RUNS
        waiting = Waiting()

        def guarded(z: acb, analytic: bool, failed=failed, cut_short=cut_short, waiting=waiting, last=last) -> acb:  # type: ignore[no-untyped-def]
            if failed or cut_short:
                return _ENDED
            if waiting and not last:
                cut_short.append(True)
                return _ENDED
            try:
                return f(z, analytic)
            except BaseException as error:
                failed.append(error)
                return _ENDED

        value = _ENDED
        with waiting:
            try:
                value = acb.integral(guarded, low, high, **options)
            except BaseException as error:  # raised between our own instructions: by a debugger, by another thread
                failed.append(_first_of(error))
        waiting.deliver()
        if failed:
            raise failed[0]
        if not cut_short:
            return value
    raise AssertionError("the last run is not cut short")


def _first_of(error: BaseException) -> BaseException:
    """What is behind Python's complaint that C code returned with an error set."""
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return error
