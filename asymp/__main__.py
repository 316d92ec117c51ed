"""``python -m asymp``."""

import sys

from asymp.cli import main

if __name__ == "__main__":
    sys.exit(main())
