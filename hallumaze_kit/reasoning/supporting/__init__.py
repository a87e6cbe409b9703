"""What stands on what in a trace, and what changes when one of its values does."""
