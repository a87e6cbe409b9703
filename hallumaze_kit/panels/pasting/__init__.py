"""The paste panel, part by part: its state without a face (`state`), what it shows (`view`, `words`), its fields."""
