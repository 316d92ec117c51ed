"""Limit laws: convergence in law from convergence of transforms, probabilities, distribution functions or moments."""
