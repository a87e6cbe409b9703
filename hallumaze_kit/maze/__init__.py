"""The stimulus: mazes with one solution, their lures, their text, their pictures."""

from hallumaze_kit.maze.engine import DIRECTIONS, OPPOSITE, STEP, Cell, MazeEngine
from hallumaze_kit.maze.lures import Lure
from hallumaze_kit.maze.turning import half_turned, transposed

__all__ = ["DIRECTIONS", "OPPOSITE", "STEP", "Cell", "Lure", "MazeEngine", "half_turned", "transposed"]
