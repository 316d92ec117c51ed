"""Real numbers by balls: derivatives, covers by boxes, bounds on unbounded domains, roots, printed numbers."""
