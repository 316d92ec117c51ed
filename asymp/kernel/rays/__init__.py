"""Comparisons for all values of one variable: series with explicit remainders on half-lines, balls between."""
