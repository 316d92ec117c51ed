"""Statements of books and papers that nobody registered: what asymp says of them.  ``python -m benchmarks.papers``."""
