"""A package from outside: a function, a method, a theory, a model and a paper, one file each."""
