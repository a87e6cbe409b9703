"""Language models in the roles of verifier, counterfactual answerer and entailment judge; their families checked."""

from hallumaze_kit.reasoning.roles.cache import ReplyCache
from hallumaze_kit.reasoning.roles.families import check_families, family_of
from hallumaze_kit.reasoning.roles.judges import LLMAnswerer, LLMEntailment, LLMVerifier, judges

__all__ = ["LLMAnswerer", "LLMEntailment", "LLMVerifier", "ReplyCache", "check_families", "family_of", "judges"]
