"""A paper: what it claims is in claims.toml beside this file."""
