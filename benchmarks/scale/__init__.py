"""Scale: what a run costs on several workers, and what the largest runs would."""
