"""Simulation: estimates with honest intervals.

* ``models``: what can be sampled by name (``models.sample``); ``estimate``: estimates and moments.
* ``backend``: NumPy or CuPy, and random streams; ``laws``: what is drawn; ``compiler``: compiled code.
* ``replicate``: the replication loop of all samplers; ``batch_means``: steady states from a few long runs.
* ``regenerative``: the saturated 1-and-n system by cycles; ``events``: the event-by-event referee.
* ``referee``: the multiserver-job queue event by event, in exact numbers, to judge recurrences and samplers.
"""
