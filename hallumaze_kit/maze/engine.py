"""One maze, frozen: how it is made, what is open, where the solution runs.

Reading order: `MazeEngine` below; the trees in `generate`, the lures in `lures`, the text in
`encoding`, pictures in `drawing`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.maze import encoding, lures
from hallumaze_kit.maze.generate import GENERATORS

if TYPE_CHECKING:
    import numpy as np

Cell = tuple[int, int]
"""(row, column), both from 0 at the top left."""

DIRECTIONS = ("N", "E", "S", "W")
STEP: dict[str, Cell] = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
MIN_SIZE, MAX_SIZE = 2, 101
GENERATOR_VERSION = "1"


class MazeEngine:
    """A perfect maze: a spanning tree of the N×N grid, start (0,0), exit (N−1,N−1).

    Between any two cells there is exactly one path, so there is one solution.

        passages of a 2×2 maze whose solution is south, east:   (0,0) 4     (0,1) 4
                                                                (1,0) 1|2   (1,1) 8|1

    Parameters
    ----------
    size : int, 2 to 101
        Cells a side; 5, 7, 9 and 11 are v1.1's presets.
    seed : int ≥ 0, optional
        0 is a seed like any other. Without one, a seed is drawn and kept in `.seed`.
    algorithm : "dfs", "kruskal" or "wilson"
        "dfs" is v1.1's: the same seed gives the maze of the published trials. "wilson" draws every
        spanning tree with the same probability and has more junctions (6.7 decisions a 7×7
        maze against 2.4), so it is the choice for new studies.
    placement : "v1.1" or "balanced"
        Where lures stand; see `hallumaze_kit.maze.lures`.

    Attributes
    ----------
    passages : (N, N) uint8 array
        Open sides of each cell as a mask: north 1, east 2, south 4, west 8.
    solution : list of (row, col)
        The only path from start to exit, both ends counted.
    dead_ends : int
        Cells with one open side; the exit is left out, the start is not (v1.1's count).
    mirage_traps : tuple of Lure
        The lures: cell, direction, phrase number, whether the claim is true.
    junctions : tuple of (row, col)
        Cells where a walker has a choice: three or more open sides, or the start with two.

    Raises
    ------
    InputError
        If an argument is outside what is allowed.

    Source: sections 5 and 9.1 of the v1.1 document.
    """

    def __init__(self, size: int = 7, seed: int | None = None, algorithm: str = "dfs", placement: str = "v1.1") -> None:
        size = check_whole("size", size, MIN_SIZE, MAX_SIZE)
        check_choice("algorithm", algorithm, tuple(GENERATORS))
        check_choice("placement", placement, lures.PLACEMENTS)
        if seed is None:
            import secrets

            seed = secrets.randbelow(100_000)
        seed = check_whole("seed", seed, 0, mend="Leave it out to have one drawn and recorded.")
        self._set(size, seed, algorithm, placement, tuple(GENERATORS[algorithm](size, seed)))

    def _set(self, size: int, seed: int | None, algorithm: str, placement: str, masks: tuple[int, ...]) -> None:
        self.__dict__.update(size=size, seed=seed, algorithm=algorithm, placement=placement, masks=masks)
        self.__dict__["_path"] = _solve(masks, size)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a maze is frozen: make a new MazeEngine instead of setting {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a maze is frozen: {name!r} cannot be deleted")

    # ---- what the maze is -------------------------------------------------------------------

    @property
    def start(self) -> Cell:
        """The cell where every walk begins, (0, 0)."""
        return (0, 0)

    @property
    def exit(self) -> Cell:
        """The cell where every solution ends, (N−1, N−1)."""
        return (self.size - 1, self.size - 1)

    @property
    def passages(self) -> np.ndarray:
        """(N, N) uint8 mask of open sides (a fresh copy)."""
        import numpy as np

        return np.array(self.masks, dtype=np.uint8).reshape(self.size, self.size)

    @property
    def solution(self) -> list[Cell]:
        """The path from start to exit, both ends counted (a fresh list)."""
        return [divmod(cell, self.size) for cell in self._path]

    @property
    def dead_ends(self) -> int:
        """Cells with one open side, the exit left out, the start not (v1.1)."""
        return sum(mask.bit_count() == 1 for mask in self.masks[:-1])

    @cached_property
    def junctions(self) -> tuple[Cell, ...]:
        """Cells with a choice, in row order: three or more open sides, or the start with two."""
        return tuple(divmod(i, self.size) for i, mask in enumerate(self.masks) if mask.bit_count() + (i == 0) >= 3)

    @cached_property
    def decision_cells(self) -> tuple[Cell, ...]:
        """The junctions that lie on the solution, in path order."""
        choice = set(self.junctions)
        return tuple(cell for cell in self.solution if cell in choice)

    @cached_property
    def mirage_traps(self) -> tuple[lures.Lure, ...]:
        """The lures, in path order."""
        return lures.place(list(self.stops), self.size, self.seed or 0, self.placement)

    @cached_property
    def maze_id(self) -> str:
        """Twelve hex digits of the passages: the same for the same walls, whatever the lures."""
        return hashlib.sha256(f"{self.size}:{self._hex()}".encode()).hexdigest()[:12]

    # ---- questions to the maze --------------------------------------------------------------

    def is_open(self, cell: Cell, direction: str) -> bool:
        """True if one can go from `cell` in `direction` ("N", "E", "S", "W")."""
        check_choice("direction", direction, DIRECTIONS)
        return bool(self.masks[self._index(cell)] & encoding.BIT[direction])

    def open_directions(self, cell: Cell) -> tuple[str, ...]:
        """The open directions of a cell, in the order N, E, S, W."""
        mask = self.masks[self._index(cell)]
        return tuple(d for d in DIRECTIONS if mask & encoding.BIT[d])

    def distance(self, cell: Cell) -> int:
        """Moves from `cell` to the exit along the only path."""
        return self._distances[self._index(cell)]

    def onward(self, cell: Cell) -> str:
        """The direction that leads from `cell` to the exit; "" at the exit."""
        here = self.distance(cell)
        for d in self.open_directions(cell):
            if self.distance((cell[0] + STEP[d][0], cell[1] + STEP[d][1])) < here:
                return d
        return ""

    @cached_property
    def _distances(self) -> list[int]:
        size, masks = self.size, self.masks
        offset = {1: -size, 2: 1, 4: size, 8: -1}
        far = [-1] * (size * size)
        far[-1] = 0
        queue = [size * size - 1]
        for cell in queue:
            for bit, step in offset.items():
                if masks[cell] & bit and far[cell + step] < 0:
                    far[cell + step] = far[cell] + 1
                    queue.append(cell + step)
        return far

    def _index(self, cell: Cell) -> int:
        size = self.size
        try:
            row, col = cell
            if not (type(row) is type(col) is int and 0 <= row < size and 0 <= col < size):
                row, col = check_whole("cell", row, 0, size - 1), check_whole("cell", col, 0, size - 1)
        except (TypeError, ValueError):
            raise InputError("cell", cell, f"a (row, column) pair within 0 to {size - 1}") from None
        return row * size + col

    @cached_property
    def stops(self) -> tuple[lures.Stop, ...]:
        """The cells of the solution in path order.

        Each with the direction onward ("" in a corridor and at the exit) and the wrong branches.
        """
        size, masks, path = self.size, self.masks, self._path
        sides = [(d, encoding.BIT[d], step) for d, step in (("N", -size), ("S", size), ("E", 1), ("W", -1))]
        on_path = set(path)
        stops: list[lures.Stop] = []
        for place, i in enumerate(path):
            mask, onward, wrong = masks[i], "", ()
            if mask.bit_count() > (2 if 0 < place < len(path) - 1 else 1):
                ahead = path[place + 1] if place + 1 < len(path) else None
                wrong = tuple([d for d, bit, step in sides if mask & bit and i + step not in on_path])
                onward = next((d for d, bit, step in sides if i + step == ahead and mask & bit), "")
            stops.append((divmod(i, size), onward, wrong))
        return tuple(stops)

    # ---- text and records -------------------------------------------------------------------

    def encode_text(self, use_mirage: bool = True, language: str = "ko", show_seed: bool = True) -> str:
        """The maze as a subject reads it (section 5).

        `use_mirage` shows the lures; `language` is "ko" or "en"; `show_seed=False` keeps the seed
        from a model that can compute.
        """
        check_choice("language", language, encoding.LANGUAGES)
        return encoding.encode(self, use_mirage, language, show_seed)

    @classmethod
    def from_text(cls, text: str) -> MazeEngine:
        """Read a maze from its text, alone or inside a longer text, in either language.

        If a generator with the stated seed makes the same maze, the maze carries that generator's
        name; otherwise `algorithm` is "text". `seed` is None where the text shows none.
        """
        size, seed, masks, raw = encoding.decode(text)
        check_whole("size", size, MIN_SIZE, MAX_SIZE)
        return cls._restore(size, seed, masks, lambda maze: encoding.build_lures(maze, raw))

    def to_dict(self) -> dict[str, Any]:
        """Everything that the maze is, as plain JSON values."""
        return {
            "size": self.size,
            "seed": self.seed,
            "algorithm": self.algorithm,
            "placement": self.placement,
            "passages": self._hex(),
            "lures": [{**lure._asdict(), "cell": list(lure.cell)} for lure in self.mirage_traps],
            "generator_version": GENERATOR_VERSION,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> MazeEngine:
        """The maze that `to_dict` described; what is stored decides, not what a generator makes."""
        if not isinstance(data, dict):
            raise InputError("maze", data, "the dict that MazeEngine.to_dict makes")
        size = check_whole("size", data.get("size"), MIN_SIZE, MAX_SIZE)
        digits = data.get("passages")
        if not isinstance(digits, str) or len(digits) != size * size or set(digits) - set("0123456789abcdef"):
            raise InputError("passages", digits, f"{size * size} hex digits, one for each cell")
        seed = data.get("seed")
        if seed is not None:
            seed = check_whole("seed", seed, 0)
        algorithm = check_choice("algorithm", data.get("algorithm", "text"), (*GENERATORS, "text"))
        placement = check_choice("placement", data.get("placement", "text"), (*lures.PLACEMENTS, "text"))
        masks = tuple(int(d, 16) for d in digits)
        _check_tree(masks, size)
        maze = cls.__new__(cls)
        maze._set(size, seed, algorithm, placement, masks)
        maze.__dict__["mirage_traps"] = tuple(_lure(maze, lure) for lure in _list(data.get("lures", [])))
        return maze

    @classmethod
    def _restore(
        cls,
        size: int,
        seed: int | None,
        masks: Sequence[int],
        make_lures: Callable[[MazeEngine], tuple[lures.Lure, ...]],
    ) -> MazeEngine:
        """A maze of given masks; a generator that makes the same one from the seed gives it its name."""
        _check_tree(masks, size)
        maze = cls.__new__(cls)
        maze._set(size, seed, "text", "text", tuple(masks))
        maze.__dict__["mirage_traps"] = make_lures(maze)
        if seed is not None:
            algorithm = next((a for a in GENERATORS if tuple(GENERATORS[a](size, seed)) == maze.masks), "text")
            made = {p: cls(size, seed, algorithm, p).mirage_traps for p in lures.PLACEMENTS if algorithm != "text"}
            same = [p for p, placed in made.items() if placed == maze.mirage_traps]
            if same or (made and not maze.mirage_traps):  # a text without lures may hide those of either placement
                maze.__dict__.update(algorithm=algorithm, placement=(same or list(made))[0])
        return maze

    def _hex(self) -> str:
        return "".join(["0123456789abcdef"[mask] for mask in self.masks])

    def _key(self) -> tuple[object, ...]:
        return (self.size, self.seed, self.masks, self.mirage_traps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MazeEngine) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.size, self.seed, self.masks))

    def __repr__(self) -> str:
        made = f"algorithm={self.algorithm!r}, placement={self.placement!r}"
        return f"MazeEngine(size={self.size}, seed={self.seed}, {made})"


def _list(value: object) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise InputError("lures", value, "a list of lures")
    return list(value)


def _lure(maze: MazeEngine, data: Any) -> lures.Lure:
    """A lure of a record; what it says must fit the maze."""
    try:
        lure = lures.Lure(**{**data, "cell": tuple(data["cell"])})
    except (TypeError, KeyError):
        raise InputError("lures", data, "lures with " + ", ".join(lures.Lure._fields)) from None
    if not maze.is_open(lure.cell, lure.direction):
        raise InputError("lures", data, "lures at open directions")
    check_choice("lures: kind", lure.kind, lures.KINDS)
    check_whole("lures: phrase", lure.phrase, -1, len(lures.CLAIMS["ko"]) - 1)
    return lure


def _solve(masks: Sequence[int], size: int) -> list[int]:
    """Cells of the only path from the first to the last cell, by depth-first search with early end."""
    goal = size * size - 1
    came: dict[int, int] = {0: -1}
    stack = [0]
    while stack:
        cell = stack.pop()
        if cell == goal:
            break
        mask, before = masks[cell], came[cell]
        if mask & 1 and cell - size != before:
            came[cell - size] = cell
            stack.append(cell - size)
        if mask & 8 and cell - 1 != before:
            came[cell - 1] = cell
            stack.append(cell - 1)
        if mask & 2 and cell + 1 != before:
            came[cell + 1] = cell
            stack.append(cell + 1)
        if mask & 4 and cell + size != before:
            came[cell + size] = cell
            stack.append(cell + size)
    path = [goal]
    while path[-1]:
        path.append(came[path[-1]])
    return path[::-1]


def _check_tree(masks: Sequence[int], size: int) -> None:
    """Raise `InputError` unless the masks are a spanning tree of the grid."""
    sides = ((1, 4, -1, 0), (2, 8, 0, 1), (4, 1, 1, 0), (8, 2, 0, -1))
    for i, mask in enumerate(masks):
        row, col = divmod(i, size)
        for bit, back, down, right in sides:
            r, c = row + down, col + right
            inside = 0 <= r < size and 0 <= c < size
            if mask & bit and (not inside or not masks[r * size + c] & back):
                one_way = f"({row},{col}) open towards ({r},{c})"
                raise InputError("maze", one_way, "a maze whose openings agree from both sides")
    edges = sum(mask.bit_count() for mask in masks) // 2
    seen, queue = {0}, [0]
    for cell in queue:
        for bit, step in ((1, -size), (2, 1), (4, size), (8, -1)):
            if masks[cell] & bit and cell + step not in seen:
                seen.add(cell + step)
                queue.append(cell + step)
    cells = size * size
    if len(seen) != cells or edges != cells - 1:
        perfect = f"a perfect maze: all {cells} cells joined by {cells - 1} openings"
        raise InputError("maze", f"{len(seen)} cells reached by {edges} openings", perfect)
