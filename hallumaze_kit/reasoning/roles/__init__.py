"""Language models in the roles of verifier, counterfactual answerer and entailment judge."""
