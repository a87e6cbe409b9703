"""The score RAFS, and the diagnosis of a problem's traces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError
from hallumaze_kit.reasoning.agreement import agreement, claims, mean_similarity, modal_answer
from hallumaze_kit.reasoning.support import Answerer, Entailment, Support, support
from hallumaze_kit.reasoning.traces.answers import canonical, same_answer
from hallumaze_kit.reasoning.traces.reading import parse_trace
from hallumaze_kit.reasoning.traces.trace import ReasoningTrace
from hallumaze_kit.reasoning.verify import ArithmeticVerifier, StepValidity, StepVerifier, step_validity

if TYPE_CHECKING:
    from hallumaze_kit.reasoning.calibration import Calibration

WEIGHTS = (0.25, 0.25, 0.25, 0.25)
EPSILON = 1e-12
STATUSES = ("accept", "review", "abstain")
QUADRANTS = ("faithful success", "silent failure", "extraction failure", "overt failure")
FAILURES = ("suspect step", "answer not carried", "unstable answers", "divergent reasons", "none")
"""Kinds of failure without a gold: local, extraction, global, shared-answer rationalisation, nothing found."""
UNCALIBRATED = (50.0, 80.0)
"""Without a calibration: under the first "review" is all there is to say, from the second "accept"."""
UNSTABLE = 0.5
"""C_A under which answers are called unstable."""
DIVERGENT = 0.2
"""D_R under which reasons are called divergent."""


def rafs(
    P: float,
    S: float,
    C: float,
    D: float,
    weights: Sequence[float] = WEIGHTS,
    epsilon: float = EPSILON,
) -> float:
    """RAFS = 100 · exp(Σ w_m · log(s_m + ε)), clipped to [0, 100].

    A weighted geometric mean: a component near 0 takes the score there, whatever the others are. NaN if a component is
    NaN. Source: RAFS summary, section 2, aggregation.

    P = 0.397, S = 0.712, C = 0.594, D = 0.5 give 53.8.

    Parameters
    ----------
    P, S, C, D : step validity, support, agreement, stability, each in [0, 1] or NaN
    weights : four numbers of 0 or more that sum to 1
    epsilon : keeps the logarithm finite, above 0 and at most 0.01

    Raises
    ------
    InputError
        For anything outside these.
    """
    components = {"P": P, "S": S, "C": C, "D": D}
    for name, given in components.items():
        if isinstance(given, bool) or not isinstance(given, int | float) or not (math.isnan(given) or 0 <= given <= 1):
            raise InputError(name, given, "a number from 0 to 1, or NaN")
    held = tuple(weights)
    if len(held) != 4 or any(not isinstance(w, int | float) or not 0 <= w <= 1 for w in held):
        raise InputError("weights", weights, "four numbers from 0 to 1")
    if abs(math.fsum(held) - 1) > 1e-9:
        raise InputError("weights", weights, "four numbers that sum to 1")
    if not 0 < epsilon <= 0.01:
        raise InputError("epsilon", epsilon, "a number above 0, at most 0.01")
    if any(math.isnan(given) for given in components.values()):
        return math.nan
    total = math.fsum(w * math.log(s + epsilon) for w, s in zip(held, components.values(), strict=True))
    return min(100.0, max(0.0, 100 * math.exp(total)))


@dataclass(frozen=True)
class TraceReport:
    """One trace of a diagnosis: its own components, and its score with the group's agreement and stability."""

    trace: ReasoningTrace
    q: tuple[float, ...]
    validity: StepValidity
    support: Support
    score: float = math.nan

    @property
    def P(self) -> float:
        return self.validity.P

    @property
    def S(self) -> float:
        return self.support.S


