"""``python -m asymp``, and the command ``asymp``."""

import signal
import sys


def run() -> int:
    """The exit code of the command line; an interruption while it is imported ends the process without a word."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not where it is ignored, as under nohup
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from asymp.cli import main

    try:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = main()
    except KeyboardInterrupt:
        code = 130
    if ours:  # the answer is out: what is left is the end of the process
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


if __name__ == "__main__":
    sys.exit(run())
