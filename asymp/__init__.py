"""asymp: check the asymptotic claims of papers the way engineers test code."""

__version__ = "0.1.0"
