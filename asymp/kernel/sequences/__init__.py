"""Sequences: induction, telescoping, sums term by term, shapes, cases, values put in for functions."""
