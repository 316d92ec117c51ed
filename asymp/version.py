"""The version of asymp, below all that says by which one a result was made."""

__version__ = "0.1.0"
