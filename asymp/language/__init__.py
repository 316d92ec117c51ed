"""The language of statements: text to terms and closed formulas.

Nothing here imports SymPy, and nothing is evaluated as code.
"""
