"""What an answer says apart from its moves: declarations, objections, the verdict of a probe."""
