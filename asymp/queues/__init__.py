"""The queueing models of the papers.

* ``rules``: the multiserver-job system in its rules; ``saturated``: the saturated system over the rationals.
* ``one_and_n``: the formulas of the 1-and-n system; ``two_class``: the product form of two classes.
* ``open_queue``: the open queue as a quasi-birth-and-death process; ``one_and_n_queue``: waiting times at any n.
* ``laws``: of service and interarrival times; ``workload``: classes of jobs, shipped and from files.
"""
