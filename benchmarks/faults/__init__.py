"""Faults: what a hostile environment does to a run of asymp, and what is lost, silent or left behind."""
