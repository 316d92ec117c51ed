"""The searchers: they propose steps, and the kernel accepts them or not.  Nothing here is trusted."""
