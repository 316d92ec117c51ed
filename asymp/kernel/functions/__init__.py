"""Statements for all functions of whole numbers: order, maxima and minima over ranges, ranked values."""
