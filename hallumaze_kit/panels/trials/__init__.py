"""Trials in the paste panel that are more than one prompt and one walk: hints, planted errors, paths to judge."""
