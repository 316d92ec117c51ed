"""Runs that can be drawn in parts: what a block adds is arrays, kept as they are until all blocks are there.

It stands beside :mod:`asymp.sample.replicate` and not in it: what is kept of long simulations is of the sources that drew it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asymp.model import PARTS, Drawn
from asymp.sample.replicate import Array, Kept, Progress, replicate

Block = Sequence[Array]
"""What was drawn of a block, as arrays."""


def drawn(
    total: int, block: int, draw: Callable[[int, int, int], Block], add: Callable[[int, int, Block], None],
    progress: Progress | None = None, kept: Kept | None = None, every: int = 1, rests: str = "",
) -> None:  # fmt: skip
    """All replications, where what a block adds is arrays: such a run can be drawn in parts, on any machines.

    ``draw(number, start, count)`` is of block ``number``, and depends on nothing that was added; ``add(start, count, arrays)``
    adds it.  ``rests`` says what the drawing rests on that was computed: a part that has drawn from other numbers is refused.

    Raises:
        Drawn: this is a part, and its blocks are drawn.
        ValueError: as :func:`replicate`; the blocks that are given are not those of this run.

    >>> import numpy as np
    >>> from asymp.model import PARTS, Drawn, Parts
    >>> def run(parts):
    ...     token, found = PARTS.set(parts), []
    ...     try:
    ...         drawn(5, 2, lambda number, start, count: [np.arange(start, start + count)], lambda *block: found.append(block[2]))
    ...     except Drawn:
    ...         pass
    ...     PARTS.reset(token)
    ...     return [block[0].tolist() for block in found]
    >>> first, second = Parts(1, 2), Parts(2, 2)
    >>> run(None), run(first), run(second), run(Parts(0, 1, first.blocks | second.blocks, first.run))
    ([[0, 1], [2, 3], [4]], [], [], [[0, 1], [2, 3], [4]])
    """
    parts = PARTS.get()
    if parts is None:

        def simulate(start: int, count: int) -> None:
            add(start, count, draw(start // block, start, count))

        replicate(total, block, simulate, progress, kept, every)
        return
    if kept is not None and kept.path is not None:
        raise ValueError("a part of a run keeps no checkpoint: its record is one")
    run = f"{total} in blocks of {block}; {rests}"
    starts = range(0, total, block)
    if parts.index:
        parts.run = run
        for number, start in enumerate(starts):
            if parts.mine(number):
                parts.blocks[start] = draw(number, start, min(block, total - start))
            if progress is not None:
                progress(min(start + block, total), total)
        raise Drawn
    if parts.taken or parts.run != run or set(parts.blocks) != set(starts):
        raise ValueError(f"the parts are of another run: {parts.run}, and this machine would draw {run}")
    parts.taken = True
    for start in starts:
        add(start, min(block, total - start), parts.blocks[start])


def in_any_order(can: bool) -> None:
    """That blocks can be drawn in any order, where a part of a run is to be drawn.

    Raises:
        ValueError: they cannot.
    """
    if PARTS.get() is not None and not can:
        raise ValueError("a GPU draws its blocks in order: draw the parts of a run with --device cpu")
