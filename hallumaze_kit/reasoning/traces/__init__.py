"""Chains of thought: text in, numbered steps with their equations and the final answer out."""

from hallumaze_kit.reasoning.traces.answers import canonical, same_answer
from hallumaze_kit.reasoning.traces.reading import parse_trace
from hallumaze_kit.reasoning.traces.trace import ReasoningTrace, Step, as_steps

__all__ = ["ReasoningTrace", "Step", "as_steps", "canonical", "parse_trace", "same_answer"]
