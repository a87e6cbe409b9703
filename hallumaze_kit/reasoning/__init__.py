"""Reasoning traces: are the steps valid, do they carry the answer, do answers and reasons agree (RAFS)?

    from hallumaze_kit.reasoning import diagnose, parse_trace

    diagnose("Tom has 3 apples and buys 4 more.", ["3 + 4 = 7\\nThe answer is 7.", "4 + 3 = 7\\n#### 7"])

Everything here works offline; language models may take the roles of verifier, answerer and judge
(`hallumaze_kit.reasoning.roles`).
"""

from hallumaze_kit.reasoning.agreement import agreement, claims, modal_answer, stability
from hallumaze_kit.reasoning.calibration import Calibration, calibrate
from hallumaze_kit.reasoning.data import LabelledTrace, RealProblem, load_gsm8k, load_processbench
from hallumaze_kit.reasoning.planted import KINDS, MIX, PlantedProblem, PlantedTrace, planted
from hallumaze_kit.reasoning.rafs import Diagnosis, TraceReport, diagnose, rafs
from hallumaze_kit.reasoning.support import (
    Counterfactual,
    Counterfactuals,
    Support,
    SymbolicAnswerer,
    SymbolicEntailment,
    counterfactuals,
    support,
)
from hallumaze_kit.reasoning.traces import ReasoningTrace, Step, canonical, parse_trace, same_answer
from hallumaze_kit.reasoning.verify import ArithmeticVerifier, StepValidity, StepVerifier, Verdict, step_validity

__all__ = [
    "KINDS",
    "MIX",
    "ArithmeticVerifier",
    "Calibration",
    "Counterfactual",
    "Counterfactuals",
    "Diagnosis",
    "LabelledTrace",
    "PlantedProblem",
    "PlantedTrace",
    "RealProblem",
    "ReasoningTrace",
    "Step",
    "StepValidity",
    "StepVerifier",
    "Support",
    "SymbolicAnswerer",
    "SymbolicEntailment",
    "TraceReport",
    "Verdict",
    "agreement",
    "calibrate",
    "canonical",
    "claims",
    "counterfactuals",
    "diagnose",
    "load_gsm8k",
    "load_processbench",
    "modal_answer",
    "parse_trace",
    "planted",
    "rafs",
    "same_answer",
    "stability",
    "step_validity",
    "support",
]
