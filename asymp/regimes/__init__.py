"""Paths of a regime, and quantities in which it can be written: looked for here, seen to be right by the kernel."""
