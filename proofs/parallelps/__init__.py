"""Job parallelism over d processor-sharing servers: a mean-field analysis.

``claims.toml`` has the claims, in the paper's order and notation; ``model`` exact numbers of the mean-field model, and of the
steps of the proofs on small systems.
"""
