"""Studies: designs, tables, figures, and the document's console output."""

from hallumaze_kit.study.analysis.ariadne import ariadne_table, arm_effect
from hallumaze_kit.study.analysis.coding import add_reading, agreement, corrected_share
from hallumaze_kit.study.analysis.confidence import calibration_table, roc_table
from hallumaze_kit.study.analysis.detection import Detection, dprime, injection_table, probe_table
from hallumaze_kit.study.analysis.experiments import mirage_effect, size_table
from hallumaze_kit.study.bundled import answer_maze, answer_text, real_results
from hallumaze_kit.study.design import Design, run_design
from hallumaze_kit.study.estimate import estimate, measured_seconds
from hallumaze_kit.study.figures import confidence_figure, leaderboard_figure, save, walk_figure
from hallumaze_kit.study.preregistration import preregister, unseal
from hallumaze_kit.study.running import RunWarning, run
from hallumaze_kit.study.showing.console import print_maze, print_profile, print_ranking, print_trial, ranking
from hallumaze_kit.study.showing.experiment_figures import effect_figure, size_figure
from hallumaze_kit.study.showing.paper_figures import calibration_figure, roc_figure
from hallumaze_kit.study.tables import (
    confidence_around,
    confidence_curve,
    leaderboard,
    moves_frame,
    readable,
    replayed,
)

__all__ = [
    "Design",
    "Detection",
    "RunWarning",
    "add_reading",
    "agreement",
    "answer_maze",
    "answer_text",
    "ariadne_table",
    "arm_effect",
    "calibration_figure",
    "calibration_table",
    "confidence_around",
    "confidence_curve",
    "confidence_figure",
    "corrected_share",
    "dprime",
    "effect_figure",
    "estimate",
    "injection_table",
    "leaderboard",
    "leaderboard_figure",
    "measured_seconds",
    "mirage_effect",
    "moves_frame",
    "preregister",
    "print_maze",
    "print_profile",
    "print_ranking",
    "print_trial",
    "probe_table",
    "ranking",
    "readable",
    "real_results",
    "replayed",
    "roc_figure",
    "roc_table",
    "run",
    "run_design",
    "save",
    "size_figure",
    "size_table",
    "unseal",
    "walk_figure",
]
