"""Markov chains: the law that a definition by transitions has, by balance."""
