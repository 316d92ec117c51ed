"""Growths and expansions: regimes, series with remainders, o, O, ~, uniform statements, limits that do not exist."""
