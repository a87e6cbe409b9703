"""Comparisons of trials: mazes as blocks, groups without blocks, effect sizes."""
