"""The one schema of the kit, and its files: v1.1 JSON and CSV, public trial lists, group means."""

from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.records.files import read_results, write_csv, write_json
from hallumaze_kit.records.frames import decisions_frame, to_frame
from hallumaze_kit.records.result import METRICS, BenchmarkResult

__all__ = [
    "METRICS",
    "BenchmarkResult",
    "MazeConfig",
    "decisions_frame",
    "read_results",
    "to_frame",
    "write_csv",
    "write_json",
]
