"""Whole numbers: linear conditions on them, cells, finite and infinite sums and products."""
