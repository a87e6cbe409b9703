"""What the stepwise environment says, and how it reads what it is told."""