@dataclass(frozen=True)
class Diagnosis:
    """What RAFS says of a problem's traces.

    P, S, C, D   the components: P and S are means over the traces behind the modal answer; NaN where not computed
    score        RAFS, 0 to 100, NaN where a component is
    status       "accept", "review" or "abstain"
    calibrated   whether the status rests on a calibration
    answer       the modal answer, None where it is none
    suspect      number of the suspect step, None without one
    trace        number (from 0) of the trace that holds it: of those behind the answer the one with the lowest P
    failure      one of `FAILURES`
    cause        "local" (a step, the extraction), "global" (answers, reasons), "" for none
    quadrant     one of `QUADRANTS` with a gold, else ""
    advice       what to do, in English; `words` has both languages
    reasons      why a component or the score is missing
    reports      each trace on its own
    families     what was recorded of the model families
    """

    P: float
    S: float
    C: float
    D: float
    score: float
    status: str
    calibrated: bool
    answer: str | None
    suspect: int | None
    trace: int | None
    failure: str
    cause: str
    quadrant: str
    advice: str
    reasons: tuple[str, ...] = ()
    reports: tuple[TraceReport, ...] = ()
    families: dict[str, object] = field(default_factory=dict)

    @property
    def components(self) -> dict[str, float]:
        """P, S, C and D by name."""
        return {"P": self.P, "S": self.S, "C": self.C, "D": self.D}


def diagnose(
    problem: str,
    traces: Sequence[ReasoningTrace | str] | ReasoningTrace | str,
    verifier: StepVerifier | None = None,
    answerer: Answerer | None = None,
    entailment: Entailment | None = None,
    gold: str | None = None,
    *,
    weights: Sequence[float] = WEIGHTS,
    calibration: Calibration | None = None,
    min_edits: int = 1,
    allow_shared_family: bool = False,
) -> Diagnosis:
    """Diagnose the traces of one problem; their order does not matter.

    One trace shows P and S; agreement needs two traces or more, so that its score is NaN and its status "abstain", with
    that reason. Without a calibration the status is marked so.

    Parameters
    ----------
    problem : the problem's text, "" where it is not known (operands are not traced then)
    traces : texts, or what `parse_trace` read; a single one may stand alone
    verifier : judges the steps; by default `ArithmeticVerifier()`
    answerer, entailment : see `support`; by default symbolic
    gold : the right answer, for the quadrant
    weights : of P, S, C, D
    calibration : thresholds that `calibrate` found
    min_edits : valid counterfactual edits that support needs
    allow_shared_family : let the generator, the verifier and the validators be of one model family; the record says so

    Raises
    ------
    InputError
        For an empty list of traces, and for a model family that plays two roles without being allowed to.
    """
    from hallumaze_kit.reasoning.roles.families import check_families

    if not isinstance(problem, str | type(None)):
        raise InputError("problem", problem, "text")
    given = [traces] if isinstance(traces, ReasoningTrace | str) else list(traces)
    if not given:
        raise InputError("traces", traces, "one trace or more")
    read = [one if isinstance(one, ReasoningTrace) else parse_trace(one, problem) for one in given]
    verifier = ArithmeticVerifier() if verifier is None else verifier
    families = check_families(read, verifier, answerer, entailment, allow_shared_family)
    reports = [_report(problem or "", trace, verifier, answerer, entailment, min_edits) for trace in read]
    answers = [trace.answer for trace in read]
    modal = modal_answer(answers)
    behind = [at for at, answer in enumerate(answers) if modal and canonical(answer) == modal]
    C = agreement(answers)
    D = mean_similarity([claims(read[at]) for at in behind]) if len(behind) > 1 else math.nan
    P = _mean([reports[at].P for at in behind or range(len(read))])
    S = _mean([reports[at].S for at in behind])
    score = rafs(P, S, C, D, weights)
    reports = [TraceReport(r.trace, r.q, r.validity, r.support, rafs(r.P, r.S, C, D, weights)) for r in reports]
    worst = _worst(reports, behind or list(range(len(read))))
    suspect = reports[worst].validity.suspect if worst is not None else None
    answer = read[behind[0]].answer if behind else None
    failure = _failure(suspect, [reports[at].support for at in behind], modal, C, D)
    from hallumaze_kit.reasoning.words import ADVICE

    return Diagnosis(
        P=P, S=S, C=C, D=D, score=score,
        status=calibration.status(score) if calibration is not None else uncalibrated_status(score),
        calibrated=calibration is not None,
        answer=answer,
        suspect=suspect,
        trace=worst if suspect is not None else None,
        failure=failure,
        cause={"suspect step": "local", "answer not carried": "local", "none": ""}.get(failure, "global"),
        quadrant="" if gold is None else quadrant(answer, gold, problem or "", failure, [reports[at] for at in behind]),
        advice=ADVICE["en"][failure],
        reasons=_reasons(read, reports, behind, modal, P, S, C, D),
        reports=tuple(reports),
        families=families,
    )  # fmt: skip


