"""How fast the kit is and how long its texts are, beside peers, as ratios (`make bench`).

Each part is a module with `ABOUT`, what its columns mean, and `measure`, which yields lines: `maze` (generate and
solve), `score` (answers a second), `parse` (long and nasty texts), `size` (length of the texts), `imports`, `store`,
`panel`, `play` (people at once), `ask`.
"""
