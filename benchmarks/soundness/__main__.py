"""``python -m benchmarks.soundness``: see :mod:`benchmarks.soundness.runner`."""

import sys

from benchmarks.soundness.runner import main

if __name__ == "__main__":
    sys.exit(main())
