"""Real numbers by balls: ranges over boxes, derivatives, signs, bounds on unbounded domains, roots, printed numbers."""
