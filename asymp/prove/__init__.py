"""Searches for certificates: what they find is proposed to the kernel, which accepts it or does not."""
