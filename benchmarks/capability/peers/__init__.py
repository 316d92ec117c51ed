"""The systems: how each is asked, and how its answer is read."""
