"""Jonckheere and Prabhu, *Asymptotics of Insensitive Load Balancing and Blocking Phases* (2016).

``claims.toml`` has the claims, in the paper's order and notation; ``model`` the farm of processor-sharing servers, built from
the routing rule and the generators of sections 2, 3 and 6, solved exactly.
"""
