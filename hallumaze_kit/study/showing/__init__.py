"""What people see: the console, the look of figures, the figures of experiments."""
