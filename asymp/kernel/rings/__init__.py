"""Coefficients: rational functions in parameters, constants and functions of these, their identities and their signs."""
