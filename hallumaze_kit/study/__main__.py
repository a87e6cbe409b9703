"""`python -m hallumaze_kit.study`: the bundled real answers, synthetic and floor subjects, as tables and figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hallumaze_kit.errors import FileError, KitError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.maze.fonts import NOTE, hangul_family
from hallumaze_kit.records import BenchmarkResult, to_frame
from hallumaze_kit.study import bundled, design, figures, tables
from hallumaze_kit.study.showing import console
from hallumaze_kit.subjects.synthetic import FLOOR, SYNTHETIC

if TYPE_CHECKING:
    import pandas as pd

    from hallumaze_kit.trial.replay import Move

    Walk = tuple[MazeEngine, Sequence[Move]]

PROFILE = ("sr", "hallucination_count", "detected", "recovery_rate", "ce")
"""Measures of the printed profile, as many as a screen is wide."""
MORE_MAZES = 25
"""7×7 mazes (Wilson, balanced lures, seeds from 0) for the rule-based subjects besides those of the real answers."""
AROUND = ("talker", "stubborn", "clock")
"""Whose confidence is drawn around hallucinations: one that notices, one that does not, one that counts steps."""
SYNTHETIC_WALK = "hasty"
"""The synthetic subject whose walk is drawn."""
REAL_WALK = "q05"
"""The real answer whose final path is drawn."""
WORDS = {
    "ko": {
        "mazes": "합성·하한 기준 응답자는 미로 {all}개를, 실제 응답은 그중 {real}개를 풀었습니다.",
        "wrote": "그림 {n}점(PNG·PDF·CSV)을 저장했습니다: {folder}",
        "walk_real": "실제 응답(claude, 버전 기록 없음)의 최종 경로: 한 칸을 건너뜀",
        "walk_synthetic": "7×7 미로에서 합성 응답자(hasty)가 걸은 길",
    },
    "en": {
        "mazes": "The synthetic and floor subjects solved {all} mazes, the real answers {real} of them.",
        "wrote": "Wrote {n} figures (PNG, PDF, CSV) to {folder}",
        "walk_real": "The final path of a real answer (claude, version not recorded) leaves out a cell",
        "walk_synthetic": "A synthetic subject (hasty) on a 7×7 maze",
    },
}


def main(argv: Sequence[str] | None = None) -> int:
    """Score, print, draw; 0 if all went well, 1 with one clear line if not."""
    parser = argparse.ArgumentParser(prog="python -m hallumaze_kit.study", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("figures"), help="folder for the figures (default: figures)")
    parser.add_argument(
        "--lang", nargs="+", choices=tuple(WORDS), default=["ko", "en"],
        help="languages of the figures; the first is the screen's (default: ko en)",
    )  # fmt: skip
    chosen = parser.parse_args(argv)
    try:
        run(chosen.out, chosen.lang)
    except KitError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def run(folder: Path, languages: Sequence[str]) -> None:
    """Everything that `make figures` does."""
    screen = languages[0]
    figures.check_folder(folder)
    try:
        real = bundled.real_results()
    except FileError as error:
        print(error, file=sys.stderr)
        real = []
    mazes = [MazeEngine.from_dict(result.maze) for result in real]
    mazes += [MazeEngine(7, seed, "wilson", "balanced") for seed in range(MORE_MAZES)]
    plan = design.Design([*SYNTHETIC.values(), *FLOOR.values()], mazes)
    results = [*real, *design.run_design(plan, progress=sys.stderr.isatty())]
    frame = to_frame(results)
    console.print_profile(tables.leaderboard(frame, PROFILE), screen)
    if real:
        print("  " + WORDS[screen]["mazes"].format(all=len(mazes), real=len(real)) + "\n")
    console.print_ranking(results, screen)
    board = tables.leaderboard(frame)
    curve = tables.confidence_curve(tables.confidence_around(r for r in results if r.model in AROUND))
    walked = walks(results)
    if "ko" in languages and not hangul_family():
        print(f"  {NOTE}", file=sys.stderr)
    written = [path for language in languages for path in draw(board, curve, walked, folder, language)]
    print("\n  " + WORDS[screen]["wrote"].format(n=len(written) // 3, folder=folder.resolve()))


def draw(board: pd.DataFrame, curve: pd.DataFrame, walked: dict[str, Walk], folder: Path, language: str) -> list[Path]:
    """Write every figure in one language (in English, with a note, where Korean has no font); the paths."""
    shown = language if hangul_family() else "en"
    written = figures.save(figures.leaderboard_figure(board, shown), f"leaderboard_{language}", board, folder)
    written += figures.save(figures.confidence_figure(curve, shown), f"confidence_{language}", curve, folder)
    for name, (maze, moves) in walked.items():
        figure = figures.walk_figure(maze, moves, WORDS[shown][name], shown)
        written += figures.save(figure, f"{name}_{language}", tables.moves_frame(maze, moves), folder)
    return written


def walks(results: Sequence[BenchmarkResult]) -> dict[str, Walk]:
    """The walks that are drawn: a real answer's final path if there is one, and a synthetic subject's walk.

    The synthetic one is the first of at most 40 moves on a 7×7 maze that ends well after an illegal and a retraced one.
    """
    found: dict[str, Walk] = {}
    for result in results:
        if result.extra.get("file", "").startswith(REAL_WALK):
            found["walk_real"] = (MazeEngine.from_dict(result.maze), tables.replayed(result).final_moves)
        if result.model == SYNTHETIC_WALK and result.maze_size == 7 and "walk_synthetic" not in found:
            moves = tables.replayed(result).moves
            both = {m.legal for m in moves} == {m.retraced for m in moves} == {True, False}
            if result.sr == 1 and len(moves) <= 40 and both:
                found["walk_synthetic"] = (MazeEngine.from_dict(result.maze), moves)
    return found


if __name__ == "__main__":
    sys.exit(main())