def _report(
    problem: str,
    trace: ReasoningTrace,
    verifier: StepVerifier,
    answerer: Answerer | None,
    entailment: Entailment | None,
    min_edits: int,
) -> TraceReport:
    q = tuple(float(value) for value in verifier.verify(problem or trace.problem or "", trace.steps))
    if len(q) != len(trace.steps):
        raise InputError("verifier", f"{len(q)} values for {len(trace.steps)} steps", "one value a step")
    return TraceReport(trace, q, step_validity(q), support(trace, answerer, entailment, min_edits))


def _mean(values: Sequence[float]) -> float:
    known = sorted(value for value in values if not math.isnan(value))
    return math.fsum(known) / len(known) if known else math.nan


def _worst(reports: Sequence[TraceReport], among: Sequence[int]) -> int | None:
    """Of the traces with a suspect step the one with the lowest P; of equal ones the first by its text."""
    bad = [at for at in among if reports[at].validity.suspect is not None]
    key = lambda at: (reports[at].P, [step.text for step in reports[at].trace.steps])  # noqa: E731
    return min(bad, key=key) if bad else None


def uncalibrated_status(score: float) -> str:
    """The status of a score by the fixed thresholds of `UNCALIBRATED`, which guarantee nothing."""
    if math.isnan(score) or score < UNCALIBRATED[0] / 2:
        return "abstain"
    return "accept" if score >= UNCALIBRATED[1] else "review"


def _failure(suspect: int | None, supports: Sequence[Support], modal: str, C: float, D: float) -> str:
    if suspect is not None:
        return "suspect step"
    entailed = [one.entailment for one in supports if not math.isnan(one.entailment)]
    if not modal or (entailed and math.fsum(entailed) / len(entailed) < 0.5):
        return "answer not carried"
    if C < UNSTABLE:
        return "unstable answers"
    return "divergent reasons" if D < DIVERGENT else "none"


def quadrant(answer: str | None, gold: str, problem: str, failure: str, reports: Sequence[TraceReport]) -> str:
    """The quadrant of an answer: is it right, and does what was found leave its reasoning valid?

    Right: "silent failure" where a step is suspect, the answer is not carried or the reasons diverge, else "faithful
    success". Wrong: "extraction failure" where no step is suspect and the steps lead to the gold, else "overt failure".
    `reports` are those of the traces behind the answer.
    """
    if same_answer(answer, gold, problem):
        return "faithful success" if failure in ("none", "unstable answers") else "silent failure"
    for report in reports:
        led = _led_to(report.trace)
        if report.validity.suspect is None and led is not None and same_answer(led, gold):
            return "extraction failure"
    return "overt failure"


def _led_to(trace: ReasoningTrace) -> str | None:
    """The last value that the steps work out, as text."""
    from hallumaze_kit.reasoning.supporting.chain import chain_of

    nodes = chain_of(trace).nodes
    return str(nodes[-1].stated) if nodes else None


def _reasons(
    read: Sequence[ReasoningTrace],
    reports: Sequence[TraceReport],
    behind: Sequence[int],
    modal: str,
    P: float,
    S: float,
    C: float,
    D: float,
) -> tuple[str, ...]:
    found = []
    if math.isnan(P):
        found.append("no step could be checked" if any(trace.steps for trace in read) else "there are no steps")
    if math.isnan(S):
        notes = sorted({reports[at].support.note for at in behind if reports[at].support.note})
        found.append("; ".join(notes) or "there is no answer")
    if math.isnan(C):
        found.append("agreement needs two traces or more")
    if math.isnan(D) and len(read) > 1:
        found.append("stability needs two traces behind the answer" if modal else "there is no answer")
    return tuple(dict.fromkeys(found))
