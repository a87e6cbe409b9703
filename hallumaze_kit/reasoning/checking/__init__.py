"""Judging links: exact arithmetic, soft labels for what is no wrong sum, algebra, where the operands come from."""
