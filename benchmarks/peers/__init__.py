"""Other tools' own test suites, asked of asymp: ``python -m benchmarks.peers``."""
