"""``python -m benchmarks.capability``."""

import sys

from benchmarks.capability.run import main

sys.exit(main())
