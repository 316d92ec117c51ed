"""The command line's helpers: its words, what they mean, worker processes, progress.  Only the command line imports it."""
