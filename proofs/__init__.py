"""The papers: one module or folder a paper, its claims and derivations in the paper's order."""
