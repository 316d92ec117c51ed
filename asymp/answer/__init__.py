"""Answers to what is typed: verdicts, expansions, certified values, for the command line, Python and notebooks."""
