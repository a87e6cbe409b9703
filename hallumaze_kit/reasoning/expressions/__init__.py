"""Reading sums: plain spelling, tokens, expressions, links. Nothing that is pasted is evaluated as code."""
